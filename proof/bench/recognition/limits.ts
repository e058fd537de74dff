// Which score makes a visit a known device? The threshold with the fewest splits at the allowed rate of wrong answers.

import { firstOfAlike } from '../../../server/src/device/identity/decide.ts'
import { type FamilyWeights, scorerOf } from '../../../server/src/device/identity/score.ts'
import { type Pair, pairsOf } from './pairs.ts'
import type { Trial } from './trials.ts'

/**
 * Part of the visits without a token that may be called another device: most of them as `likely` only, since an id is given away at
 * a confidence of 0.9. The goal for ids, 0.4 %, is judged on other visits.
 */
const mostWrong = 0.005
/** One first visit for two returns without a token, as for the calibration. */
const returnsOfFirst = 2

/** In nats. */
export function chosenThreshold(weights: Omit<FamilyWeights, 'threshold'>, trials: readonly Trial[]): number {
  const score = scorerOf(weights)
  const scoreOf = ({ outcomes, shared, age }: Pair) => score(outcomes, shared, age)
  const whole = trials.filter(({ shown }) => shown === 'as it came')
  const chosen = whole.map((trial) => {
    const pairs = pairsOf(trial).map((pair) => ({ candidate: pair.candidate, score: scoreOf(pair), cautious: 0 }))
    const first = firstOfAlike(
      trial.visit,
      pairs.toSorted((a, b) => b.score - a.score),
    )
    return {
      isReturn: trial.isReturn,
      isOwn: first?.candidate.isOwn === true,
      score: first?.score ?? Number.NEGATIVE_INFINITY,
    }
  })
  const returns = chosen.filter(({ isReturn }) => isReturn)
  const firsts = chosen.length - returns.length
  const weightOfReturn = (returnsOfFirst * firsts) / returns.length
  const visits = firsts * (1 + returnsOfFirst)
  let best = { threshold: 99, splits: 2, merges: 0 }
  for (let threshold = -5; threshold < 15; threshold += 0.1) {
    let [splits, merges] = [0, 0]
    for (const { isReturn, isOwn, score } of chosen) {
      const isKnown = score >= threshold
      if (isReturn && !(isKnown && isOwn)) splits++
      if (isKnown && !isOwn) merges += isReturn ? weightOfReturn : 1
    }
    const rates = { threshold, splits: splits / returns.length, merges: merges / visits }
    if (rates.merges <= mostWrong && rates.splits < best.splits) best = rates
  }
  const perCent = (part: number) => `${(100 * part).toFixed(2)} %`
  const missed = whole.filter(({ isReturn, candidates }) => isReturn && !candidates.some(({ isOwn }) => isOwn)).length
  console.log(
    `threshold ${best.threshold.toFixed(1)}: ${perCent(best.splits)} split (${perCent(missed / returns.length)} not among candidates), ${perCent(best.merges)} merged`,
  )
  return Number(best.threshold.toFixed(1))
}
