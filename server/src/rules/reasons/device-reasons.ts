// What raises the scores of a device? A reason for each weight of the signals, and for each part of the device's history.

import type { Velocity } from '../../device/history/velocity.ts'
import type { Contribution } from '../../device/scores/combine.ts'
import { deviceScoreOf, worstVelocity } from '../../device/scores/device-score.ts'
import { sessionScoreOf } from '../../device/scores/session-score.ts'
import { type SignalWeight, weights, weightsOf } from '../../device/scores/weights.ts'
import type { WeightName } from '../../device/signals/index.ts'
import type { Signal } from '../../device/signals/signal.ts'
import { codeOf, type Reason } from './reason.ts'

/** Codes of contributions whose name alone says too little. */
const codes: Readonly<Record<string, string>> = { fraudScore: 'IP_FRAUD_SCORE', badOutcome: 'KNOWN_BAD_DEVICE' }

/** The code of a contribution to a score, by the name that is stored with the report: `past.bot` is `PREVIOUS_BOT`. */
export function codeOfContribution(name: string): string {
  if (name.startsWith('past.')) return `PREVIOUS_${codeOfContribution(name.slice('past.'.length))}`
  if (name.startsWith('linked.')) return `LINKED_${codeOfContribution(name.slice('linked.'.length))}`
  return Object.hasOwn(codes, name) ? codes[name]! : codeOf(name)
}

/** A contribution to a score of the device as a reason of a decision. */
export const reasonOfContribution = (contribution: Contribution): Reason => reasonBy(weights, contribution)

function reasonBy(weights: Readonly<Record<string, SignalWeight>>, { source, weight, because }: Contribution): Reason {
  const signal = Object.hasOwn(weights, source) ? weights[source]!.signal : undefined
  return {
    code: codeOfContribution(source),
    text: sentence(because),
    // In tenths, as scores are.
    weight: Math.round(weight * 1000) / 10,
    source: `device.${signal ?? (source === 'fraudScore' ? 'ipDetails' : 'history')}`,
  }
}

/** The text of a contribution as a sentence. */
export const sentence = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)

/** Every reason that a list of signals and the history of a device can give, with the most that it weighs and an example of its text. */
export function deviceReasonsOf(list: readonly Signal[]): Reason[] {
  const weights: Readonly<Record<string, SignalWeight>> = weightsOf(list)
  const session = sessionScoreOf(weights)
  const device = deviceScoreOf(weights)
  const names = Object.keys(weights)
  const none = { badReports: 0, velocity: noVelocity }
  // Accounts and phone numbers are one finding: each alone weighs most.
  const { accountsPerDevice1h, accountsPerDevice24h, accountsPerDevice7d } = noVelocity
  const worstNumbers = { ...worstVelocity, accountsPerDevice1h, accountsPerDevice24h, accountsPerDevice7d }
  const onlyNow = { signals: new Map(), badLabels: [] }
  const past = { signals: new Map(names.map((name) => [name as WeightName, 0])), badLabels: [{ at: 0 }] }
  const contributions = [
    ...session(names).contributions,
    ...session([], 100).contributions,
    ...device(session([]), { ...past, velocity: worstVelocity, linked: none }, 0).contributions,
    ...[worstVelocity, worstNumbers].flatMap((velocity) => [
      ...device(session([]), { ...onlyNow, velocity, linked: none }, 0).contributions,
      ...device(session([]), { ...onlyNow, velocity: noVelocity, linked: { badReports: 1, velocity } }, 0)
        .contributions,
    ]),
  ]
  const reasons = contributions.map((each) => reasonBy(weights, each))
  return [...new Map(reasons.map((reason) => [reason.code, reason])).values()]
}

const noVelocity = Object.fromEntries(Object.keys(worstVelocity).map((count) => [count, 0])) as Velocity
