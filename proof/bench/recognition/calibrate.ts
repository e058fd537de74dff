// How probable is a decision with this score? `node proof/bench/recognition/calibrate.ts [DEVICES]` counts correct decisions on held-out
// visits and writes calibration.json; then it checks the curves on further visits and writes the table of docs/recognition.md.

import { writeFileSync } from 'node:fs'
import { type Family, families } from '../../../server/src/device/identity/components.ts'
import {
  type Completeness,
  completenesses,
  type FamilyCalibration,
  read,
} from '../../../server/src/device/identity/confidence.ts'
import { markdownTable, numbersAfterFirst } from '../../markdown-table.ts'
import { compact } from '../harness/compact.ts'
import { saveBlock } from '../harness/save.ts'
import { accountLimits } from '../identity/account-limits.ts'
import { makeAccountTrials } from '../identity/account-trials.ts'
import { curveOf, decisionsOf, type Reliability, reliabilityOf } from './decided.ts'
import { fittingRates, judgingRates } from './rates.ts'
import { makeTrials, type Shown, type Trial } from './trials.ts'

const devices = Number(process.argv[2] ?? 18_000)
/** Other seeds than those of fitting and judging. */
const seeds = [70_001, 70_002]
/** Seed of the visits that the curves are checked with, at judgingRates. */
const checkSeed = 70_003
/** Part of the visits that is counted again without address and with half of the facts. */
const poor = 0.5

type Curves = Readonly<Record<Completeness, FamilyCalibration>>

/** Returns are weighed within one way of showing facts, so that a poor visit is not a first visit more often. */
function weighed(trials: readonly Trial[]) {
  return [...Map.groupBy(trials, ({ shown }) => shown).values()].flatMap((its) => {
    const decisions = decisionsOf(its)
    return its.map((trial, index) => ({ trial, decision: decisions[index]! }))
  })
}

function curvesOf(trials: readonly Trial[]): Curves {
  const all = weighed(trials)
  return Object.fromEntries(
    completenesses.map((completeness) => {
      const its = all.filter(({ trial }) => trial.completeness === completeness).map(({ decision }) => decision)
      const of = (kind: 'known' | 'new') => curveOf(its.filter((decision) => decision.kind === kind))
      return [completeness, { known: of('known'), new: of('new') }]
    }),
  ) as unknown as Curves
}

function checked(trials: readonly Trial[], curves: Curves): Reliability {
  return reliabilityOf(
    weighed(trials).map(({ trial, decision: { kind, logOdds, isRight, weight } }) => ({
      said: read(curves[trial.completeness][kind], logOdds),
      isRight,
      weight,
    })),
  )
}

const trials = [
  makeTrials(devices, seeds[0]!, fittingRates, poor),
  makeTrials(devices, seeds[1]!, judgingRates, poor),
].flat()
const of = (its: readonly Trial[], family: Family) => its.filter((trial) => trial.family === family)
const curves = Object.fromEntries(families.map((family) => [family, curvesOf(of(trials, family))])) as Record<
  Family,
  Curves
>
const source = `proof/bench/recognition/calibrate.ts: ${devices} devices each at fittingRates and judgingRates, seeds ${seeds.join(' and ')}; one first visit for two returns`
const ofAccounts = [
  makeAccountTrials(devices / 2, seeds[0]! + 10, fittingRates),
  makeAccountTrials(devices / 2, seeds[1]! + 10, judgingRates),
].flat()
const accounts = Object.fromEntries(families.map((family) => [family, accountLimits(ofAccounts, family)]))
const file = new URL('../../../server/src/device/identity/calibration.json', import.meta.url)
writeFileSync(file, `${compact({ source, families: curves, accounts })}\n`)

const others = makeTrials(devices, checkSeed, judgingRates, poor)
const ways: readonly Shown[] = ['as it came', 'without address', 'half of the facts']
const table = markdownTable(
  ['family', ...ways.flatMap((way) => [`${way}: error`, 'Brier'])],
  families.map((family) => {
    const cells = ways.flatMap((way) => {
      const its = of(others, family).filter(({ shown }) => shown === way)
      const { error, brier } = checked(its, curves[family])
      return [error.toFixed(3), brier.toFixed(3)]
    })
    return [family, ...cells]
  }),
  numbersAfterFirst,
)
console.log(table.join('\n'))
saveBlock('docs/recognition.md', 'calibration', [...table, ''])
