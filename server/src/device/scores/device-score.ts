// How risky is this device? This session, and what is known of its past.

import type { Velocity } from '../history/velocity.ts'
import type { WeightName } from '../signals/index.ts'
import { type Contribution, combined } from './combine.ts'
import type { SessionScore } from './session-score.ts'
import { weights } from './weights.ts'

/** What is known of a device beside this session. */
export interface DevicePast {
  /** Earlier sessions: when, and what fired in them. */
  readonly sessions: readonly { readonly at: number; readonly signals: readonly WeightName[] }[]
  readonly velocity: Velocity
  /** Outcomes that the integrator labelled as bad, by when they were told. */
  readonly badOutcomes: readonly { readonly at: number }[]
}

const dayMs = 86_400_000
/** What fired is half forgotten after this, a labelled fraud far later. */
const signalHalfLifeMs = 7 * dayMs
const outcomeHalfLifeMs = 90 * dayMs
/** A signal of the past weighs this much of its weight the moment after it. */
const pastShare = 0.6
/** Less is not worth a line of explanation. */
const leastWeight = 0.01
const badOutcomeWeight = 0.7

/** From how many on, and how much: the first that applies, the strongest first. Families share devices; fraud farms share more. */
const velocityWeights: readonly (readonly [count: keyof Velocity, from: number, weight: number, what: string])[] = [
  ['accountsPerDevice24h', 10, 0.6, 'accounts on the device in a day'],
  ['accountsPerDevice24h', 5, 0.35, 'accounts on the device in a day'],
  ['accountsPerDevice24h', 3, 0.15, 'accounts on the device in a day'],
  ['accountsPerDevice7d', 10, 0.4, 'accounts on the device in a week'],
  ['accountsPerDevice7d', 6, 0.2, 'accounts on the device in a week'],
  ['phoneNumbersPerDevice24h', 10, 0.6, 'phone numbers on the device in a day'],
  ['phoneNumbersPerDevice24h', 5, 0.35, 'phone numbers on the device in a day'],
  ['phoneNumbersPerDevice24h', 3, 0.15, 'phone numbers on the device in a day'],
  ['countriesPerDevice1h', 2, 0.35, 'countries of one device in an hour'],
  ['countriesPerDevice24h', 4, 0.4, 'countries of one device in a day'],
  ['countriesPerDevice24h', 3, 0.2, 'countries of one device in a day'],
  ['devicesPerAccount24h', 10, 0.5, 'devices of the account in a day'],
  ['devicesPerAccount24h', 5, 0.25, 'devices of the account in a day'],
]

/** deviceRiskScore of specification 2.6, 0 to 100: never below the session's. */
export function deviceScore(session: SessionScore, past: DevicePast, now: number): SessionScore {
  const contributions = [
    ...session.contributions,
    ...ofSignals(session, past, now),
    ...ofVelocity(past),
    ...ofOutcomes(past, now),
  ]
  return { score: combined(contributions, 100), contributions }
}

/**
 * Each signal that fired lately, as of the last time. One that fires now counts now, and not again: whoever uses a VPN every day is not
 * riskier for it.
 */
function ofSignals({ contributions }: SessionScore, { sessions }: DevicePast, now: number): Contribution[] {
  const lastAt = new Map<WeightName, number>()
  for (const { at, signals } of sessions) {
    for (const signal of signals) lastAt.set(signal, Math.max(at, lastAt.get(signal) ?? at))
  }
  for (const { source } of contributions) lastAt.delete(source as WeightName)
  return [...lastAt].flatMap(([signal, at]) => {
    const { session: full, because } = weights[signal]
    const weight = pastShare * full * halved(now - at, signalHalfLifeMs)
    return weight < leastWeight
      ? []
      : [{ source: `past.${signal}`, weight, because: `${because}: ${daysAgo(now - at)}` }]
  })
}

function ofVelocity({ velocity }: DevicePast): Contribution[] {
  const found = new Map<string, Contribution>()
  for (const [count, from, weight, what] of velocityWeights) {
    // One reason for each kind of count, whatever its window.
    const kind = count.replace(/(1h|24h|7d)$/, '')
    if (velocity[count] < from || (found.get(kind)?.weight ?? 0) >= weight) continue
    found.set(kind, { source: kind, weight, because: `${velocity[count]} ${what}` })
  }
  return [...found.values()]
}

function ofOutcomes({ badOutcomes }: DevicePast, now: number): Contribution[] {
  return badOutcomes.map(({ at }) => ({
    source: 'badOutcome',
    weight: badOutcomeWeight * halved(now - at, outcomeHalfLifeMs),
    because: `an outcome of this device was labelled as bad, ${daysAgo(now - at)}`,
  }))
}

/** A clock that was put back makes nothing worse than it was. */
const halved = (ageMs: number, halfLifeMs: number) => 0.5 ** (Math.max(0, ageMs) / halfLifeMs)

function daysAgo(ageMs: number): string {
  const days = Math.floor(Math.max(0, ageMs) / dayMs)
  return days === 0 ? 'within a day' : days === 1 ? 'a day ago' : `${days} days ago`
}
