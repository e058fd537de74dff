// What does a telecom check cost the server, and how much later is its answer than the operator's own?

import path from 'node:path'
import { type Bench, inTurns, perCentOf, type Table } from './harness.ts'
import { importPortedNumbers, operatorIds, spread } from './number-data.ts'
import { withResources } from './processes.ts'
import type { BareHttpOptions } from './servers/bare-http.ts'
import type { RingfenceOptions } from './servers/ringfence.ts'
import { measure, type Requests, type Server, startLoad, startServer } from './servers.ts'

const numbersAsked = 10_000
export const simSwapPath = '/v1/telecom/sim-swap-check'
const operatorPath = '/sim-swap/v2/check'
const busy = { connections: 32, requests: 12_000, limitMs: 5_000 }
const alone = { connections: 1, requests: 2_000, limitMs: 5_000 }

export const telecom: Bench = {
  name: 'telecom',
  run: () =>
    withResources(async (keep, folder) => {
      const load = keep(await startLoad())
      const operator = keep(await startServer('operator', {}))
      const start = async (name: string, simSwapReuseSeconds: number) => {
        const dataFolder = path.join(folder, name)
        await importPortedNumbers(dataFolder, numbersAsked)
        const options = ringfenceOptions(operator, { dataFolder, simSwapReuseSeconds })
        return keep(await startServer('ringfence', options, path.join(folder, `${name}.log`)))
      }
      const reusing = await start('reusing', 86_400)
      const asking = await start('asking', 0)
      const same = await sameAnswer(reusing)
      const floor = keep(await startServer('bare-http', same))
      const upstream = { url: operator.url, path: operatorPath }
      const floorAsking = keep(await startServer('bare-http', { ...same, upstream } satisfies BareHttpOptions))

      const checks = (server: Server) => checksOf(server, numbersAsked)
      await measure(load, reusing, { ...checks(reusing), ...busy })
      for (const server of [asking, floor, floorAsking]) await measure(load, server, { ...checks(server), ...busy })
      const rates = await inTurns({
        floor: () => measure(load, floor, { ...checks(floor), ...busy }),
        reusing: () => measure(load, reusing, { ...checks(reusing), ...busy }),
        floorAsking: () => measure(load, floorAsking, { ...checks(floorAsking), ...busy }),
        asking: () => measure(load, asking, { ...checks(asking), ...busy }),
      })
      const direct = { path: operatorPath, headers: {}, bodies: checks(operator).bodies }
      const waits = await inTurns({
        direct: () => measure(load, operator, { ...direct, ...alone }),
        asking: () => measure(load, asking, { ...checks(asking), ...alone }),
        reusing: () => measure(load, reusing, { ...checks(reusing), ...alone }),
      })
      return [ratesTable(rates), waitsTable(waits)]
    }),
}

type Figures = Record<'perCpuSecond' | 'p50Ms' | 'p99Ms', number[]>

function ratesTable({ floor, reusing, floorAsking, asking }: Record<string, Figures>): Table {
  const unit = 'requests per CPU-second'
  return {
    title: 'SIM swap check: what a request costs the server',
    rows: [
      { what: 'bare node:http, the same bytes', unit, values: floor!.perCpuSecond },
      { what: 'Ringfence, answer reused', unit, values: reusing!.perCpuSecond, goal: { atLeast: 8_000 } },
      { what: '… of bare node:http', unit: '%', values: perCentOf(reusing!.perCpuSecond, floor!.perCpuSecond) },
      { what: 'bare node:http, one upstream call by undici', unit, values: floorAsking!.perCpuSecond },
      { what: 'Ringfence, one upstream call', unit, values: asking!.perCpuSecond, goal: { atLeast: 3_000 } },
      { what: '… of bare node:http', unit: '%', values: perCentOf(asking!.perCpuSecond, floorAsking!.perCpuSecond) },
    ],
    notes: [
      `${busy.connections} connections with one request under way on each, ${numbersAsked} numbers in turn. Ringfence reads the operator of ` +
        'each from an imported file of ported numbers and asks it by CAMARA; everything is on: credentials, rate limit, metrics, ' +
        'a log line for each request, written to a file. The operator answers at once, in a process of its own.',
    ],
  }
}

function waitsTable({ direct, asking, reusing }: Record<string, Figures>): Table {
  const added = asking!.p99Ms.map((value, round) => value - direct!.p99Ms[round]!)
  return {
    title: 'SIM swap check: how long an answer takes',
    rows: [
      { what: 'operator directly, p50', unit: 'ms', values: direct!.p50Ms },
      { what: 'operator directly, p99', unit: 'ms', values: direct!.p99Ms },
      { what: 'through Ringfence, p50', unit: 'ms', values: asking!.p50Ms },
      { what: 'through Ringfence, p99', unit: 'ms', values: asking!.p99Ms },
      { what: 'p99 added by Ringfence', unit: 'ms', values: added, goal: { atMost: 1 } },
      { what: 'answer reused, p50', unit: 'ms', values: reusing!.p50Ms },
      { what: 'answer reused, p99', unit: 'ms', values: reusing!.p99Ms },
    ],
    notes: ['One request at a time, on one connection.'],
  }
}

/** Ringfence with the operator of servers/operator.ts behind every id of the number data. */
export function ringfenceOptions(operator: Server, settings: RingfenceOptions['settings']): RingfenceOptions {
  return {
    settings: { clientRatePerSecond: 1_000_000, overloadDelayMs: 60_000, ...settings },
    parts: {
      connectors: {
        operator: {
          type: 'camara',
          baseUrl: operator.url,
          token: {
            endpoint: `${operator.url}/oauth2/token`,
            clientId: 'bench',
            authentication: 'client_secret_basic',
            clientSecret: { env: 'OPERATOR_SECRET' },
          },
          simSwap: {},
        } as { type: string },
      },
      portabilitySources: {},
      operators: operatorIds.map((id) => ({ id, name: `OPERATOR_${id.slice(4)}`, connector: 'operator' })),
    },
  }
}

/** SIM swap checks of so many different numbers. */
export function checksOf({ access }: Server, numbers: number): Pick<Requests, 'path' | 'headers' | 'bodies'> {
  const numberOf = spread(numbers)
  const bodies = Array.from({ length: numbers }, (_, i) => JSON.stringify({ phoneNumber: String(numberOf(i)) }))
  return { path: simSwapPath, headers: access, bodies }
}

/** What a server must answer to send the bytes that Ringfence sends. */
export async function sameAnswer(server: Server): Promise<BareHttpOptions> {
  const { path: at, headers, bodies } = checksOf(server, numbersAsked)
  const answer = await fetch(server.url + at, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: bodies[0]!,
  })
  const body = await answer.text()
  if (JSON.parse(body).success !== true) throw new Error(`the check failed: ${body}`)
  const { date: _, connection: __, 'keep-alive': ___, ...sent } = Object.fromEntries(answer.headers)
  return { headers: sent, body }
}
