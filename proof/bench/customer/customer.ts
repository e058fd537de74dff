// What does a customer pay? A tenant with an app, default rules, events and a webhook: one, four and sixty-four at once, and at random.

import path from 'node:path'
import { endpoints } from '@ringfence/contract'
import { bodiesOf, createShop, unlimited } from '../decisions/decisions.ts'
import { addWebhook } from '../events/events.ts'
import { checksOf, ringfenceOptions, startOperator } from '../harness/checks.ts'
import { answer, type Bench, inTurns, type Row, row, type Table } from '../harness/harness.ts'
import { type Keep, startProcess, withResources } from '../harness/processes.ts'
import {
  type LoadProcess,
  type Measured,
  measure,
  measured,
  type Server,
  startLoad,
  startServer,
} from '../harness/servers.ts'
import { importPortedNumbers } from '../number-data.ts'
import { fillWithTokens, withStore } from '../token-data.ts'
import type { Visited, Visiting, VisitingOptions } from './visiting.ts'

const numbers = 30_000
const tokens = 20_000
const devices = 2_000
const concurrences = [1, 4, 64] as const
/** A round lasts about a second of CPU: so many requests, and visits. */
const requests = 3_000
const visits = 320

const asked = [
  'SIM swap check, one call of the operator',
  'token verification',
  'decision: sign-in, device and account',
  'device visit, engine call to report',
] as const
export type Asked = (typeof asked)[number]

/** µs of CPU at so many at once, and of a p99. */
const goals: Readonly<Record<string, Readonly<Record<number, number>> & { readonly p99Ms?: number }>> = {
  'SIM swap check, one call of the operator': { 64: 300 },
  'decision: sign-in, device and account': { 64: 600 },
  'device visit, engine call to report': { 1: 2500, 4: 2000, 64: 1000, p99Ms: 10 },
}

/** How load arrives. */
interface Arrival {
  readonly atOnce: number
  /** At random, so many a second on average. */
  readonly perSecond?: number
}

/** Puts this load on a server once. */
type Flow = (arrival: Arrival) => Promise<Measured>

export const customer: Bench = {
  name: 'customer',
  run: () =>
    withResources(async (keep, folder) => [
      await measuredTable((await startCustomer(keep, folder, { hasWebhook: true })).flows),
    ]),
}

export interface Customer {
  readonly access: Server['access']
  readonly flows: Readonly<Record<Asked, Flow>>
}

/**
 * A service with what a customer has, and the requests that a customer makes; each device has been there once.
 * `access`: of an earlier start in this folder, whose store it goes on with.
 */
export async function startCustomer(
  keep: Keep,
  folder: string,
  { hasWebhook, access }: { readonly hasWebhook: boolean; readonly access?: Server['access'] },
): Promise<Customer> {
  const load = keep(await startLoad())
  const operator = keep(await startOperator())
  const receiver = hasWebhook ? keep(await startServer('bare-http', { headers: {}, body: '' })) : undefined
  const dataFolder = path.join(folder, 'customer')
  await importPortedNumbers(dataFolder, numbers)
  const settings = { dataFolder, webhookTargets: 'any', tokenLifetimeSeconds: 3600, ...unlimited } as const
  const many = { decisionTokenUses: 'many', simSwapReuseSeconds: 0 } as const
  const options = ringfenceOptions(operator, { ...settings, ...many })
  const server = keep(await startServer('ringfence', { ...options, access }, path.join(folder, 'log')))
  if (receiver) await withStore({ dataFolder }, (store) => addWebhook(store, receiver.url))
  const app = await createShop({ dataFolder })
  const page: VisitingOptions = { url: server.url, appId: app.id, access: server.access, devices }
  const browsers = keep(await startProcess<Visiting, Visited>('customer/visiting.ts', page))
  const { uniform } = await withStore({ dataFolder }, (store) => fillWithTokens(store, tokens))
  const { whole } = await bodiesOf(server, app)
  const asking = (at: string, bodies: readonly string[]) => flowOf(load, server, at, bodies)
  const visiting: Flow = async (arrival) => {
    await browsers.ask({ prepare: visits })
    return measured(server, () => browsers.ask(arrival))
  }
  for (let come = 0; come < devices; come += visits) await visiting({ atOnce: 16 })
  const flows = {
    'SIM swap check, one call of the operator': asking(checksOf(server, 1).path, checksOf(server, numbers).bodies),
    'token verification': asking(
      endpoints.validateToken.path,
      uniform.map((token) => JSON.stringify({ token })),
    ),
    'decision: sign-in, device and account': asking(endpoints.decide.path, whole),
    'device visit, engine call to report': visiting,
  }
  return { access: server.access, flows }
}

const flowOf =
  (load: LoadProcess, server: Server, at: string, bodies: readonly string[]): Flow =>
  ({ atOnce, perSecond }) =>
    measure(load, server, {
      path: at,
      headers: server.access,
      bodies,
      requests: atOnce === 1 ? requests / 3 : requests,
      connections: atOnce,
      limitMs: 10_000,
      ...(perSecond !== undefined && { perSecond }),
    })

const judged = (what: string, unit: string, values: readonly number[], atMost: number | undefined): Row =>
  atMost === undefined ? answer(what, unit, values) : row(what, unit, values, { atMost })

async function measuredTable(flows: Readonly<Record<string, Flow>>): Promise<Table> {
  const rows: Row[] = []
  for (const [name, flow] of Object.entries(flows)) {
    await flow({ atOnce: 64 })
    const by = await inTurns(Object.fromEntries(concurrences.map((atOnce) => [atOnce, () => flow({ atOnce })])))
    const half = Math.min(...by[64]!.perSecond!) / 2
    const calm = await inTurns({ half: () => flow({ atOnce: 64, perSecond: half }) })
    const cpu = (values: readonly number[]) => values.map((rate) => 1e6 / rate)
    rows.push(
      ...concurrences.map((atOnce) => {
        const [what, values, atMost] = [
          `${name}, ${atOnce} at once`,
          cpu(by[atOnce]!.perCpuSecond!),
          goals[name]?.[atOnce],
        ]
        // Without a goal, the page has two: alone, and at full load.
        const isPrinted = atOnce === 4 && atMost === undefined
        return isPrinted ? row(what, 'µs of CPU', values) : judged(what, 'µs of CPU', values, atMost)
      }),
      row('… at half the load', 'µs of CPU', cpu(calm.half.perCpuSecond)),
      judged('… at half the load, p99', 'ms', calm.half.p99Ms, goals[name]?.p99Ms),
    )
  }
  return {
    title: 'One request of a customer',
    rows,
    notes: [
      'A tenant with an app, default rules and a webhook for all events, over HTTP, embedded store; with the CPU of the deliveries. ' +
        `${devices.toLocaleString('en')} devices that return. ` +
        'At half the load: requests arrive at random, at half of the rate of 64 at once, and are timed from the moment at which they were due.',
    ],
  }
}
