// How often is similarity right on visits that no fit has seen? `node proof/bench/identity/judge.ts [DEVICES]` counts by family, with all
// facts, without the address and with half of the facts: returns found, wrong ids, and wrong answers at a confidence of 0.95.

import { families } from '../../../server/src/device/identity/components.ts'
import { confidenceOf } from '../../../server/src/device/identity/confidence.ts'
import { decide } from '../../../server/src/device/identity/decide.ts'
import { models } from '../../../server/src/device/identity/score.ts'
import { markdownTable, numbersAfterFirst } from '../../markdown-table.ts'
import { saveBlock } from '../harness/save.ts'
import { judgingRates } from '../recognition/rates.ts'
import { makeTrials, type Shown } from '../recognition/trials.ts'

const devices = Number(process.argv.slice(2).find((argument) => argument !== '--save') ?? 4_000)
if (!(devices > 0)) throw new Error('the number of devices must be a positive number, for example 4000')
const seed = 80_001
const ways: readonly Shown[] = ['as it came', 'without address', 'half of the facts']
/** From here on an id is given away; below, the answer is a doubt. */
const sure = 0.9

const answers = makeTrials(devices, seed, judgingRates, 1).map((trial) => {
  const { family, visit, keys, candidates, full, now, isReturn, shown } = trial
  const { record, logOdds, limit } = decide(visit, keys, candidates, full, now, models[family])
  const confidence = record ? Math.min(limit, confidenceOf(visit, 'known', logOdds)) : 0
  return { family, shown, isReturn, confidence, taken: record && (record.isOwn ? 'own' : 'other') }
})
const share = (part: readonly unknown[], whole: readonly unknown[]) =>
  `${((100 * part.length) / Math.max(1, whole.length)).toFixed(2)} %`
const rows = families.flatMap((family) =>
  ways.map((way) => {
    const its = answers.filter((one) => one.family === family && one.shown === way)
    const [returns, known] = [its.filter(({ isReturn }) => isReturn), its.filter(({ taken }) => taken !== undefined)]
    const own = returns.filter(({ taken }) => taken === 'own')
    const high = known.filter(({ confidence }) => confidence >= 0.95)
    const wrong = known.filter(({ taken }) => taken === 'other')
    return [
      `${family}, ${way}`,
      share(own, returns),
      share(
        own.filter(({ confidence }) => confidence >= sure),
        returns,
      ),
      share(wrong, its),
      share(
        wrong.filter(({ confidence }) => confidence >= sure),
        its,
      ),
      share(
        high.filter(({ taken }) => taken === 'other'),
        high,
      ),
    ]
  }),
)
const table = markdownTable(
  ['visits', 'returns found', '… at ≥ 0.9', 'wrong device', '… at ≥ 0.9', 'of answers at ≥ 0.95: wrong'],
  rows,
  numbersAfterFirst,
)
console.log(table.join('\n'))
if (process.argv.includes('--save')) saveBlock('docs/recognition.md', 'held-out', [...table, ''])
