// Which score and which lead make a visit a known device? The limits with the fewest splits at the wanted merge rate.

import type { Family } from '../../server/src/device/identity/components.ts'
import { type FamilyWeights, scorerOf } from '../../server/src/device/identity/score.ts'
import type { Pair, Trial } from './trials.ts'

/** Merge rate of all visits: slightly below the goal of 0.004, and lower still for small samples. */
const mostFalseMerges: Record<Family, number> = {
  'blink-desktop': 0.0034,
  'blink-mobile': 0.0034,
  gecko: 0.0025,
  webkit: 0.003,
}
/** One first visit for two returns without a token, as for the calibration. */
const returnsOfFirst = 2
const leads = [1, 1.5, 2, 3, 4]

/** Threshold and lead, in nats. */
export function chosenLimits(
  family: Family,
  weights: Omit<FamilyWeights, 'threshold' | 'lead'>,
  trials: readonly Trial[],
) {
  const score = scorerOf(weights)
  const scoreOf = ({ outcomes, shared, age }: Pair) => score(outcomes, shared, age)
  const whole = trials.filter(({ shown }) => shown === 'as it came')
  const scored = whole.map(({ own, others, isReturn }) => ({
    own: own && isReturn ? scoreOf(own) : Number.NEGATIVE_INFINITY,
    other: others.map(scoreOf).sort((a, b) => b - a),
    isReturn,
  }))
  const returns = scored.filter(({ isReturn }) => isReturn)
  const firsts = scored.length - returns.length
  const weightOfReturn = (returnsOfFirst * firsts) / returns.length
  const visits = firsts * (1 + returnsOfFirst)
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
        if (isMerged && !isOwn) merges += isReturn ? weightOfReturn : 1
      }
      const rates = { threshold, lead, splits: splits / returns.length, merges: merges / visits }
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
