// Which facts can be compared between two visits? One text per component, always written the same way.

import type { WebFacts } from '@ringfence/contract'
import { cidrOf, parseAddress } from '../../core/address/address.ts'
import { namesBrave } from '../analysis/brands.ts'
import { isTouchMac, type ParsedUserAgent, parseUserAgent } from '../analysis/user-agent.ts'

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
]
/** Parts that change often (versions, networks, plugged-in devices): the rule of at most five changes does not count them. */
const fleeting: typeof parts = [
  // A journey changes the time zone with the network.
  ['zone', 'provider', 'network', 'address'],
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
  const agent = parseUserAgent(facts.userAgent || ' ')
  const { browser, os, engine, platform } = agent
  if (!browser.name || !os.name) return nameless
  const isIndistinguishable = os.name === 'iOS' || isTouchMac(os.name, facts)
  const isGecko = engine.name === 'Gecko'
  const isBlink = engine.name === 'Blink'
  const isMobile = platform.type !== 'desktop'
  const isRandom = !isGecko && altersFacts(facts)
  const version = Number.parseInt(browser.version ?? '', 10)
  return {
    family: isBlink ? (isMobile ? 'blink-mobile' : 'blink-desktop') : isGecko ? 'gecko' : 'webkit',
    platformKey: [isIndistinguishable ? 'iOS' : os.name, engine.name, browser.name].join(' '),
    version: version > 0 && version < 2 ** 16 ? version : 0,
    isIndistinguishable,
    values: {
      ...graphics(facts, isGecko, isRandom),
      ...hardware(facts, isGecko, isRandom),
      ...display(facts, isGecko),
      ...software(facts),
      ...(version > 0 && { version: String(version) }),
      ...builds(facts, agent),
      ...(platform.type === 'desktop' && windowOf(facts)),
      ...connection(address),
    },
  }
}

/** Ignores drawings in a browser that alters pixels, and the canvas in Firefox, which adds noise in every session. */
function graphics({ webgl, canvas }: WebFacts, isGecko: boolean, isRandom: boolean) {
  const isCanvasUsable = canvas && !isGecko && !isRandom
  return given({
    gpu: webgl?.renderer && !masked.test(webgl.renderer) && withoutDriver(webgl.renderer),
    parameters: webgl?.parameters,
    extensions: webgl?.extensions,
    image: isRandom ? undefined : webgl?.image,
    canvasShapes: isCanvasUsable ? canvas.geometry : undefined,
    canvasText: isCanvasUsable ? canvas.text : undefined,
  })
}

/** Brave alters pixels, and reports random cores and memory, in each session, unless its shields are down. */
const altersFacts = ({ canvas, clientHints }: WebFacts) =>
  canvas ? canvas.isStable === false || canvas.isExact === false : namesBrave(clientHints?.brands)

/** What browsers report instead of a graphics card: it is missing, not another one. */
const masked = /^(?:WebKit WebGL|Mozilla|Generic Renderer)$/

/** A new driver is not a new graphics card: `ANGLE (Intel, Intel(R) UHD (0x9A60) Direct3D11 vs_5_0 ps_5_0, D3D11-30.0)`. */
function withoutDriver(renderer: string): string {
  return renderer.replace(/(?:,? (?:Direct3D|D3D|OpenGL|Vulkan|LLVM)| \(LLVM|, or similar).*$/, '')
}

/**
 * Versions of the operating system and the build. Chromium freezes both in its user agent, so without client hints they are missing,
 * not other ones. `Not A;Brand` is no browser.
 */
function builds({ clientHints }: WebFacts, { browser, os, engine }: ParsedUserAgent) {
  if (engine.name !== 'Blink') return given({ osVersion: os.version, fullVersion: browser.version })
  const list = clientHints?.fullVersionList?.filter(({ brand }) => !/^not.?a/i.test(brand.replace(/[^a-z]/gi, '')))
  const named = list?.find(({ brand }) => brand !== 'Chromium') ?? list?.[0]
  return given({ osVersion: clientHints?.platformVersion, fullVersion: named?.version })
}

/** Where the window is: it stays for hours or days, unless it is maximised. A phone has no windows. */
function windowOf({ windowGeometry: its, screen }: WebFacts) {
  if (!its?.outerWidth || its.isTop === false || screen?.availWidth === undefined) return {}
  const isMaximised = its.outerWidth >= screen.availWidth
  return given({
    window: isMaximised ? 'maximised' : joined(its.outerWidth, its.outerHeight, its.screenX, its.screenY),
  })
}

function hardware({ clientHints, ...facts }: WebFacts, isGecko: boolean, isRandom: boolean) {
  const cores = isGecko ? coarseCores(facts.hardwareConcurrency) : facts.hardwareConcurrency
  return given({
    cores: isRandom ? undefined : joined(cores),
    memory: isRandom ? undefined : joined(facts.deviceMemory),
    touch: joined(facts.maxTouchPoints),
    // `x86` or `arm`, which both sources can say.
    architecture: /^(?:x86|arm)/.exec(clientHints?.architecture || facts.cpuArchitecture || '')?.[0],
    model: clientHints?.model,
    mediaDevices: recordText(facts.mediaDevices),
    codecs: facts.codecs,
    platform: facts.platform,
  })
}

/** Private windows of Firefox report 4 or 8 cores, so more is not known of any window. */
const coarseCores = (cores = 0) => (cores >= 8 ? 8 : cores > 0 && cores <= 4 ? 4 : undefined)

function display({ screen, devicePixelRatio, mediaQueries }: WebFacts, isGecko: boolean) {
  // Browsers without these two have no bar at the left or the top.
  const { width, height, availWidth, availHeight, availLeft = 0, availTop = 0 } = screen ?? {}
  // With zoom, Firefox reports smaller CSS pixels; in device pixels the screen is the same, up to rounding.
  const scale = isGecko ? devicePixelRatio : 1
  const sides = scale && width && height ? [width, height].map((side) => Math.round((side * scale) / 10)) : []
  return given({
    screen: joined(...sides.sort((a, b) => a - b)),
    area: joined(availWidth, availHeight, availLeft, availTop),
    pixelRatio: joined(devicePixelRatio),
    media: recordText(mediaQueries),
  })
}

function software({ fonts, voices, plugins, languages, ...facts }: WebFacts) {
  return given({
    audio: joined(facts.audio),
    math: facts.math,
    fonts: fonts && sortedText(fonts),
    fontFamily: facts.fontFamily,
    voices: voices && sortedText(voices),
    plugins: plugins && sortedText(plugins),
    languages: languages?.join(' '),
    zone: facts.timezone,
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

/** What is made of several facts is known when all of them are: half of it would look like another value. */
const joined = (...values: readonly (number | undefined)[]) =>
  values.includes(undefined) ? undefined : values.join(' ')
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
