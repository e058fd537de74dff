// What did rules catch in the fraud story, and which customers did they disturb? Counted against who each visitor really was.

import type { PlayedDecision, PlayedSession } from './play.ts'
import { type Attack, attacks, type Circumstance, storyDays } from './session.ts'

export interface CaughtAttack {
  readonly attack: Attack
  readonly sessions: number
  /** Refused, or held by a challenge that the attacker did not pass. */
  readonly stopped: number
  /** Not stopped, and put into the review queue. */
  readonly reviewed: number
}

export interface Disturbed {
  readonly circumstance: Circumstance | 'all'
  readonly sessions: number
  readonly challenged: number
  readonly blocked: number
  readonly reviewed: number
}

export interface MeasuredRule {
  readonly id: string
  /** Decisions at which it fired. */
  readonly onFraud: number
  readonly onOrdinary: number
  /** Decisions that a guide claims it catches, and those at which it fired. */
  readonly claimed: number
  readonly caught: number
}

const isOrdinary = ({ session }: PlayedSession) => session.who === 'ordinary'
const isReviewed = ({ decisions }: PlayedSession) => decisions.some(({ isForReview }) => isForReview)
const isChallenged = ({ decisions }: PlayedSession) => decisions.some(({ decided }) => decided === 'CHALLENGE')

export const caughtAttacks = (played: readonly PlayedSession[]): CaughtAttack[] =>
  attacks.map((attack) => {
    const sessions = played.filter(({ session }) => session.who === attack)
    const through = sessions.filter(({ stoppedBy }) => !stoppedBy)
    return {
      attack,
      sessions: sessions.length,
      stopped: sessions.length - through.length,
      reviewed: through.filter(isReviewed).length,
    }
  })

/** All ordinary sessions first, then by circumstance, the most frequent first. */
export function disturbed(played: readonly PlayedSession[]): Disturbed[] {
  const ordinary = played.filter(isOrdinary)
  const groups = [...Map.groupBy(ordinary, ({ session }) => session.circumstance!)]
  return [['all', ordinary] as const, ...groups.sort(([, a], [, b]) => b.length - a.length)].map(
    ([circumstance, sessions]) => ({
      circumstance,
      sessions: sessions.length,
      challenged: sessions.filter(isChallenged).length,
      blocked: sessions.filter(({ stoppedBy }) => stoppedBy === 'BLOCK').length,
      reviewed: sessions.filter(isReviewed).length,
    }),
  )
}

/** Of each customer in 30 days. */
export function challengesPerMonth(played: readonly PlayedSession[], customers: number): number {
  const decisions = played.filter(isOrdinary).flatMap((each) => each.decisions)
  return (decisions.filter(({ decided }) => decided === 'CHALLENGE').length / customers) * (30 / storyDays)
}

/** @param ids rules; those that never fired are measured, too */
export function measuredRules(played: readonly PlayedSession[], ids: readonly string[]): MeasuredRule[] {
  const decided = played.flatMap((each) => each.decisions.map((decision) => ({ each, decision })))
  return ids.map((id) => {
    const fired = decided.filter(({ decision }) => decision.fired.includes(id))
    const claims = decided.filter(
      ({ each, decision }) =>
        each.session.claimedBy?.includes(id) && decision.action === (claimedAt[id] ?? decision.action),
    )
    return {
      id,
      onFraud: fired.filter(({ each }) => !isOrdinary(each)).length,
      onOrdinary: fired.filter(({ each }) => isOrdinary(each)).length,
      claimed: claims.length,
      caught: claims.filter(({ decision }) => decision.fired.includes(id)).length,
    }
  })
}

/** Where a rule is claimed to fire; others are at each decision of their session. */
const claimedAt: Readonly<Record<string, PlayedDecision['action']>> = {
  'many-users-on-device': 'LOGIN',
  'new-device-for-account': 'LOGIN',
  'swapped-sim-new-device': 'LOGIN',
  'impossible-travel': 'LOGIN',
  'stolen-card': 'PAYMENT',
  'card-testing': 'PAYMENT',
  'mule-account': 'PAYMENT',
  'led-payment': 'PAYMENT',
  'payment-during-call': 'PAYMENT',
  'large-payment-after-swap': 'PAYMENT',
}
