// Which facts does a platform always send, and does a report lack them? A near-empty report must not pass for a device without faults.

import { type AndroidFacts, type DevicePlatform, type Facts, type IosFacts, WebFacts } from '@ringfence/contract'
import { idFactsOf, sendsAnId } from '../identity/phone-ids.ts'
import { claimedEngine, type Engine } from './engine.ts'
import { isWhole } from './whole-facts.ts'

interface Owed<Name> {
  /** Answered at once, by every browser or system that was tried. Most of them must be there. */
  readonly most: readonly Name[]
  /** Speak against a device: who leaves one out hides something. */
  readonly each: readonly Name[]
}

/** Of WEB: in all recordings of browsers (device/testdata/recordings). Of IOS: probes that always answer. */
export const owed: {
  readonly WEB: Owed<keyof WebFacts>
  readonly IOS: Owed<keyof IosFacts>
  readonly ANDROID: Owed<keyof AndroidFacts>
} = {
  WEB: {
    most: [
      ...(['userAgent', 'platform', 'vendor', 'language', 'languages', 'cookieEnabled', 'screen'] as const),
      ...(['devicePixelRatio', 'timezoneOffset', 'timezone', 'fontFamily', 'hardwareConcurrency'] as const),
      'maxTouchPoints',
    ],
    each: [
      'userAgent',
      'automation',
      'alteredFunctions',
      'engine',
      'mediaQueries',
      'plugins',
      'storage',
      'windowGeometry',
    ],
  },
  IOS: {
    most: [
      ...(['language', 'languages', 'locale', 'timezone', 'timezoneOffset', 'devicePixelRatio', 'screen'] as const),
      ...(['deviceModel', 'memory', 'appIntegrity'] as const),
    ],
    each: ['jailbreakTraces', 'hookTraces', 'simulator'],
  },
  // What a phone of any version answers without a permission. Other facts have a version, or a phone may lack what they are about.
  ANDROID: {
    most: ['language', 'timezone', 'timezoneOffset', 'screen', 'deviceModel', 'build', 'memory', 'appIntegrity'],
    each: [
      ...(['rootTraces', 'hookTraces', 'emulatorTraces', 'peripherals', 'build', 'deviceModel'] as const),
      ...(['appIntegrity', 'timezone', 'networkInterfaces', 'screenCapture'] as const),
    ],
  },
}

/** What one engine always sends beside that. Client hints are not among it: insecure pages and older web views have none. */
export const ofEngine: Readonly<Record<Engine, readonly (keyof WebFacts)[]>> = {
  chromium: ['inspection'],
  firefox: [],
  webkit: [],
}

/** The SDK waits so long for a fact, from after the start of its session: earlier, nothing can have come too late. */
const factLimitMs = 1000

export interface SentReport {
  readonly platform: DevicePlatform
  readonly facts: Facts
  /** The app's setting: what it has switched off is not owed. What only the page has switched off is. */
  readonly collect?: Readonly<Record<string, boolean>>
  /** Why a fact is missing, as the SDK says. */
  readonly factsMissing?: Readonly<Record<string, string>>
  /** Since the start of the session, by our clock: that of the page can be forged. */
  readonly tookMs?: number
}

export interface OwedFacts {
  /** Facts that its platform always sends, and that are missing. */
  readonly lacking: readonly string[]
  /** Facts that came too late, as our own clock confirms. */
  readonly late: readonly string[]
  /** Facts whose absence is an answer: the app does not collect them, or this browser has none. */
  readonly notOwed: readonly string[]
}

export function owedFacts({ platform, facts, collect = {}, factsMissing = {}, tookMs = 0 }: SentReport): OwedFacts {
  const { most, each }: Owed<string> = owed[platform]
  const all = platform === 'WEB' ? [...each, ...owedByEngine(facts)] : each
  const isOwed = (name: string) => collect[name] !== false
  const isAbsent = (name: string) => !Object.hasOwn(facts, name)
  const mayBeLate = tookMs >= factLimitMs
  // What is owed is read first and without drawing: none of it was late in a slow browser (recordings/*-slow.json), and whoever sleeps
  // for a second could excuse himself from all of it.
  const late = Object.keys(factsMissing).filter(
    (name) => mayBeLate && factsMissing[name] === 'timedOut' && isAbsent(name) && ![...most, ...all].includes(name),
  )
  const expected = most.filter(isOwed)
  const absent = expected.filter(isAbsent)
  const lacking = new Set([
    ...(absent.length * 2 > expected.length ? absent : []),
    ...all.filter((name) => isOwed(name) && !isWhole({ facts, platform }, name)),
  ])
  // Of a phone without an id there is no history, no velocity and no ban: to send none would be cheaper than a new one.
  const ids = idFactsOf(platform).filter(isOwed)
  if (!sendsAnId(facts)) for (const name of ids) lacking.add(name)
  const none = Object.keys(factsMissing).filter(
    (name) => factsMissing[name] === 'unavailable' && ![...most, ...all, ...drawn].includes(name),
  )
  const off = Object.keys(collect).filter((name) => !isOwed(name))
  return { lacking: [...lacking], late, notOwed: [...off, ...none] }
}

/** Every browser draws and computes, so none can say that it has no such fact. */
export const drawn: readonly string[] = ['canvas', 'pageCanvasExact', 'fonts', 'fontWidths', 'math', 'locale']

const everywhere: ReadonlySet<string> = new Set([...owed.WEB.most, ...owed.WEB.each, ...drawn])
/** Facts that some browsers lack, whatever their SDK says of them. */
export const absentSomewhere: readonly string[] = Object.keys(WebFacts.properties).filter(
  (name) => !everywhere.has(name),
)

/** What it was built with counts, whatever it claims. */
function owedByEngine({ engine, userAgent }: WebFacts): readonly string[] {
  const claimed = claimedEngine(userAgent)
  const isChromium = engine?.isV8 ?? claimed === 'chromium'
  return isChromium ? ofEngine.chromium : claimed === 'firefox' || claimed === 'webkit' ? ofEngine[claimed] : []
}
