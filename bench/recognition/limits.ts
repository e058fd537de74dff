// From which score on is a visit of a known device, and by which lead? The limits that split fewest at the wanted rate of merges.

import type { Family } from '../../server/src/device/recognition/components.ts'
import { type FamilyWeights, score } from '../../server/src/device/recognition/score.ts'
import type { Pair, Trial } from './trials.ts'

/**
 * Of all visits. A fraction of the goal of 0.004, since people change more, and more of them are alike, than where it was
 * fitted; the smaller one where few devices were seen.
 */
const mostFalseMerges: Record<Family, number> = {
  'blink-desktop': 0.0015,
  'blink-mobile': 0.0015,
  gecko: 0.001,
  webkit: 0.001,
}
const leads = [1, 1.5, 2, 3, 4]

/** Threshold and lead, in nats. */
export function chosenLimits(
  family: Family,
  weights: Omit<FamilyWeights, 'threshold' | 'lead'>,
  trials: readonly Trial[],
) {
  const whole = { ...weights, threshold: 0, lead: 0 }
  const scoreOf = ({ outcomes, shared }: Pair) => score(whole, outcomes, shared)
  const scored = trials.map(({ own, others, isReturn }) => ({
    own: own && isReturn ? scoreOf(own) : Number.NEGATIVE_INFINITY,
    other: others.map(scoreOf).sort((a, b) => b - a),
    isReturn,
  }))
  const returns = scored.filter(({ isReturn }) => isReturn)
  let best = { threshold: 99, lead: 0, splits: 2, merges: 0 }
  for (const lead of leads) {
    for (let threshold = -4; threshold < 15; threshold += 0.1) {
      let [splits, merges] = [0, 0]
      for (const { own, other, isReturn } of scored) {
        const [first = Number.NEGATIVE_INFINITY, second = Number.NEGATIVE_INFINITY] = other
        const isOwn = own >= first
        const [winner, next] = isOwn ? [own, first] : [first, Math.max(own, second)]
        const isMerged = winner >= threshold && winner - next >= lead
        if (isReturn && !(isMerged && isOwn)) splits++
        if (isMerged && !isOwn) merges++
      }
      const rates = { threshold, lead, splits: splits / returns.length, merges: merges / scored.length }
      if (rates.merges <= mostFalseMerges[family] && rates.splits < best.splits) best = rates
    }
  }
  const perCent = (part: number) => `${(100 * part).toFixed(2)} %`
  const missed = returns.filter(({ own }) => own === Number.NEGATIVE_INFINITY).length / returns.length
  console.log(
    `threshold ${best.threshold.toFixed(1)}, lead ${best.lead}: ${perCent(best.splits)} split (${perCent(missed)} not among candidates), ${perCent(best.merges)} merged`,
  )
  return { threshold: Number(best.threshold.toFixed(1)), lead: best.lead }
}
