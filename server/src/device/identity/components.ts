// Which facts can be compared between two visits? One text per component, always written the same way.

import type { WebFacts } from '@ringfence/contract'
import { cidrOf, parseAddress } from '../../core/address/address.ts'
import { isTouchMac, parseUserAgent } from '../analysis/user-agent.ts'

/** Groups of browsers whose components behave alike; each has its own weights (weights.json). */
export const families = ['blink-desktop', 'blink-mobile', 'gecko', 'webkit'] as const
export type Family = (typeof families)[number]

/**
 * Every component. Stored fingerprints use this order: append, never move.
 */
export const components = [
  'gpu',
  'parameters',
  'extensions',
  'image',
  'canvasShapes',
  'canvasText',
  'audio',
  'math',
  'cores',
  'memory',
  'touch',
  'architecture',
  'model',
  'platform',
  'osVersion',
  'screen',
  'area',
  'pixelRatio',
  'media',
  'fonts',
  'fontFamily',
  'voices',
  'plugins',
  'languages',
  'zone',
  'provider',
  'network',
  'address',
  'version',
  'fontWidths',
  'permissions',
  'mediaDevices',
  'keyboard',
  'locale',
  'codecs',
  'fullVersion',
  'window',
] as const
export type Component = (typeof components)[number]
export const place = Object.fromEntries(components.map((name, index) => [name, index])) as Record<Component, number>

/**
 * Parts of a device or browser. The facts of a part change together, so they count once: a difference by its first member that
 * differs, which says most; an agreement by its last member that agrees, which is the most specific.
 */
const parts: readonly (readonly Component[])[] = [
  ['gpu', 'parameters', 'image', 'canvasShapes', 'canvasText'],
  ['codecs', 'math', 'extensions', 'audio'],
  ['cores'],
  ['memory'],
  ['touch'],
  ['platform', 'architecture'],
  ['model'],
  ['screen', 'pixelRatio', 'area'],
  ['media'],
  ['fontFamily', 'fontWidths', 'fonts'],
  ['voices'],
  ['plugins'],
  ['keyboard', 'locale', 'languages'],
  ['zone'],
]
/** Parts that change often (versions, networks, plugged-in devices): the rule of at most five changes does not count them. */
const fleeting: typeof parts = [
  ['provider', 'network', 'address'],
  ['version', 'fullVersion'],
  ['osVersion'],
  ['permissions'],
  ['mediaDevices'],
  ['window'],
]
const placesOf = (its: typeof parts) => its.map((part) => part.map((name) => place[name]))
/** Places of the components of each part. */
export const lastingParts: readonly (readonly number[])[] = placesOf(parts)
export const allParts: readonly (readonly number[])[] = [...lastingParts, ...placesOf(fleeting)]

/** Components that agree for days or weeks only. Previous values of them say nothing and are not stored. */
export const momentary: ReadonlySet<Component> = new Set(['version', 'fullVersion', 'window'])

/** A device as it appears at one visit. */
export interface Traits {
  readonly family: Family
  /** Operating system, engine and browser, which never change within one device (FP-STALKER, rule 1). Empty when unknown. */
  readonly platformKey: string
  /** Major version of the browser, 0 when unknown; it never decreases (FP-STALKER, rule 2). */
  readonly version: number
  /** All devices of this kind look the same (iPhones, iPads), so similarity cannot identify one. */
  readonly isIndistinguishable: boolean
  readonly values: Readonly<Partial<Record<Component, string>>>
}

/** A device that does not report its browser: it cannot be distinguished from others. */
const nameless: Traits = { family: 'webkit', platformKey: '', version: 0, isIndistinguishable: true, values: {} }

/**
 * The comparable components of a browser.
 * @param address IP address of the connection; ignored when malformed
 */
export function traitsOf(facts: WebFacts, address: string | undefined): Traits {
  const { browser, os, engine, platform } = parseUserAgent(facts.userAgent || ' ')
  if (!browser.name || !os.name) return nameless
  const isIndistinguishable = os.name === 'iOS' || isTouchMac(os.name, facts)
  const isGecko = engine.name === 'Gecko'
  const isBlink = engine.name === 'Blink'
  const isMobile = platform.type !== 'desktop'
  const version = Number.parseInt(browser.version ?? '', 10)
  return {
    family: isBlink ? (isMobile ? 'blink-mobile' : 'blink-desktop') : isGecko ? 'gecko' : 'webkit',
    platformKey: [isIndistinguishable ? 'iOS' : os.name, engine.name, browser.name].join(' '),
    version: version > 0 && version < 2 ** 16 ? version : 0,
    isIndistinguishable,
    values: {
      ...graphics(facts, isGecko),
      ...hardware(facts, isGecko),
      ...display(facts, isGecko),
      ...software(facts),
      osVersion: facts.clientHints?.platformVersion ?? os.version ?? '',
      version: String(version),
      fullVersion: fullVersionOf(facts, browser.version),
      ...(platform.type === 'desktop' && windowOf(facts)),
      ...connection(address),
    },
  }
}

/** Ignores the canvas in Firefox, which adds noise in every session, and in any browser that returns altered pixels. */
function graphics({ webgl, canvas }: WebFacts, isGecko: boolean) {
  const isCanvasUsable = canvas && !isGecko && !altersPixels(canvas)
  return given({
    gpu: webgl?.renderer && !masked.test(webgl.renderer) && `${webgl.vendor ?? ''} ${withoutDriver(webgl.renderer)}`,
    parameters: webgl?.parameters,
    extensions: webgl?.extensions,
    image: webgl?.image,
    canvasShapes: isCanvasUsable ? canvas.geometry : undefined,
    canvasText: isCanvasUsable ? canvas.text : undefined,
  })
}

