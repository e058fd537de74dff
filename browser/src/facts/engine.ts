// Which engine is this, whatever the user agent says? Its built-in functions, its arithmetic and its decoders show it.
// Polyfills and extensions replace functions. A new version of a browser changes what is here, so no value is fixed for long.

import { hashOf } from '../collect/hash.ts'

type Path = `${string}.${string}`

/**
 * Language features, in the order in which engines added them. The server maps them to versions.
 */
const features: readonly Path[] = [
  'Array.prototype.toSorted',
  'Promise.withResolvers',
  'Array.fromAsync',
  'Set.prototype.union',
  'Promise.try',
  'RegExp.escape',
  'Math.f16round',
  'Uint8Array.fromBase64',
]

export function engine() {
  return {
    nativeTextLength: Function.prototype.toString.call(Array).length,
    isV8: 'v8BreakIterator' in Intl,
    features: features.filter(isBuiltIn),
  }
}

/** Polyfills do not count: their source text is not native code. */
function isBuiltIn(path: Path): boolean {
  let value: unknown = globalThis
  for (const name of path.split('.')) value = (value as Record<string, unknown> | undefined)?.[name]
  return typeof value === 'function' && /\[native code\]/.test(Function.prototype.toString.call(value))
}

/** The last digits of a result differ by engine, system and processor. */
export function math(): string {
  const { acosh, asinh, atanh, cosh, sinh, tanh, expm1, log1p, sin, cos, tan, exp, pow, cbrt, PI } = Math
  return hashOf(
    [
      acosh(1e154),
      acosh(1.0001),
      asinh(1.3),
      atanh(0.51),
      cosh(1.7),
      sinh(1.23),
      tanh(0.9),
      expm1(1.1),
      log1p(10.3),
      sin(-1e300),
      cos(10.000000000123),
      tan(-1e300),
      exp(1.37),
      pow(PI, -100),
      cbrt(100.7),
    ].map(String),
  )
}

/** Formats that not every build and system can play. */
const formats = [
  'audio/aac',
  'audio/flac',
  'audio/mp4; codecs="ac-3"',
  'audio/mp4; codecs="ec-3"',
  'audio/ogg; codecs="vorbis"',
  'audio/webm; codecs="opus"',
  'video/mp4; codecs="av01.0.05M.08"',
  'video/mp4; codecs="avc1.640028"',
  'video/mp4; codecs="dvh1.05.06"',
  'video/mp4; codecs="hvc1.1.6.L93.B0"',
  'video/ogg; codecs="theora"',
  'video/webm; codecs="vp9"',
]

export function codecs(): string {
  const player = document.createElement('video')
  return hashOf(formats.map((format) => player.canPlayType(format)))
}
