// Detects a browser in disguise, by contradictions between the places where it describes itself.

import type { Facts, WebFacts } from '@ringfence/contract'
import { flag, number } from '../../../core/path-types.ts'
import { asked } from '../../analysis/absent-facts.ts'
import { areTrueBrands, brandsOfHeader, isBrave } from '../../analysis/brands.ts'
import {
  areOneSystem,
  builtEngine,
  claimedEngine,
  claimedVersion,
  engineOf,
  type System,
  systemOfHint,
  systemOfPlatform,
  systemOfUserAgent,
} from '../../analysis/engine.ts'
import type { Evidence } from '../../analysis/evidence.ts'
import { impossibleFeatures } from '../../analysis/language-features.ts'
import { hasForeignGraphics, hasOwnFonts, hasOwnGraphics, lacksFontsOf } from '../../analysis/system-traces.ts'
import { utcOffsetMinutes } from '../../analysis/time-zones.ts'
import { combined } from '../../scores/combine.ts'
import { both, holding, type Known, type Row, reaches, textsOf } from '../reasons.ts'
import { type Finding, resultOf, signal } from '../signal.ts'
import type { TamperingResult } from '../verdicts.ts'
import { resistsFingerprinting } from './privacy-settings.ts'

/** Specification 2.4: tampering above this score. */
const tamperedOver = 0.5
/** An old browser may not know new rules of daylight saving time; they move a clock by an hour at most. */
const staleRulesMinutes = 60

/** A contradiction that no ordinary browser shows weighs 0.9; one that a rare browser may show weighs less than 0.5. */
export const tampering = signal({
  name: 'tampering',
  question: 'Does the browser disguise itself?',
  version: 7,
  platforms: ['WEB'],
  judge(evidence): Finding<TamperingResult> | undefined {
    if (evidence.facts.userAgent === undefined) return undefined
    const table = [
      ...againstHeaders(evidence),
      ...againstWorker(evidence),
      ...againstEngine(evidence),
      ...againstHints(evidence),
      ...alterations(evidence),
    ]
    const result = reaches(table, (score) => score > tamperedOver)
    if (result === undefined) return undefined
    const reasons = holding(table)
    return { verdict: { result, anomalyScore: combined(reasons) }, reasons: textsOf(reasons) }
  },
  weights: {
    tampering: { fires: resultOf, session: 0.5, because: 'the device contradicts itself', suspect: { WEB: 8 } },
  },
  secureInfo: {
    returnedBy: 'both',
    unknown: { result: false, anomalyScore: 0 },
    rules: {
      tampering: {
        type: flag('The browser disguises itself'),
        value: resultOf,
        read: ({ signals }) => signals?.tampering,
      },
      anomalyScore: {
        type: number('How far the device contradicts itself; over 0.5 is tampering', '0–1'),
        value: ({ anomalyScore }) => anomalyScore,
        read: ({ signals }) => signals?.anomalyScore,
      },
    },
  },
})

/** Compares scripts with request headers. */
function againstHeaders(evidence: Evidence): Row[] {
  const { facts, headers } = evidence
  const hinted = headers['sec-ch-ua']
  const version = claimedVersion(facts.userAgent)
  const isDesktopChromium = claimedEngine(facts.userAgent) === 'chromium' && isDesktop(facts.userAgent)
  const platform = headers['sec-ch-ua-platform']?.replaceAll('"', '')
  const language = headers['accept-language']?.split(/[,;]/)[0]
  return [
    [differ(headers['user-agent'], facts.userAgent), 0.9, 'user agents of header and page differ'],
    [
      isDesktopChromium && version! >= 90 && headers['sec-fetch-site'] !== undefined && hinted === undefined,
      0.8,
      'a Chromium without sec-ch-ua',
    ],
    [
      hinted !== undefined && claimedEngine(facts.userAgent) !== 'chromium',
      0.9,
      'sec-ch-ua from another engine than Chromium',
    ],
    [hinted !== undefined && !areTrueBrands(brandsOfHeader(hinted)), 0.9, `brands that no Chromium sends: ${hinted}`],
    [
      hinted !== undefined && version !== undefined && differ(chromiumVersion(brandsOfHeader(hinted)), version),
      0.9,
      'versions of sec-ch-ua and user agent differ',
    ],
    [
      platform !== undefined &&
        asked(evidence, ['clientHints'], ({ clientHints }) => differ(platform, clientHints?.platform)),
      0.9,
      'platforms of sec-ch-ua-platform and page differ',
    ],
    [
      language !== undefined &&
        asked(evidence, ['languages'], ({ languages }) =>
          differ(language.toLowerCase(), languages?.[0]?.toLowerCase()),
        ),
      0.3,
      'languages of header and page differ',
    ],
  ]
}

