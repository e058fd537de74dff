// Which reason decided, and what does it weigh? It lifts the score into the range of its action, when the other reasons do not.

import type { Action } from '../language/rule.ts'
import type { Reason } from './reason.ts'
import { type Explanation, withReasons } from './reasons-of.ts'

/** A score over `over` is in the range of the action, which begins at `from`. */
const ranges: Readonly<Record<Action, { readonly over: number; readonly from: number } | undefined>> = {
  ALLOW: undefined,
  WARN: { over: 30, from: 31 },
  REVIEW: { over: 30, from: 31 },
  CHALLENGE: { over: 30, from: 31 },
  BLOCK: { over: 70, from: 71 },
}

/** The points, in tenths, that lift a score into the range of an action; 0 when it is there or above. */
function liftTo(action: Action, score: number): number {
  const range = ranges[action]
  if (!range || score > range.over) return 0
  return Math.round(1000 * (1 - (1 - range.from / 100) / (1 - score / 100))) / 10
}

/**
 * The reasons of a decision with the one that decided, the rule or what is required and not known. It weighs at least what it adds.
 */
export function withDeciding(
  found: Explanation,
  { action, deciding, others }: { action: Action; deciding: readonly Reason[]; others: readonly Reason[] },
): Explanation {
  const { reasons, score } = withReasons(found, others)
  const lift = liftTo(action, score)
  return withReasons(
    { reasons, score },
    deciding.map((reason) => ({ ...reason, weight: Math.max(reason.weight, lift) })),
  )
}

export const ruleReasonCode = 'RULE'

/** @param text the rule with what it read */
export const ruleReason = (id: string, text: string): Reason => ({
  code: ruleReasonCode,
  text,
  weight: 0,
  source: `rules.${id}`,
})

export const ruleReasonExample = ruleReason('many-cards', 'Many cards on one device: 14 cards in 24 hours, limit 3')
