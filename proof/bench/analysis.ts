// What does a whole device analysis cost? Engine call and push: recognition, signals, scores, velocity, rules and the store.

import { setTimeout as after } from 'node:timers/promises'
import { deviceFingerprint } from '../../server/src/device-report/calls/read-report.ts'
import { type InstallationKey, newInstallationKey } from '../../server/src/testing/installation-key.ts'
import { newCommits } from '../../server/src/testing/new-commits.ts'
import { median, quantile } from '../quantiles.ts'
import { type DeviceBench, openDeviceBench, type PreparedVisit } from './device-visits.ts'
import { answer, type Bench, cpuSeconds, inTurns, type Row, row, type Table, tableText } from './harness/harness.ts'
import { withResources } from './harness/processes.ts'
import type { SimulatedDevice } from './recognition/device.ts'
import { makePopulation, type Population } from './recognition/population.ts'
import { judgingRates } from './recognition/rates.ts'

/** `node proof/bench/analysis.ts [known devices]`, or as part of `npm run bench`. */
export const analysis: Bench = { name: 'analysis', run: () => run(100_000) }

const perRound = 800
/** Concurrent visits where throughput is measured. */
const together = 64

interface Device {
  readonly device: SimulatedDevice
  readonly key: InstallationKey
  token: string | undefined
}

/** How a visit is made: `carry` as the SDKs do it; `stored` at the engine call, and `unsigned`, as older SDKs do. */
type Way = 'carry' | 'stored' | 'unsigned'

const run = (known: number): Promise<Table[]> =>
  withResources(async (keep, folder) => [await measured(keep(await openDeviceBench(folder)), known, folder)])

async function measured(service: DeviceBench, known: number, folder: string): Promise<Table> {
  const visits = new Visits(service, known)
  const { dfrIds } = await visits.inGroups(visits.newOnes(known))
  const figures = async (visitors: readonly Device[], way?: Way) => {
    const { perCpuSecond, perSecond, tookMs } = await visits.inGroups(visitors, way)
    return { perCpuSecond, perSecond, p99Ms: quantile(tookMs, 0.99) }
  }
  const rates = await inTurns({
    new: () => figures(visits.newOnes(perRound)),
    returning: () => figures(visits.returning()),
    stored: () => figures(visits.returning(), 'stored'),
    unsigned: () => figures(visits.newOnes(perRound), 'unsigned'),
    cleared: () => figures(visits.cleared()),
    read: () => readReports(dfrIds, service),
  })
  const perSecond = median(rates.returning.perSecond) / 2
  const half = await inTurns({
    calm: async () => {
      const tookMs = await visits.atRate(visits.returning(), perSecond)
      return { p50Ms: quantile(tookMs, 0.5), p99Ms: quantile(tookMs, 0.99) }
    },
  })
  const commitsOf = (visitors: readonly Device[]) => visits.commitsOf(visitors, folder)
  const commits = [await commitsOf(visits.returning(10)), await commitsOf(visits.newOnes(10))]

  return {
    title: `Whole device analysis, ${known.toLocaleString('en')} devices known`,
    notes: [
      `Engine call and push by their handlers, without HTTP, with all signals, starter IP data and default rules; durable, embedded store; ${together} visits at once of a simulated population (docs/recognition.md).`,
      `At half the load: visits arrive at random, ${Math.round(perSecond)} per second on average. Store bytes include indexes and free space.`,
    ],
    rows: rowsOf({ rates, calm: half.calm, commits, bytes: await bytesOf(service) }),
  }
}

interface Figures {
  readonly rates: Readonly<
    Record<'new' | 'returning' | 'stored' | 'unsigned' | 'cleared' | 'read', { perCpuSecond: number[] }>
  > & { readonly returning: { p99Ms: number[] } }
  readonly calm: { readonly p50Ms: number[]; readonly p99Ms: number[] }
  readonly commits: readonly number[]
  readonly bytes: Awaited<ReturnType<typeof bytesOf>>
}

function rowsOf({ rates, calm, commits, bytes }: Figures): Row[] {
  const unit = 'analyses per CPU-second'
  const ms = 'ms'
  return [
    row('devices that return with their key', unit, rates.returning.perCpuSecond, { atLeast: 1500 }),
    row('… stored at the engine call', unit, rates.stored.perCpuSecond),
    answer('devices that return with storage cleared', unit, rates.cleared.perCpuSecond),
    row('new devices', unit, rates.new.perCpuSecond, { atLeast: 1000 }),
    row('… without a key, stored at the engine call', unit, rates.unsigned.perCpuSecond),
    answer('at half the load, p50', ms, calm.p50Ms),
    row('at half the load, p99', ms, calm.p99Ms, { atMost: 10 }),
    row(`with ${together} concurrent visits, p99`, ms, rates.returning.p99Ms),
    row('commits of a visit', 'durable commits', commits, { atMost: 1 }),
    answer('report read by dfrId', 'per CPU-second', rates.read.perCpuSecond),
    row('analysis with its report and visit', 'bytes of the store', [bytes.analysis], { atMost: 600 }),
    row('… of that sealed', 'bytes', [bytes.sealed]),
    answer('installation with its keys and history', 'bytes of the store', [bytes.device]),
  ]
}

interface Prepared {
  readonly one: Device
  readonly visit: PreparedVisit
}

