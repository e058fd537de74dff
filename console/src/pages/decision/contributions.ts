// Which part of a score is whose? Each reason takes its share of what the stronger ones left; the shares add up to the score.

import type { DecisionReason } from '../../api/types.ts'

interface Contribution {
  readonly reason: DecisionReason
  /** Points of the score; 0 to 100. */
  readonly points: number
}

/** The service combines weights as 1 − Π(1 − wᵢ), so the strongest reason counts with its whole weight. */
export function contributions(reasons: readonly DecisionReason[]): Contribution[] {
  let left = 1
  return reasons
    .toSorted((one, other) => other.weight - one.weight)
    .map((reason) => {
      const points = left * reason.weight
      left *= 1 - reason.weight / 100
      return { reason, points }
    })
}
