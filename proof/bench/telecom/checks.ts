// What do several checks of a number in one call cost, and which latency do slow and faulty operators leave?

import path from 'node:path'
import type { TelecomChecksRequest } from '@ringfence/contract'
import { askAll, busy, callsOf, startOperator, startRingfence } from '../harness/checks.ts'
import { answer, type Bench, inTurns, row, type Table } from '../harness/harness.ts'
import { withResources } from '../harness/processes.ts'
import { measure, startLoad } from '../harness/servers.ts'

const numbers = 30_000
const one: TelecomChecksRequest['checks'] = { simSwap: {} }
const three: TelecomChecksRequest['checks'] = { ...one, deviceSwap: {}, callForwarding: {} }
const eight: TelecomChecksRequest['checks'] = {
  ...three,
  numberRecycling: { since: '2024-01-01' },
  tenure: { since: '2024-01-01' },
  kycMatch: { givenName: 'Asha' },
  roaming: {},
  reachability: {},
}

export const checksBench: Bench = {
  name: 'checks',
  run: () =>
    withResources(async (keep, folder) => {
      const load = keep(await startLoad())
      const operator = keep(await startOperator())
      const dataFolder = path.join(folder, 'asking')
      const ringfence = keep(await startRingfence(operator, numbers, { dataFolder, simSwapReuseSeconds: 0 }))
      await askAll(load, ringfence, numbers)
      const call = (checks: TelecomChecksRequest['checks']) =>
        measure(load, ringfence, { ...callsOf(ringfence, numbers, checks), ...busy, requests: 6_000 })
      const rates = await inTurns({
        one: () => call(one),
        three: () => call(three),
        eight: () => call(eight),
      })
      return [costTable(rates)]
    }),
}

type Figures = Record<'perCpuSecond', number[]>

function costTable({ one, three, eight }: Record<'one' | 'three' | 'eight', Figures>): Table {
  const unit = 'calls per CPU-second'
  const times = ({ perCpuSecond }: Figures) => perCpuSecond.map((rate, round) => one.perCpuSecond[round]! / rate)
  return {
    title: 'Checks side by side',
    rows: [
      row('1 check', unit, one.perCpuSecond, { atLeast: 5_000 }),
      answer('3 checks', unit, three.perCpuSecond),
      answer('8 checks', unit, eight.perCpuSecond),
      row('CPU of 3 checks', '× one', times(three)),
      row('CPU of 8 checks', '× one', times(eight), { atMost: 3 }),
    ],
    notes: ['Each check calls the operator, which answers at once; nothing is reused.'],
  }
}