/** The devices that came, and how they come again. */
class Visits {
  readonly #service: DeviceBench
  readonly #population: Population
  readonly #devices: Device[] = []
  #next = 0

  constructor(service: DeviceBench, known: number) {
    this.#service = service
    this.#population = makePopulation(known + 5 * perRound, 77, judgingRates)
  }

  newOnes(count: number): Device[] {
    const some = Array.from({ length: count }, () => withoutStorage(this.#population.newDevice()))
    this.#devices.push(...some)
    return some
  }

  returning(count = perRound): Device[] {
    return Array.from({ length: count }, () => this.#devices[(this.#next++ * 7919) % this.#devices.length]!)
  }

  cleared(): Device[] {
    return this.returning().map(({ device }) => withoutStorage(device))
  }

  /** A constant number of concurrent device visits, after their sessions have started. */
  async inGroups(visitors: readonly Device[], way: Way = 'carry') {
    const dfrIds: string[] = []
    const tookMs: number[] = []
    let [seconds, elapsedMs] = [0, 0]
    for (let from = 0; from < visitors.length; from += together) {
      this.#service.clock.time += 60_000
      const group = await this.#prepared(visitors.slice(from, from + together), way)
      const [before, start] = [cpuSeconds(), performance.now()]
      await Promise.all(
        group.map(async (visit) => {
          dfrIds.push(await this.#fingerprint(visit))
          tookMs.push(performance.now() - start)
        }),
      )
      seconds += cpuSeconds() - before
      elapsedMs += performance.now() - start
    }
    return { dfrIds, tookMs, perCpuSecond: visitors.length / seconds, perSecond: (1000 * visitors.length) / elapsedMs }
  }

  /** Visits at random times, on average `perSecond`; each is timed from the moment at which it was due. */
  async atRate(visitors: readonly Device[], perSecond: number): Promise<number[]> {
    const visits = await this.#prepared(visitors)
    const tookMs: number[] = []
    const start = performance.now()
    let dueMs = 0
    const under = visits.map(async (visit) => {
      dueMs += (-Math.log(1 - Math.random()) * 1000) / perSecond
      const due = start + dueMs
      await after(Math.max(0, due - performance.now()))
      await this.#fingerprint(visit)
      tookMs.push(performance.now() - due)
    })
    await Promise.all(under)
    return tookMs
  }

  /** Durable commits of one visit, from engine call to dfrId. */
  async commitsOf(visitors: readonly Device[], folder: string): Promise<number> {
    const visits = await this.#prepared(visitors)
    // An idle writer copies its log into the file; the next write starts the log again.
    await after(500)
    await this.#service.needs.database.ping()
    const commits = await newCommits(folder)
    for (const visit of visits) await this.#fingerprint(visit)
    return (await commits()) / visits.length
  }

  #prepared(visitors: readonly Device[], way: Way = 'carry'): Promise<Prepared[]> {
    return Promise.all(visitors.map((one) => this.#prepare(one, way)))
  }

  async #prepare(one: Device, way: Way): Promise<Prepared> {
    const { facts, address } = one.device.visit(Math.floor(this.#service.clock.time / 86_400_000) % 180)
    const headers = { 'user-agent': facts.userAgent ?? '' }
    const ofWay = { ...(way !== 'unsigned' && { key: one.key }), carry: way === 'carry' }
    return { one, visit: await this.#service.prepare({ facts, address, headers, ...ofWay }, one.token) }
  }

  async #fingerprint({ one, visit }: Prepared): Promise<string> {
    const { dfrId, deviceToken } = await this.#service.fingerprint(visit)
    one.token = deviceToken
    return dfrId
  }
}

const withoutStorage = (device: SimulatedDevice): Device => ({ device, key: newInstallationKey(), token: undefined })

async function readReports(dfrIds: readonly string[], { needs, tenantId }: DeviceBench) {
  const caller = { tenantId } as Parameters<typeof deviceFingerprint>[1]['caller']
  const before = cpuSeconds()
  for (let from = 0; from < 3000; from += together) {
    const some = dfrIds.slice(from, from + together)
    await Promise.all(some.map((dfrId) => deviceFingerprint({ dfrId, deviceType: 'WEB' }, { caller } as never, needs)))
  }
  return { perCpuSecond: 3000 / (cpuSeconds() - before) }
}

/** Of one row each, by the pages of its table and of the indexes of that. */
async function bytesOf({ database }: DeviceBench): Promise<{ analysis: number; sealed: number; device: number }> {
  const one = async (sql: string) => (await database.query<{ value: number }>(sql))[0]?.value ?? Number.NaN
  const pages = (tables: string) =>
    one(`select sum(pgsize) as value from dbstat
          where name in (select name from sqlite_schema where tbl_name in (${tables}))`)
  const [analyses, devices] = [
    await one('select count(*) as value from device_analysis'),
    await one('select count(*) as value from installation'),
  ]
  return {
    analysis: (await pages(`'device_analysis'`)) / analyses,
    sealed: await one('select avg(length(sealed)) as value from device_analysis'),
    device: (await pages(`'installation', 'device_key', 'new_device_key', 'device_history'`)) / devices,
  }
}

if (import.meta.main) for (const table of await run(Number(process.argv[2] ?? 100_000))) console.log(tableText(table))