type Worker = NonNullable<WebFacts['workerScope']>

/** Compares the page with a worker, which disguises often miss. */
function againstWorker(evidence: Evidence): Row[] {
  const { facts, now } = evidence
  const { workerScope: worker } = facts
  const offset = worker?.timezone === undefined ? undefined : utcOffsetMinutes(worker.timezone, now)
  const clockError = offset === undefined ? 0 : Math.abs(offset + (facts.timezoneOffset ?? -offset))
  const differs = (name: keyof Facts, isOther: (worker: Worker, facts: Facts) => boolean) =>
    asked(evidence, ['workerScope', name], (all) => isOther(all.workerScope!, all))
  return [
    [
      differs('userAgent', (of, { userAgent }) => differ(of.userAgent, userAgent)),
      0.9,
      'user agents of page and worker differ',
    ],
    [
      differs('platform', (of, { platform }) => differ(of.platform, platform)),
      0.9,
      'platforms of page and worker differ',
    ],
    [
      differs('clientHints', (of, { clientHints }) => differ(of.hintedPlatform, clientHints?.platform)),
      0.9,
      'hinted platforms of page and worker differ',
    ],
    [
      differs('hardwareConcurrency', (of, all) => differ(of.hardwareConcurrency, all.hardwareConcurrency)),
      0.8,
      'cores of page and worker differ',
    ],
    [
      differs('deviceMemory', (of, { deviceMemory }) => differ(of.deviceMemory, deviceMemory)),
      0.8,
      'memory of page and worker differs',
    ],
    [
      differs('timezone', (of, { timezone }) => differ(of.timezone, timezone)),
      0.8,
      'time zones of page and worker differ',
    ],
    [
      differs('timezoneOffset', (of, { timezoneOffset }) => differ(of.timezoneOffset, timezoneOffset)),
      0.8,
      'clocks of page and worker differ',
    ],
    [
      differs('timezoneOffset', () => clockError > staleRulesMinutes),
      0.7,
      `the page's clock differs from the worker's zone by ${clockError} minutes`,
    ],
    [
      differs('languages', (of, { languages }) => differ(of.languages?.join(), languages?.join())),
      0.6,
      'languages of page and worker differ',
    ],
  ]
}

/** Compares the engine's built-in behaviour with the claimed engine. */
function againstEngine(evidence: Evidence): Row[] {
  const { facts } = evidence
  const claimed = claimedEngine(facts.userAgent)
  const built = builtEngine(facts)
  const version = claimedVersion(facts.userAgent)
  const features =
    claimed && version !== undefined && facts.engine?.features
      ? impossibleFeatures(claimed, version, facts.engine.features)
      : []
  return [
    [
      // A user agent that names no engine says nothing: it is not clean.
      asked(evidence, ['engine'], () =>
        claimed === undefined && built !== 'chromium' ? undefined : built !== claimed && built !== undefined,
      ),
      0.9,
      `claims to be ${claimed ?? 'no known engine'}, but is ${built}`,
    ],
    [
      claimed !== undefined && asked(evidence, ['engine'], () => features.length > 0 && built === claimed),
      0.8,
      `version ${version} with ${features.join('; ')}`,
    ],
  ]
}

