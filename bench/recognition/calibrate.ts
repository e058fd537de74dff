// How probable is a decision with this score? `node bench/recognition/calibrate.ts [DEVICES]` counts correct decisions on held-out
// visits and writes calibration.json; then it checks the curve on further visits and writes the table of docs/recognition.md.

import { readFileSync, writeFileSync } from 'node:fs'
import { type Family, families } from '../../server/src/device/identity/components.ts'
import { type Curve, read } from '../../server/src/device/identity/confidence.ts'
import { scorers, weights } from '../../server/src/device/identity/score.ts'
import { fittingRates, judgingRates } from './rates.ts'
import { makeTrials, type Trial } from './trials.ts'

const devices = Number(process.argv[2] ?? 30_000)
/** Other seeds than those of fitting and judging. */
const seeds = [70_001, 70_002]
/** Seed of the visits that the curves are checked with, at judgingRates. */
const checkSeed = 70_003
const buckets = 12

interface Decided {
  readonly kind: 'known' | 'new'
  readonly logOdds: number
  readonly isRight: boolean
}

/** A decision as in decide.ts, and whether it was right. */
function decided({ family, own, others, isReturn }: Trial): Decided {
  const its = weights[family]
  const score = scorers[family]
  const scored = [
    ...(own && isReturn ? [{ isOwn: true, score: score(own.outcomes, own.shared) }] : []),
    ...others.map(({ outcomes, shared }) => ({ isOwn: false, score: score(outcomes, shared) })),
  ].sort((a, b) => b.score - a.score)
  const [best, second] = scored
  const all = scored.reduce((sum, { score }) => sum + Math.exp(Math.min(score, 50)), 0)
  const lead = (best?.score ?? 0) - (second?.score ?? Number.NEGATIVE_INFINITY)
  if (!best || best.score < its.threshold || lead < its.lead) {
    return { kind: 'new', logOdds: all === 0 ? 20 : -Math.log(all), isRight: !isReturn }
  }
  const logOdds = best.score - Math.log(1 + all - Math.exp(Math.min(best.score, 50)))
  return { kind: 'known', logOdds, isRight: best.isOwn }
}

/** Buckets of equal size, then made monotonic: neighbours that fall are joined (isotonic regression, Ayer 1955). */
function curveOf(decisions: readonly Decided[]): Curve {
  const sorted = decisions.toSorted((a, b) => a.logOdds - b.logOdds)
  const size = Math.max(1, Math.ceil(sorted.length / buckets))
  const points: { at: number; right: number; all: number }[] = []
  for (let from = 0; from < sorted.length; from += size) {
    const its = sorted.slice(from, from + size)
    const right = its.filter(({ isRight }) => isRight).length
    // Even one error in a hundred thousand keeps the probability below 1 (prior of Krichevsky and Trofimov).
    points.push({ at: its[its.length >> 1]!.logOdds, right: right + 0.5, all: its.length + 1 })
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

interface Reliability {
  /** Mean squared difference of probability and truth (Brier 1950), 0 to 1. */
  readonly brier: number
  /** Mean difference of probability and share of correct decisions over ten bins of equal width, weighted by decisions. */
  readonly error: number
}

function reliabilityOf(decisions: readonly { readonly said: number; readonly isRight: boolean }[]): Reliability {
  const all = decisions.length || 1
  const bins = Map.groupBy(decisions, ({ said }) => Math.min(9, Math.floor(10 * said)))
  const off = [...bins.values()].map((its) =>
    Math.abs(its.reduce((sum, { said, isRight }) => sum + said - (isRight ? 1 : 0), 0)),
  )
  return {
    brier: decisions.reduce((sum, { said, isRight }) => sum + (said - (isRight ? 1 : 0)) ** 2, 0) / all,
    error: off.reduce((sum, one) => sum + one, 0) / all,
  }
}

const trials = [makeTrials(devices, seeds[0]!, fittingRates), makeTrials(devices, seeds[1]!, judgingRates)].flat()
const decisionsOf = (its: readonly Trial[], family: Family) =>
  its.filter((trial) => trial.family === family).map(decided)
const curves = Object.fromEntries(
  families.map((family) => {
    const all = decisionsOf(trials, family)
    const of = (kind: Decided['kind']) => curveOf(all.filter((decision) => decision.kind === kind))
    return [family, { known: of('known'), new: of('new') }]
  }),
) as Record<Family, Record<Decided['kind'], Curve>>
const others = makeTrials(devices, checkSeed, judgingRates)
const reliability = Object.fromEntries(
  families.map((family) => [
    family,
    reliabilityOf(
      decisionsOf(others, family).map(({ kind, logOdds, isRight }) => ({
        said: read(curves[family][kind], logOdds),
        isRight,
      })),
    ),
  ]),
) as Record<Family, Reliability>
const source = `bench/recognition/calibrate.ts: ${devices} devices each at fittingRates and judgingRates, seeds ${seeds.join(' and ')}; one first visit for two returns`
const file = new URL('../../server/src/device/identity/calibration.json', import.meta.url)
writeFileSync(file, `${JSON.stringify({ source, families: curves }, null, 2)}\n`)
const page = new URL('../../docs/recognition.md', import.meta.url)
const text = readFileSync(page, 'utf8')
const [begin, end] = ['<!-- calibration -->', '<!-- /calibration -->']
const perCents = (curve: Curve) =>
  curve.map(([at, probability]) => `${at}: ${(100 * probability).toFixed(1)} %`).join(' · ')
const table = [
  '| family | taken for known: log-odds and how many were right | taken for new | Brier score | calibration error |',
  '| --- | --- | --- | --- | --- |',
  ...families.map((family) => {
    const { known, new: fresh } = curves[family]
    const { brier, error } = reliability[family]
    return `| ${family} | ${perCents(known)} | ${perCents(fresh)} | ${brier.toFixed(4)} | ${error.toFixed(4)} |`
  }),
].join('\n')
writeFileSync(page, `${text.slice(0, text.indexOf(begin))}${begin}\n${table}\n${text.slice(text.indexOf(end))}`)
