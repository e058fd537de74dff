// Which engine is this, whatever the user agent says? Its built-in functions show it.

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
