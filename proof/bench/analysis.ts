// What does a whole device analysis cost? Engine call and push: recognition, signals, scores, velocity, rules and the store.

import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { dropExpiredSessions } from '../../server/src/apps/session.ts'
import { deviceFingerprint } from '../../server/src/device/calls/read-report.ts'
import { type InstallationKey, newInstallationKey } from '../../server/src/testing/installation-key.ts'
import { newCommits } from '../../server/src/testing/new-commits.ts'
import { type DeviceBench, openDeviceBench, type PreparedVisit } from './device-visits.ts'
import { type Bench, cpuSeconds, inTurns, median, type Table, tableText } from './harness/harness.ts'
import type { SimulatedDevice } from './recognition/device.ts'
import { makePopulation } from './recognition/population.ts'
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

async function run(known: number): Promise<Table[]> {
  const folder = await mkdtemp(join(tmpdir(), 'ringfence-bench-'))
  const service = await openDeviceBench(folder)
  try {
    return [await measured(service, known, folder)]
  } finally {
    await service.close()
    await rm(folder, { recursive: true, force: true })
  }
}

async function measured(service: DeviceBench, known: number, folder: string): Promise<Table> {
  const { platform, clock, tenantId } = service
  const population = makePopulation(known + 5 * perRound, 77, judgingRates)
  const devices: Device[] = []
  const newOnes = (count: number) => {
    const some = Array.from({ length: count }, () => ({
      device: population.newDevice(),
      key: newInstallationKey(),
      token: undefined,
    }))
    devices.push(...some)
    return some
  }
  let next = 0
  const returning = (count = perRound) =>
    Array.from({ length: count }, () => devices[(next++ * 7919) % devices.length]!)
  const cleared = () =>
    returning().map(({ device }): Device => ({ device, key: newInstallationKey(), token: undefined }))

  const prepare = async (one: Device, way: Way) => {
    const { facts, address } = one.device.visit(Math.floor(clock.time / 86_400_000) % 180)
    const headers = { 'user-agent': facts.userAgent ?? '' }
    const ofWay = { ...(way !== 'unsigned' && { key: one.key }), carry: way === 'carry' }
    return { one, visit: await service.prepare({ facts, address, headers, ...ofWay }, one.token) }
  }
  const fingerprint = async ({ one, visit }: { one: Device; visit: PreparedVisit }) => {
    const { dfrId, deviceToken } = await service.fingerprint(visit)
    one.token = deviceToken
    return dfrId
  }

  /** A constant number of concurrent device visits, after their sessions have started. */
  const inGroups = async (visitors: readonly Device[], way: Way = 'carry') => {
    const dfrIds: string[] = []
    const tookMs: number[] = []
    let [seconds, elapsedMs] = [0, 0]
    for (let from = 0; from < visitors.length; from += together) {
      clock.time += 60_000
      const group = await Promise.all(visitors.slice(from, from + together).map((one) => prepare(one, way)))
      const [before, start] = [cpuSeconds(), performance.now()]
      await Promise.all(
        group.map(async (visit) => {
          dfrIds.push(await fingerprint(visit))
          tookMs.push(performance.now() - start)
        }),
      )
      seconds += cpuSeconds() - before
      elapsedMs += performance.now() - start
    }
    return { dfrIds, tookMs, perCpuSecond: visitors.length / seconds, perSecond: (1000 * visitors.length) / elapsedMs }
  }

  /** Visits at random times, on average `perSecond`; each is timed from the moment at which it was due. */
  const atRate = async (visitors: readonly Device[], perSecond: number) => {
    const visits = await Promise.all(visitors.map((one) => prepare(one, 'carry')))
    const tookMs: number[] = []
    const start = performance.now()
    let dueMs = 0
    const under = visits.map(async (visit) => {
      dueMs += (-Math.log(1 - Math.random()) * 1000) / perSecond
      const due = start + dueMs
      await new Promise((resolve) => setTimeout(resolve, Math.max(0, due - performance.now())))
      await fingerprint(visit)
      tookMs.push(performance.now() - due)
    })
    await Promise.all(under)
    return tookMs
  }

  /** Durable commits of one visit, from engine call to dfrId. */
  const commitsOf = async (visitors: readonly Device[], way: Way) => {
    const visits = await Promise.all(visitors.map((one) => prepare(one, way)))
    // An idle writer copies its log into the file; the next write starts the log again.
    await new Promise((resolve) => setTimeout(resolve, 500))
    await platform.database.ping()
    const commits = await newCommits(folder)
    for (const visit of visits) await fingerprint(visit)
    return (await commits()) / visits.length
  }

  const { dfrIds } = await inGroups(newOnes(known))
  const caller = { tenantId } as Parameters<typeof deviceFingerprint>[1]['caller']
  const read = async () => {
    const before = cpuSeconds()
    for (let from = 0; from < 3000; from += together) {
      const some = dfrIds.slice(from, from + together)
      await Promise.all(
        some.map((dfrId) => deviceFingerprint({ dfrId, deviceType: 'WEB' }, { caller } as never, platform)),
      )
    }
    return { perCpuSecond: 3000 / (cpuSeconds() - before) }
  }
  const figures = async (visitors: readonly Device[], way?: Way) => {
    const { perCpuSecond, perSecond, tookMs } = await inGroups(visitors, way)
    return { perCpuSecond, perSecond, p99Ms: quantile(tookMs, 0.99) }
  }
  const rates = await inTurns({
    new: () => figures(newOnes(perRound)),
    returning: () => figures(returning()),
    stored: () => figures(returning(), 'stored'),
    unsigned: () => figures(newOnes(perRound), 'unsigned'),
    cleared: () => figures(cleared()),
    read,
  })
  const half = median(rates.returning.perSecond) / 2
  const calm = await inTurns({
    half: async () => {
      const tookMs = await atRate(returning(), half)
      return { p50Ms: quantile(tookMs, 0.5), p99Ms: quantile(tookMs, 0.99) }
    },
  })
  const commits = [await commitsOf(returning(10), 'carry'), await commitsOf(newOnes(10), 'carry')]

  clock.time += 3_600_000
  await dropExpiredSessions(platform)
  const bytes = await bytesOf(service)
  const unit = 'analyses per CPU-second'
  const ms = 'ms from engine call to dfrId'
  return {
    title: `Whole device analysis, ${known.toLocaleString('en')} devices known`,
    notes: [
      `Engine call and push by their handlers, without HTTP: signature verified, facts checked, device recognised, signals, IP look-up, scores, velocity, default rules, everything durable on the embedded store; ${together} concurrent visits. A simulated population (docs/recognition.md). CPU of all threads, sealing included. The push brings the analysis (\`carry\`), except where the row says otherwise.`,
      `At half the load: visits arrive at random, ${Math.round(half)} per second on average, which is half of this machine’s rate with ${together} concurrent visits; each is timed from the moment at which it was due.`,
      'Store bytes are all pages, with indexes and free space, divided by the number of rows. The starter IP data are loaded, the IP lists are not.',
    ],
    rows: [
      {
        what: 'devices that return with their key',
        unit,
        values: rates.returning.perCpuSecond,
        goal: { atLeast: 1500 },
      },
      { what: '… stored at the engine call', unit, values: rates.stored.perCpuSecond },
      { what: 'devices that return with storage cleared', unit, values: rates.cleared.perCpuSecond },
      { what: 'new devices', unit, values: rates.new.perCpuSecond, goal: { atLeast: 1000 } },
      { what: '… without a key, stored at the engine call', unit, values: rates.unsigned.perCpuSecond },
      { what: 'at half the load, p50', unit: ms, values: calm.half.p50Ms },
      { what: 'at half the load, p99', unit: ms, values: calm.half.p99Ms, goal: { atMost: 10 } },
      { what: `with ${together} concurrent visits, p99`, unit: ms, values: rates.returning.p99Ms },
      { what: 'commits of a visit', unit: 'durable commits', values: commits, goal: { atMost: 1 } },
      { what: 'report read by dfrId', unit: 'per CPU-second', values: rates.read.perCpuSecond },
      {
        what: 'analysis with its report and visit',
        unit: 'bytes of the store',
        values: [bytes.analysis],
        goal: { atMost: 600 },
      },
      { what: '… of that sealed', unit: 'bytes', values: [bytes.sealed] },
      { what: 'installation with its keys and history', unit: 'bytes of the store', values: [bytes.device] },
    ],
  }
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

const quantile = (values: readonly number[], share: number) =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length * share)]!

if (import.meta.main) for (const table of await run(Number(process.argv[2] ?? 100_000))) console.log(tableText(table))