/** Compares client hints, platform, fonts and graphics with the user agent. */
function againstHints(evidence: Evidence): Row[] {
  const { facts } = evidence
  const { userAgent } = facts
  const system = systemOfUserAgent(userAgent)
  const engine = engineOf(evidence)
  // Other engines hide it: WebKit reports "Apple GPU" on every system.
  const showsItsSystem = engine === 'chromium' || (engine === 'firefox' && !resistsFingerprinting(evidence))
  const isPhone = system === 'ios' || (system === 'android' && /Mobile/.test(userAgent ?? ''))
  const hints = (isOther: (hints: NonNullable<WebFacts['clientHints']>) => boolean | undefined) =>
    asked(evidence, ['clientHints'], ({ clientHints }) => isOther(clientHints!))
  const systemDiffers = (other: System | undefined): Known =>
    other === undefined ? false : system === undefined ? undefined : !areOneSystem(system, other)
  return [
    [
      // Phones of a system that nobody knows have the kernel and the processor of most phones.
      asked(
        evidence,
        ['platform'],
        ({ platform = '' }) =>
          !(system === undefined && /^Linux (arm|aarch)/.test(platform)) && systemDiffers(systemOfPlatform(platform)),
      ),
      0.9,
      `user agent of ${system}, platform of ${systemOfPlatform(facts.platform)}`,
    ],
    [
      hints(({ platform }) => systemDiffers(systemOfHint(platform))),
      0.9,
      `user agent of ${system}, client hints of ${systemOfHint(facts.clientHints?.platform)}`,
    ],
    [hints(() => claimedEngine(userAgent) !== 'chromium'), 0.9, 'client hints from another engine than Chromium'],
    [hints(({ brands }) => nonEmpty(brands) && !areTrueBrands(brands!)), 0.9, 'brands that no Chromium has'],
    [
      hints(({ brands }) => nonEmpty(brands) && differ(chromiumVersion(brands!), claimedVersion(userAgent))),
      0.9,
      'versions of client hints and user agent differ',
    ],
    [
      hints(({ brands, fullVersionList }) => isDesktop(userAgent) && nonEmpty(brands) && fullVersionList?.length === 0),
      0.7,
      'client hints without versions, as when the user agent is overridden',
    ],
    [
      isPhone && asked(evidence, ['maxTouchPoints'], ({ maxTouchPoints }) => maxTouchPoints === 0),
      0.6,
      'a phone without touch',
    ],
    [
      both(
        showsItsSystem,
        hasOwnFonts(system),
        asked(evidence, ['fonts'], () => lacksFontsOf(system, facts)),
      ),
      0.6,
      `user agent of ${system}, but none of its fonts`,
    ],
    [
      both(
        showsItsSystem,
        hasOwnGraphics(system),
        asked(evidence, ['webgl'], () => hasForeignGraphics(system, facts)),
      ),
      0.6,
      `user agent of ${system}, graphics of another`,
    ],
  ]
}

/** Changes to the page, the device token or the facts. */
function alterations(evidence: Evidence): Row[] {
  const { facts, malformedFacts, now } = evidence
  const { alteredFunctions = [], timezone, timezoneOffset } = facts
  // Error reporters wrap this one and change nothing else.
  const altered = alteredFunctions.filter((name) => name !== 'Function.toString')
  const offset = timezone === undefined ? undefined : utcOffsetMinutes(timezone, now)
  const isOfBrave = isBrave(evidence)
  const isExactItself = both(engineOf(evidence) === 'chromium', isOfBrave === undefined ? undefined : !isOfBrave)
  return [
    [asked(evidence, ['alteredFunctions'], () => altered.length > 0), 0.7, `replaced functions: ${altered.join(', ')}`],
    [asked(evidence, ['alteredFunctions'], () => altered.length > 2), 0.5, 'more than two replaced functions'],
    [
      both(
        isExactItself,
        asked(evidence, ['pageCanvasExact'], ({ pageCanvasExact }) => pageCanvasExact === false),
      ),
      0.7,
      'noise on the canvas of the page',
    ],
    [
      both(
        isExactItself,
        asked(evidence, ['canvas'], ({ canvas }) => canvas?.isExact === false || canvas?.isStable === false),
      ),
      0.7,
      'noise on canvases',
    ],
    [
      asked(
        evidence,
        ['timezone', 'timezoneOffset'],
        () => offset !== undefined && timezoneOffset !== undefined && differ(offset, -timezoneOffset),
      ),
      0.4,
      `${timezone} is ${offset} minutes from UTC, the clock is ${timezoneOffset === undefined ? '' : -timezoneOffset}`,
    ],
    [evidence.deviceToken === 'forged', 0.4, 'a forged device token'],
    [evidence.deviceToken === 'foreign', 0.6, 'the device token of other hardware'],
    [evidence.deviceToken === 'copied', 0.6, 'the device token of another device, without its key'],
    [evidence.wrongProof !== undefined, 0.4, `a wrong proof of the installation's key: ${evidence.wrongProof}`],
    [malformedFacts.length > 0, 0.6, `facts of wrong types: ${malformedFacts.join(', ')}`],
  ]
}

const differ = <Value>(first: Value | undefined, second: Value | undefined) =>
  first !== undefined && second !== undefined && first !== second

const isDesktop = (userAgent: string | undefined) =>
  ['windows', 'mac', 'linux'].includes(systemOfUserAgent(userAgent) ?? '')

const nonEmpty = (list: readonly unknown[] | undefined) => (list?.length ?? 0) > 0

function chromiumVersion(brands: readonly { brand: string; version: string }[]): number | undefined {
  const version = brands.find(({ brand }) => brand === 'Chromium')?.version
  return version === undefined ? undefined : Number(version.split('.')[0])
}