const altersPixels = ({ isStable, isExact }: NonNullable<WebFacts['canvas']>) => isStable === false || isExact === false

/** What browsers report instead of a graphics card: it is missing, not another one. */
const masked = /^(?:WebKit WebGL|Mozilla|Generic Renderer)$/

/** A new driver is not a new graphics card: `ANGLE (Intel, Intel(R) UHD (0x9A60) Direct3D11 vs_5_0 ps_5_0, D3D11-30.0)`. */
function withoutDriver(renderer: string): string {
  return renderer.replace(/(?:,? (?:Direct3D|D3D|OpenGL|Vulkan|LLVM)| \(LLVM|, or similar).*$/, '')
}

/** The build: client hints have it in Chromium, the user agent in Safari. `Not A;Brand` is no browser. */
function fullVersionOf({ clientHints }: WebFacts, version = ''): string {
  const named = clientHints?.fullVersionList?.filter(({ brand }) => !/^not.?a/i.test(brand.replace(/[^a-z]/gi, '')))
  return (named?.find(({ brand }) => brand !== 'Chromium') ?? named?.[0])?.version ?? version
}

/** Where the window is: it stays for hours or days, unless it is maximised. A phone has no windows. */
function windowOf({ windowGeometry: its, screen }: WebFacts) {
  if (!its?.outerWidth || its.isTop === false) return {}
  const isMaximised = its.outerWidth >= (screen?.availWidth ?? Number.POSITIVE_INFINITY)
  const place = isMaximised ? 'maximised' : `${its.outerWidth}x${its.outerHeight} ${its.screenX},${its.screenY}`
  return { window: place }
}

/** Chromium browsers that alter pixels (Brave) also report random cores and memory in each session. */
function hardware({ clientHints, platform, vendor, ...facts }: WebFacts, isGecko: boolean) {
  const isRandom = !isGecko && facts.canvas !== undefined && altersPixels(facts.canvas)
  const cores = isGecko ? coarseCores(facts.hardwareConcurrency) : facts.hardwareConcurrency
  return given({
    cores: isRandom ? undefined : numberText(cores),
    memory: isRandom ? undefined : numberText(facts.deviceMemory),
    touch: numberText(facts.maxTouchPoints),
    architecture: clientHints?.architecture
      ? `${clientHints.architecture} ${clientHints.bitness ?? ''}`
      : facts.cpuArchitecture,
    model: clientHints?.model,
    mediaDevices: recordText(facts.mediaDevices),
    codecs: facts.codecs,
    platform: platform && `${platform} ${vendor ?? ''}`,
  })
}

/** Private windows of Firefox report 4 or 8 cores, so more is not known of any window. */
const coarseCores = (cores = 0) => (cores >= 8 ? 8 : cores > 0 && cores <= 4 ? 4 : undefined)

function display({ screen, devicePixelRatio, mediaQueries }: WebFacts, isGecko: boolean) {
  const { width, height, colorDepth } = screen ?? {}
  // With zoom, Firefox reports smaller CSS pixels; in device pixels the screen is the same, up to rounding.
  const scale = isGecko ? (devicePixelRatio ?? 1) : 1
  const sides = [width, height].map((side) => Math.round(((side ?? 0) * scale) / 10)).sort((a, b) => a - b)
  return given({
    screen: width && height ? `${sides.join('x')} ${colorDepth ?? ''}` : undefined,
    area: screen && [screen.availWidth, screen.availHeight, screen.availLeft, screen.availTop].join(' '),
    pixelRatio: numberText(devicePixelRatio),
    media: recordText(mediaQueries),
  })
}

function software({ fonts, voices, plugins, languages, ...facts }: WebFacts) {
  return given({
    audio: numberText(facts.audio),
    math: facts.math,
    fonts: fonts && sortedText(fonts),
    fontFamily: facts.fontFamily,
    voices: voices && sortedText(voices),
    plugins: plugins && sortedText(plugins),
    languages: languages?.length ? languages.join(' ') : facts.language,
    zone: facts.timezone ?? numberText(facts.timezoneOffset),
    fontWidths: facts.fontWidths?.join(' '),
    permissions: recordText(facts.permissions),
    keyboard: facts.keyboard,
    locale: facts.locale,
  })
}

/**
 * The IP address at three precisions: the region of an ISP (16 bits of IPv4, 32 of IPv6), a network (24, 48), and a connection
 * (the whole IPv4 address; 64 bits of IPv6, which a household gets).
 */
export function connection(text: string | undefined): { provider?: string; network?: string; address?: string } {
  const address = text === undefined ? undefined : parseAddress(text)
  if (!address) return {}
  const [provider, network, connection] = address.words.length === 1 ? [16, 24, 32] : [32, 48, 64]
  return {
    provider: cidrOf(address, provider!),
    network: cidrOf(address, network!),
    address: cidrOf(address, connection!),
  }
}

const numberText = (value: number | undefined) => (value === undefined ? undefined : String(value))
const recordText = (values: Readonly<Record<string, string | number>> | undefined) =>
  values && sortedText(Object.entries(values).map(([name, value]) => `${name}:${value}`))
const sortedText = (values: readonly string[]) => values.toSorted().join('\n')

/** Leaves out unknown components. */
function given(values: Partial<Record<Component, string | false | undefined>>): Partial<Record<Component, string>> {
  const known: Partial<Record<Component, string>> = {}
  for (const name in values) {
    const value = values[name as Component]
    if (value) known[name as Component] = value
  }
  return known
}
