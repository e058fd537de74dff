// What would the service decide about a trial, and was it right?

import type { Curve } from '../../../server/src/device/identity/confidence.ts'
import { decide } from '../../../server/src/device/identity/decide.ts'
import { models } from '../../../server/src/device/identity/score.ts'
import type { Trial } from './trials.ts'

export interface Decided {
  readonly kind: 'known' | 'new'
  readonly logOdds: number
  readonly isRight: boolean
  /** How much it counts, so that there is one first visit for two returns. */
  readonly weight: number
}

export function decided({ visit, keys, candidates, full, now, isReturn }: Trial, weight: number): Decided {
  const { record, logOdds } = decide(visit, keys, candidates, full, now, models[visit.family])
  return record
    ? { kind: 'known', logOdds, isRight: record.isOwn, weight }
    : { kind: 'new', logOdds: Math.min(logOdds, 20), isRight: !isReturn, weight }
}

const returnsOfFirst = 2

/** Weighs returns so that there are two for each first visit. */
export function decisionsOf(trials: readonly Trial[]): Decided[] {
  const returns = trials.filter(({ isReturn }) => isReturn).length
  const ofReturn = (returnsOfFirst * (trials.length - returns)) / Math.max(1, returns)
  return trials.map((trial) => decided(trial, trial.isReturn ? ofReturn : 1))
}

const buckets = 14

/**
 * Buckets of equal size, then made monotonic: neighbours that fall are joined (isotonic regression, Ayer 1955).
 * @param unit the weight of one observation
 */
export function curveOf(decisions: readonly Decided[], unit = 1): Curve {
  const sorted = decisions.toSorted((a, b) => a.logOdds - b.logOdds)
  const size = Math.max(40, Math.ceil(sorted.length / buckets))
  const points: { at: number; right: number; all: number }[] = []
  for (let from = 0; from < sorted.length; from += size) {
    const its = sorted.slice(from, from + size)
    const sumOf = (of: (one: Decided) => number) => its.reduce((sum, one) => sum + of(one), 0)
    const all = sumOf(({ weight }) => weight)
    // Even one error in a hundred thousand keeps the probability below 1 (prior of Krichevsky and Trofimov).
    const right = sumOf(({ weight, isRight }) => (isRight ? weight : 0)) + unit / 2
    points.push({ at: sumOf(({ weight, logOdds }) => weight * Math.min(20, logOdds)) / all, right, all: all + unit })
    for (
      let last = points.at(-1)!, before = points.at(-2);
      before && before.right / before.all >= last.right / last.all;
      before = points.at(-2)
    ) {
      points.pop()
      const all = before.all + last.all
      Object.assign(before, {
        at: (before.at * before.all + last.at * last.all) / all,
        right: before.right + last.right,
        all,
      })
      last = before
    }
  }
  return points.map(({ at, right, all }) => [Number(at.toFixed(2)), Number((right / all).toFixed(4))])
}

export interface Reliability {
  /** Mean squared difference of probability and truth (Brier 1950), 0 to 1. */
  readonly brier: number
  /** Mean difference of probability and share of correct decisions over ten bins of equal width, weighted by decisions. */
  readonly error: number
  readonly visits: number
}

export interface Said {
  readonly said: number
  readonly isRight: boolean
  readonly weight: number
}

export function reliabilityOf(decisions: readonly Said[]): Reliability {
  const all = decisions.reduce((sum, { weight }) => sum + weight, 0) || 1
  const bins = Map.groupBy(decisions, ({ said }) => Math.min(9, Math.floor(10 * said)))
  const off = [...bins.values()].map((its) =>
    Math.abs(its.reduce((sum, { said, isRight, weight }) => sum + weight * (said - (isRight ? 1 : 0)), 0)),
  )
  return {
    brier:
      decisions.reduce((sum, { said, isRight, weight }) => sum + weight * (said - (isRight ? 1 : 0)) ** 2, 0) / all,
    error: off.reduce((sum, one) => sum + one, 0) / all,
    visits: decisions.length,
  }
}
