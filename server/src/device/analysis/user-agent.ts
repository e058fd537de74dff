// Which browser, system and kind of device does a user agent name? The only reader: facts win over what browsers have frozen.

import type { WebFacts } from '@ringfence/contract'
import Bowser from 'bowser'
import { type FrozenSystem, frozenValues } from '../../core/dated-data/frozen-values.ts'

export type ParsedUserAgent = Readonly<Bowser.Parser.ParsedResult>

/** Most visits have one of a few hundred user agents: browsers have frozen theirs. */
const mostParsed = 512
/** No browser sends a longer one with its client hints. Longer ones are not kept, so the memory has a bound. */
const longestKept = 1024
const parsed = new Map<string, ParsedUserAgent>()

/**
 * What Bowser reads in a user agent, which must not be empty. Brands win over it; of client hints, it reads no others. Frozen
 * versions are there as they are written: recognition compares them as texts.
 */
export function parseUserAgent(userAgent: string, brands: Bowser.ClientHints['brands'] = []): ParsedUserAgent {
  // A user agent that begins like brands must not find the result of these, so they are always there.
  const key = `${JSON.stringify(brands)} ${userAgent}`
  const known = parsed.get(key)
  if (known) return known
  const result = Bowser.parse(userAgent, { brands })
  if (key.length > longestKept) return result
  parsed.set(key, result)
  if (parsed.size > mostParsed) parsed.delete(parsed.keys().next().value!)
  return result
}

export interface Agent {
  readonly browser: { readonly name?: string | undefined; readonly version?: string | undefined }
  /** The version is absent when the browser has frozen it and no fact says more. */
  readonly os: { readonly name?: string | undefined; readonly version?: string | undefined }
  /** The model, else the kind of device: mobile, tablet, desktop. */
  readonly device?: string | undefined
}

type AgentFacts = Pick<WebFacts, 'clientHints' | 'maxTouchPoints' | 'screen'>

/** What is known of a browser by its user agent and its facts. Client hints win, and touch points: no Mac has any. */
export function agentOf(userAgent: string, facts: AgentFacts = {}): Agent {
  const { clientHints: hints = {} } = facts
  const written = parseUserAgent(userAgent, hints.brands?.filter(isWhole))
  const { type: kind, model } = written.platform
  const browser = (kind !== 'bot' && ownToken(userAgent)) || written.browser
  const version = fullVersion(browser.name, hints) ?? browser.version
  const mobile = mobileOf(userAgent, written, facts)
  const device = hints.model || mobile?.device || model || kind
  const os = mobile ?? { name: written.os.name, version: versionOf(userAgent, written.os) }
  return {
    browser: { name: browser.name, version: version || undefined },
    os: { name: systemOfHints.get(hints.platform) ?? os.name, version: versionOfHints(hints) ?? os.version },
    device: device || undefined,
  }
}

/** Phones and tablets that request desktop pages say that they are Macs. WebKit has no client hints; Chromium has, also when it emulates touch. */
export const isTouchMac = (system: string | undefined, { maxTouchPoints = 0, clientHints }: AgentFacts) =>
  system === 'macOS' && maxTouchPoints > 1 && clientHints?.platform !== 'macOS'

/** An iPad's screen has at least 744 CSS pixels, an iPhone's at most 500, on the shorter side. */
const mostOfPhone = 600

