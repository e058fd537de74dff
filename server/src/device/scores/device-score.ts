// How risky is this device? The score of this session, raised by the history of the device.

import type { Velocity } from '../history/velocity.ts'
import type { WeightName } from '../signals/index.ts'
import { type Contribution, combined } from './combine.ts'
import type { SessionScore } from './session-score.ts'
import { type SignalWeight, weights } from './weights.ts'

/** What is known about a device apart from this session. */
export interface DeviceHistory {
  /** When each weight fired last in a previous session; epoch milliseconds. */
  readonly signals: ReadonlyMap<WeightName, number>
  readonly velocity: Velocity
  /** Bad labels, by the time that the integrator gave; epoch milliseconds. */
  readonly badLabels: readonly { readonly at: number }[]
  /** What other installations of the device did since this one appeared: listed, but without weight. */
  readonly linked: {
    readonly badReports: number
    /** Counts of the whole device. */
    readonly velocity: Velocity
  }
}

const dayMs = 86_400_000
/** A previous signal counts half after this time; labelled fraud counts far longer. */
const signalHalfLifeMs = 7 * dayMs
const labelHalfLifeMs = 90 * dayMs
/** Share of its weight that a signal has immediately after its session. */
const previousShare = 0.6
/** Smaller contributions are left out. */
const leastWeight = 0.01
const badLabelWeight = 0.7

/** Strongest first; the first row that applies counts. Families share devices too, but fraud farms share more. */
const velocityWeights: readonly (readonly [count: keyof Velocity, from: number, weight: number, what: string])[] = [
  ['accountsPerDevice24h', 10, 0.6, 'accounts on the device in a day'],
  ['accountsPerDevice24h', 5, 0.35, 'accounts on the device in a day'],
  ['accountsPerDevice24h', 3, 0.15, 'accounts on the device in a day'],
  ['accountsPerDevice7d', 10, 0.4, 'accounts on the device in a week'],
  ['accountsPerDevice7d', 6, 0.2, 'accounts on the device in a week'],
  ['phoneNumbersPerDevice24h', 10, 0.6, 'phone numbers on the device in a day'],
  ['phoneNumbersPerDevice24h', 5, 0.35, 'phone numbers on the device in a day'],
  ['phoneNumbersPerDevice24h', 3, 0.15, 'phone numbers on the device in a day'],
  ['countriesPerDevice1h', 2, 0.35, 'countries of the device in an hour'],
  ['countriesPerDevice24h', 4, 0.4, 'countries of the device in a day'],
  ['countriesPerDevice24h', 3, 0.2, 'countries of the device in a day'],
  ['devicesPerAccount24h', 10, 0.5, 'devices of the account in a day'],
  ['devicesPerAccount24h', 5, 0.25, 'devices of the account in a day'],
]

/** The device score by these weights. */
export function deviceScoreOf(weights: Readonly<Record<string, SignalWeight>>) {
  return (session: SessionScore, past: DeviceHistory, now: number): SessionScore => {
    const contributions = [
      ...session.contributions,
      ...ofSignals(weights, session, past, now),
      ...velocityContributions(past.velocity),
      ...ofLabels(past, now),
      ...ofLinked(past),
    ]
    return { score: combined(contributions, 100), contributions }
  }
}

/** deviceRiskScore of specification 2.6, 0 to 100; never below the score of the session. `now`: epoch milliseconds. */
export const deviceScore = deviceScoreOf(weights)

/** A signal that fires now does not count twice: somebody who uses a VPN every day is not riskier for that. */
function ofSignals(
  weights: Readonly<Record<string, SignalWeight>>,
  { contributions }: SessionScore,
  { signals }: DeviceHistory,
  now: number,
): Contribution[] {
  const firesNow = new Set(contributions.map(({ source }) => source))
  return [...signals].flatMap(([signal, at]) => {
    const { session: full, because } = weights[signal]!
    const weight = previousShare * full * halved(now - at, signalHalfLifeMs)
    return weight < leastWeight || firesNow.has(signal)
      ? []
      : [{ source: `past.${signal}`, weight, because: `${because}: ${daysAgo(now - at)}` }]
  })
}

const kindOf = (count: string) => count.replace(/(1h|24h|7d)$/, '')

/** The counts from which each kind weighs most. */
export const worstVelocity = Object.fromEntries(velocityWeights.toReversed()) as Velocity

/** What these counts add to the score. */
export function velocityContributions(velocity: Velocity): Contribution[] {
  const found = new Map<string, Contribution>()
  for (const [count, from, weight, what] of velocityWeights) {
    // Each kind of count contributes once, by the strongest of its windows.
    const kind = kindOf(count)
    if (velocity[count] < from || (found.get(kind)?.weight ?? 0) >= weight) continue
    found.set(kind, { source: kind, weight, because: `${velocity[count]} ${what}` })
  }
  // Who uses a device has a user id and a phone number: many people on it are one finding, not two.
  const [accounts, numbers] = [found.get('accountsPerDevice'), found.get('phoneNumbersPerDevice')]
  if (accounts && numbers) found.delete((accounts.weight < numbers.weight ? accounts : numbers).source)
  return [...found.values()]
}

function ofLabels({ badLabels }: DeviceHistory, now: number): Contribution[] {
  return badLabels.map(({ at }) => ({
    source: 'badOutcome',
    weight: badLabelWeight * halved(now - at, labelHalfLifeMs),
    because: `a session of this device was labelled as bad, ${daysAgo(now - at)}`,
  }))
}

/** Risk does not flow from what only resembles an installation to the one that proves itself. */
function ofLinked({ velocity, linked }: DeviceHistory): Contribution[] {
  const own = velocityContributions(velocity)
  const linkedOnly = velocityContributions(linked.velocity).filter(
    ({ source, weight }) => !own.some((each) => each.source === source && each.weight >= weight),
  )
  const reports = linked.badReports === 1 ? '1 session was' : `${linked.badReports} sessions were`
  const found = [
    ...(linked.badReports > 0 ? [{ source: 'badOutcome', because: `${reports} labelled as bad` }] : []),
    ...linkedOnly,
  ]
  return found.map(({ source, because }) => ({
    source: `linked.${source}`,
    weight: 0,
    because: `${because}, on other installations of the device since this one appeared: not counted`,
  }))
}

/** A negative age, after the clock was set back, counts as 0. */
const halved = (ageMs: number, halfLifeMs: number) => 0.5 ** (Math.max(0, ageMs) / halfLifeMs)

function daysAgo(ageMs: number): string {
  const days = Math.floor(Math.max(0, ageMs) / dayMs)
  return days === 0 ? 'within a day' : days === 1 ? 'a day ago' : `${days} days ago`
}
