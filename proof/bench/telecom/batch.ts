// How long does a batch of 100,000 numbers take, how much memory does the server need for it, and what does a live check notice?

import path from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import type { Batch } from '@ringfence/contract'
import { checksOf, startOperator, startRingfence } from '../harness/checks.ts'
import { answer, type Bench, row, type Table } from '../harness/harness.ts'
import { withResources } from '../harness/processes.ts'
import { type LoadProcess, measure, type Server, startLoad } from '../harness/servers.ts'
import { spread } from '../number-data.ts'

const numbers = 100_000
const rounds = 3

export const batchBench: Bench = {
  name: 'batch',
  run: () =>
    withResources(async (keep, folder) => {
      const load = keep(await startLoad())
      const operator = keep(await startOperator())
      const dataFolder = path.join(folder, 'batch')
      const settings = { dataFolder, simSwapReuseSeconds: 30 * 86_400, batchLinesPerTenant: 100_000_000 }
      let ringfence = await startRingfence(operator, numbers, settings)
      keep({ stop: () => ringfence.stop() })
      const warm = checksOf(ringfence, numbers, 3000)
      await measure(load, ringfence, { ...warm, connections: 8, requests: 3000, limitMs: 20_000 })
      const alone = await liveChecks(load, ringfence)

      const first = await batchOf(ringfence)
      const reusing: Figures[] = []
      for (let round = 0; round < rounds; round++) {
        // A batch is to blame for the memory that a server has not taken before.
        await ringfence.stop()
        ringfence = await startRingfence(operator, numbers, settings, ringfence.access)
        reusing.push(await batchOf(ringfence))
      }
      const beside = await besideLive(load, ringfence)
      return [batchTable(first, reusing), liveTable(alone, beside)]
    }),
}

interface Figures {
  readonly sentMs: number
  readonly elapsedMs: number
  readonly readMs: number
  readonly cpuSeconds: number
  readonly mostRssMb: number
  readonly grownRssMb: number
}

/** Sends all numbers, waits for the end and reads the results. */
async function batchOf(server: Server): Promise<Figures> {
  const numberOf = spread(numbers)
  const body = ['phoneNumber', ...Array.from({ length: numbers }, (_, n) => numberOf(n))].join('\n')
  const before = await server.state()
  let mostRss = before.rssBytes
  const look = async () => {
    const state = await server.state()
    mostRss = Math.max(mostRss, state.rssBytes)
    return state
  }
  const startedAt = performance.now()
  const { batchId } = await call<Batch>(server, '/v1/telecom/batches?checks=simSwap', body)
  const sentMs = performance.now() - startedAt
  for (;;) {
    await wait(100)
    await look()
    const { status, counts } = await call<Batch>(server, `/v1/telecom/batches/${batchId}`)
    if (status !== 'completed') continue
    if (counts.answered !== numbers) throw new Error(`only ${counts.answered} numbers have an answer`)
    break
  }
  const elapsedMs = performance.now() - startedAt
  const response = await fetch(`${server.url}/v1/telecom/batches/${batchId}/results`, { headers: server.access })
  let lines = 0
  for await (const bytes of response.body!) lines += bytes.filter((byte: number) => byte === 10).length
  if (lines !== numbers) throw new Error(`${lines} results of ${numbers}`)
  const readMs = performance.now() - startedAt - elapsedMs
  const after = await look()
  const mb = (bytes: number) => bytes / 2 ** 20
  return {
    ...{ sentMs, elapsedMs, readMs },
    cpuSeconds: after.cpuSeconds - before.cpuSeconds,
    mostRssMb: mb(mostRss),
    grownRssMb: mb(mostRss - before.rssBytes),
  }
}

async function call<Answer>(server: Server, at: string, body?: string): Promise<Answer> {
  const response = await fetch(server.url + at, {
    headers: { ...server.access, ...(body !== undefined && { 'content-type': 'text/csv' }) },
    ...(body !== undefined && { method: 'POST', body }),
  })
  if (!response.ok) throw new Error(`${at}: ${await response.text()}`)
  return (await response.json()) as Answer
}

/** One check after the other, as a shop with a visitor every few milliseconds. */
const liveChecks = (load: LoadProcess, server: Server) =>
  measure(load, server, { ...checksOf(server, numbers, 3000), connections: 1, requests: 3000, limitMs: 6000 })

async function besideLive(load: LoadProcess, server: Server) {
  const batch = batchOf(server)
  await wait(1000)
  const live = await liveChecks(load, server)
  await batch
  return live
}

function batchTable(first: Figures, reusing: readonly Figures[]): Table {
  const of = (figure: keyof Figures, scale = 1) => reusing.map((figures) => figures[figure] / scale)
  return {
    title: 'A batch of 100,000 numbers',
    rows: [
      row('answers reused: until all are known', 's', of('elapsedMs', 1000), { atMost: 20 }),
      row('… of that, sending', 's', of('sentMs', 1000)),
      row('… then reading the results', 's', of('readMs', 1000)),
      row('… CPU', 's', of('cpuSeconds')),
      row('… memory of the server, RSS', 'MB', of('mostRssMb')),
      row('memory of the server, grown by the batch', 'MB', of('grownRssMb'), { atMost: 200 }),
      answer('every number asked: until all are known', 's', [first.elapsedMs / 1000]),
      row('… CPU', 's', [first.cpuSeconds]),
      row('… memory of the server, RSS', 'MB', [first.mostRssMb]),
    ],
    notes: [
      'SIM swap of numbers whose operator is in an imported file. Each batch with reused answers begins on a server that has just started. ' +
        '16 calls of the operator at once, which answers at once.',
    ],
  }
}

type Live = Record<'p50Ms' | 'p99Ms', number>

function liveTable(alone: Live, beside: Live): Table {
  return {
    title: 'A live check beside a batch',
    rows: [
      answer('without a batch, p50', 'ms', [alone.p50Ms]),
      answer('… p99', 'ms', [alone.p99Ms]),
      answer('beside a batch, p50', 'ms', [beside.p50Ms]),
      answer('… p99', 'ms', [beside.p99Ms]),
    ],
    notes: ['One SIM swap check at a time; answers are reused.'],
  }
}