/** An iPhone or iPad, in whichever mode; undefined for everything else. */
function mobileOf(userAgent: string, { os, platform, browser }: ParsedUserAgent, facts: AgentFacts) {
  const isDesktopMode = isTouchMac(os.name, facts) || (/\bMacintosh\b/.test(userAgent) && /\b\w+iOS\//.test(userAgent))
  if (!isDesktopMode && os.name !== 'iOS') return undefined
  const { width = Number.POSITIVE_INFINITY, height = width } = facts.screen ?? {}
  const isPhone = isDesktopMode ? Math.min(width, height) < mostOfPhone : platform.model !== 'iPad'
  // A browser other than Safari has its own version, and writes any `Version` in desktop mode.
  const desktopVersion = browser.name === 'Safari' ? browser.version : undefined
  const version = isDesktopMode ? desktopVersion : versionOf(userAgent, os)
  const isOldPad = version !== undefined && Number.parseInt(version, 10) < 13
  const device = isDesktopMode ? (isPhone ? 'iPhone' : 'iPad') : platform.model
  return { name: isPhone || isOldPad ? 'iOS' : 'iPadOS', version, device }
}

/** The version of the system; undefined when the browser has frozen it. */
function versionOf(userAgent: string, os: ParsedUserAgent['os']): string | undefined {
  const frozen = frozenValues.current().systems.find(({ system }) => system === os.name)
  if (frozen?.versionOfBrowserFrom !== undefined) {
    const safari = versionAfter(userAgent, 'Version/')
    if (safari !== undefined) {
      return Number.parseInt(safari, 10) >= frozen.versionOfBrowserFrom ? safari : os.version || undefined
    }
  }
  const stated = frozen?.statedAfter?.map((text) => versionAfter(userAgent, text)).find(Boolean)
  if (stated) return stated
  if (frozen && isFrozen(userAgent, os.version, frozen)) return undefined
  // "NT 6.1" is Windows 7.
  return (os.name === 'Windows' ? os.versionName : os.version) || undefined
}

function isFrozen(userAgent: string, version: string | undefined, { versions, onlyBefore, notIn = [] }: FrozenSystem) {
  if (version === undefined || !versions.includes(version)) return false
  if (notIn.some((token) => userAgent.includes(`${token}/`))) return false
  return onlyBefore?.some((text) => [';', ')'].some((end) => userAgent.includes(`${version}; ${text}${end}`))) ?? true
}

/** A browser's own token is more exact than those of the browsers that it resembles. */
function ownToken(userAgent: string): { name: string; version: string } | undefined {
  for (const { token, beside, name } of frozenValues.current().browsers) {
    if (beside !== undefined && !userAgent.includes(beside)) continue
    const version = versionAfter(userAgent, `${token}/`) ?? versionAfter(userAgent, `${token} `)
    if (version !== undefined) return { name, version }
  }
  return undefined
}

/** "26.1" of `iOS 26_1`. The text must begin a word. */
function versionAfter(userAgent: string, text: string): string | undefined {
  const at = userAgent.indexOf(text)
  if (at < 0 || /\w/.test(userAgent[at - 1] ?? '')) return undefined
  return /^\d+(?:[._]\d+)*/.exec(userAgent.slice(at + text.length))?.[0].replaceAll('_', '.')
}

type ClientHints = NonNullable<WebFacts['clientHints']>
type Brand = { brand: string; version: string }
const isWhole = (brand: Partial<Brand>): brand is Brand => brand.brand !== undefined && brand.version !== undefined

/** Systems of client hints, as Bowser names them. */
const systemOfHints: ReadonlyMap<string | undefined, string> = new Map([
  ...['Windows', 'macOS', 'Android', 'Linux', 'Chrome OS'].map((system) => [system, system] as const),
  ['Chromium OS', 'Chrome OS'],
])

/** The version of the brand that ends with the browser's name: "Google Chrome" is Chrome. */
function fullVersion(name: string | undefined, { fullVersionList = [] }: ClientHints): string | undefined {
  if (!name) return undefined
  return fullVersionList.find(({ brand }) => brand === name || brand.endsWith(` ${name}`))?.version
}

/** On Windows `platformVersion` is 13 or more for Windows 11 (documented by Microsoft). */
function versionOfHints({ platform, platformVersion }: ClientHints): string | undefined {
  if (!platformVersion) return undefined
  if (platform !== 'Windows') return platformVersion
  const major = Number(platformVersion.split('.', 1)[0])
  return major >= 13 ? '11' : major > 0 ? '10' : undefined
}
