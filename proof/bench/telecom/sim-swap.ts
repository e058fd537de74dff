// What does a telecom check cost the server, and how much latency does it add to the operator's own?

import path from 'node:path'
import { askAll, busy, checksOf, sameAnswer, startOperator, startRingfence } from '../harness/checks.ts'
import { answer, type Bench, inTurns, perCentOf, row, type Table } from '../harness/harness.ts'
import { withResources } from '../harness/processes.ts'
import { measure, type Server, startLoad, startServer } from '../harness/servers.ts'

const numbers = 30_000
const operatorPath = '/sim-swap/v2/check'
const alone = { connections: 1, requests: 2_000, limitMs: 10_000 }

export const telecom: Bench = {
  name: 'telecom',
  run: () =>
    withResources(async (keep, folder) => {
      const load = keep(await startLoad())
      const operator = keep(await startOperator())
      const start = async (name: string, simSwapReuseSeconds: number) =>
        keep(await startRingfence(operator, numbers, { dataFolder: path.join(folder, name), simSwapReuseSeconds }))
      const reusing = await start('reusing', 86_400)
      const asking = await start('asking', 0)
      const same = await sameAnswer(reusing, checksOf(reusing, numbers))
      const floor = keep(await startServer('bare-http', same))
      const upstream = { url: operator.url, path: operatorPath }
      const floorAsking = keep(await startServer('bare-http', { ...same, upstream }))
      for (const server of [reusing, asking, floor, floorAsking]) await askAll(load, server, numbers)

      const underLoad = (server: Server) => measure(load, server, { ...checksOf(server, numbers), ...busy })
      const rates = await inTurns({
        floor: () => underLoad(floor),
        reusing: () => underLoad(reusing),
        floorAsking: () => underLoad(floorAsking),
        asking: () => underLoad(asking),
      })
      const quietly = (server: Server) => measure(load, server, { ...checksOf(server, numbers), ...alone })
      const waits = await inTurns({
        direct: () => measure(load, operator, { ...checksOf(operator, numbers), path: operatorPath, ...alone }),
        asking: () => quietly(asking),
        reusing: () => quietly(reusing),
      })
      const reliable = keep(await startOperator({ delayMs: 100 }))
      const faulty = keep(await startOperator({ delayMs: 100, faultEvery: 100 }))
      const patient = keep(await startRingfence(faulty, numbers, { dataFolder: path.join(folder, 'slow') }))
      const requests = { ...busy, requests: 1_200 }
      await measure(load, patient, { ...checksOf(patient, numbers), ...requests })
      const slow = await inTurns({
        operator: () => measure(load, reliable, { ...checksOf(reliable, numbers), path: operatorPath, ...requests }),
        ringfence: () => measure(load, patient, { ...checksOf(patient, numbers), ...requests }),
      })
      return [ratesTable(rates), waitsTable(waits), slowTable(slow)]
    }),
}

type Figures = Record<'perCpuSecond' | 'p50Ms' | 'p99Ms', number[]>

function ratesTable(rates: Record<'floor' | 'reusing' | 'floorAsking' | 'asking', Figures>): Table {
  const unit = 'requests per CPU-second'
  const { floor, reusing, floorAsking, asking } = rates
  return {
    title: 'SIM swap check: cost per request',
    rows: [
      row('bare node:http, the same bytes', unit, floor.perCpuSecond),
      row('answer reused', unit, reusing.perCpuSecond, { atLeast: 8_000 }),
      row('answer reused, of bare node:http', '%', perCentOf(reusing.perCpuSecond, floor.perCpuSecond)),
      row('bare node:http, one upstream call by undici', unit, floorAsking.perCpuSecond),
      row('one upstream call', unit, asking.perCpuSecond, { atLeast: 5_000 }),
      row('one upstream call, of bare node:http', '%', perCentOf(asking.perCpuSecond, floorAsking.perCpuSecond)),
    ],
    notes: [
      'The operator of each number is read from an imported file of ported numbers, called by CAMARA, and answers at once, in a separate process. ' +
        'Everything is on: credentials, rate limit, metrics, a log line for each request.',
    ],
  }
}

function waitsTable({ direct, asking, reusing }: Record<'direct' | 'asking' | 'reusing', Figures>): Table {
  const added = asking.p99Ms.map((value, round) => value - direct.p99Ms[round]!)
  return {
    title: 'SIM swap check: latency',
    rows: [
      row('operator directly, p50', 'ms', direct.p50Ms),
      row('operator directly, p99', 'ms', direct.p99Ms),
      answer('through Ringfence, p50', 'ms', asking.p50Ms),
      row('through Ringfence, p99', 'ms', asking.p99Ms),
      row('p99 added by Ringfence', 'ms', added, { atMost: 1 }),
      answer('answer reused, p50', 'ms', reusing.p50Ms),
      row('answer reused, p99', 'ms', reusing.p99Ms),
    ],
    notes: ['One request at a time, on one connection.'],
  }
}

function slowTable({ operator, ringfence }: Record<'operator' | 'ringfence', Figures>): Table {
  return {
    title: 'SIM swap check: an operator that takes 100 ms, and fails for 1 % of the requests',
    rows: [
      row('an operator that never fails, directly, p50', 'ms', operator.p50Ms),
      row('… p99', 'ms', operator.p99Ms),
      answer('through Ringfence, p50', 'ms', ringfence.p50Ms),
      answer('… p99', 'ms', ringfence.p99Ms),
    ],
    notes: ['After a 503, Ringfence calls it again within 20 to 100 ms.'],
  }
}
