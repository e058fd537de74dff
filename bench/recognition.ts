// How often is a device split in two, or two taken for one, when storage is cleared? And what does one recognition cost?

import { randomBytes } from 'node:crypto'
import { mkdtemp, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { blockingKeys, mostDevicesOfAKey } from '../server/src/device/recognition/blocking-keys.ts'
import { traitsOf } from '../server/src/device/recognition/components.ts'
import { portraitOf, saltOf } from '../server/src/device/recognition/portrait.ts'
import { type Visit as Asked, recognise } from '../server/src/device/recognition/recognise.ts'
import { keyring } from '../server/src/keyring.ts'
import type { Database } from '../server/src/storage/database.ts'
import { openDatabase } from '../server/src/storage/open-database.ts'
import { sqliteFileName } from '../server/src/storage/sqlite.ts'
import { tenantKeyring } from '../server/src/tenant-keyring.ts'
import { type Bench, cpuSeconds, type Table, tableText } from './harness.ts'
import type { SimulatedDevice, Visit } from './recognition/device.ts'
import { makePopulation } from './recognition/population.ts'
import { randomOf } from './recognition/random.ts'
import { judgingRates } from './recognition/rates.ts'
import { daysUntilReturn } from './recognition/trials.ts'

/** `npm run bench -- recognition`: ten and a hundred thousand devices. */
export const recognition: Bench = { name: 'recognition', run: () => measure([10_000, 100_000]) }
/** A million: an hour and 10 GB of memory. */
export const manyDevices: Bench = { name: 'recognition-1m', onlyByName: true, run: () => measure([1_000_000]) }

const seed = 424_242
/** Visits under way at once; the clock moves on between such groups. */
const together = 64
const mostReturns = 25_000

const desktops = ['Chromium', 'Firefox', 'Safari'] as const
type Group = (typeof desktops)[number] | 'Android' | 'iPhone'
function groupOf({ kind }: SimulatedDevice): Group {
  if (kind === 'androidChrome') return 'Android'
  if (kind === 'iphone') return 'iPhone'
  if (kind === 'macSafari') return 'Safari'
  return kind.endsWith('Firefox') ? 'Firefox' : 'Chromium'
}

interface Tracked {
  readonly device: SimulatedDevice
  readonly group: Group
  day: number
  id: string
}

const none = () => ({ returns: 0, splits: 0, visits: 0, merges: 0 })
type Counts = Record<Group, ReturnType<typeof none>>

async function measure(sizes: readonly number[]): Promise<Table[]> {
  const tables: Table[] = []
  for (const size of sizes) tables.push(await judged(size))
  return tables
}

async function judged(size: number): Promise<Table> {
  const folder = await mkdtemp(join(tmpdir(), 'ringfence-bench-'))
  const database = await openDatabase(folder)
  try {
    const { counts, cpuMicros, rows } = await play(size, database)
    await database.close()
    const bytes = (await stat(join(folder, sqliteFileName))).size / size
    const perCent = (part: number, whole: number) => [(100 * part) / Math.max(1, whole)]
    const rates = (what: string, groups: readonly Group[], mostSplits?: number) => {
      const of = (figure: keyof ReturnType<typeof none>) =>
        groups.reduce((sum, group) => sum + counts[group][figure], 0)
      return [
        {
          what: `${what}: split`,
          unit: '% of returns',
          values: perCent(of('splits'), of('returns')),
          ...(mostSplits === undefined ? {} : { goal: { atMost: mostSplits } }),
        },
        {
          what: `${what}: merged`,
          unit: '% of visits',
          values: perCent(of('merges'), of('visits')),
          goal: { atMost: 0.4 },
        },
      ]
    }
    return {
      title: `Recognition, ${size.toLocaleString('en')} devices`,
      notes: [
        'A simulated population (docs/recognition.md) with seeds and change rates that the weights were not fitted to. Each device comes once as new, up to three times with its token and then, after half a day to 180 days, with storage cleared. Split: it does not get its own id back. Merged: it gets another device’s id, at its first visit or at that return.',
      ],
      rows: [
        ...rates('desktops', desktops, 2),
        ...desktops.flatMap((group) => rates(`of these ${group}`, [group])),
        ...rates('Android', ['Android'], 5),
        ...rates('iPhones', ['iPhone']),
        { what: 'one recognition by likeness', unit: 'µs CPU, writes included', values: [cpuMicros] },
        { what: 'one recognition by likeness', unit: 'rows read', values: rows, goal: { atMost: 455 } },
        { what: 'a device', unit: 'bytes on disk', values: [bytes] },
      ],
    }
  } finally {
    await database.close()
    await rm(folder, { recursive: true, force: true })
  }
}

/** The whole life of a population: first visits, visits with tokens, returns with storage cleared. */
async function play(size: number, database: Database) {
  const random = randomOf(seed)
  const population = makePopulation(size, seed + 1, judgingRates)
  const clock = { time: Date.parse('2026-03-01T00:00:00Z'), now: () => clock.time }
  const keys = tenantKeyring(database, keyring(randomBytes(32)), clock)
  const { id: tenantId } = await keys.createTenant('bench')
  const ask = (visit: Omit<Asked, 'tenantId'>) =>
    recognise({ tenantId, ...visit }, { clock, database, tenantKeyring: keys })
  const salt = saltOf(await keys.keysOf(tenantId))
  /** Rows of keys that one question reads, and then of devices. */
  const rowsRead = async ({ facts, address }: Visit) => {
    const sizes = await Promise.all(
      blockingKeys(portraitOf(traitsOf(facts, address), salt), salt).map(async ({ key }) => {
        const holders = await database.query('select device_id from device_key where key = $1 limit 65', [key])
        return holders.length
      }),
    )
    const candidates = sizes
      .filter((devices) => devices <= mostDevicesOfAKey)
      .reduce((sum, devices) => sum + devices, 0)
    return sizes.reduce((sum, devices) => sum + devices, 0) + Math.min(16, candidates)
  }
  const counts: Counts = { Chromium: none(), Firefox: none(), Safari: none(), Android: none(), iPhone: none() }
  const owners = new Map<string, Tracked>()

  const devices = Array.from({ length: size }, (): Tracked => {
    const device = population.newDevice()
    return { device, group: groupOf(device), day: random.below(30), id: '' }
  })
  let micros = 0
  const visitAll = async (
    its: readonly Tracked[],
    next: (day: number) => number,
    seen: (one: Tracked, id: string) => void,
    hasToken: boolean,
  ) => {
    for (let from = 0; from < its.length; from += together) {
      const group = its.slice(from, from + together).map((one) => {
        one.day = next(one.day)
        return { one, visit: one.device.visit(one.day) }
      })
      clock.time += 60_000
      const before = cpuSeconds()
      const answers = await Promise.all(
        group.map(({ one, visit }) => ask({ ...visit, tokenDeviceId: hasToken ? one.id : undefined })),
      )
      micros += (cpuSeconds() - before) * 1e6
      for (const [index, { one }] of group.entries()) seen(one, answers[index]!.deviceId)
    }
  }

  await visitAll(
    devices,
    (day) => day,
    (one, id) => {
      counts[one.group].visits++
      if (owners.has(id)) counts[one.group].merges++
      else owners.set(id, one)
      one.id = id
    },
    false,
  )
  for (const part of [0.6, 0.4, 0.3]) {
    const its = devices.filter(() => random.chance(part))
    await visitAll(
      its,
      (day) => day + 1 + random.below(14),
      (one, id) => {
        if (!owners.has(id)) owners.set(id, one)
        one.id = id
      },
      true,
    )
  }
  const returning = devices.filter(() => random.chance(mostReturns / size))
  const asked = returning.slice(0, 500).map(({ device, day }) => device.visit(day))
  const rows: number[] = []
  for (const visit of asked) rows.push(await rowsRead(visit))
  micros = 0
  await visitAll(
    returning,
    (day) => day + daysUntilReturn(random.next()),
    (one, id) => {
      const its = counts[one.group]
      its.visits++
      its.returns++
      if (id !== one.id) its.splits++
      if (owners.has(id) && id !== one.id && owners.get(id) !== one) its.merges++
    },
    false,
  )
  return { counts, cpuMicros: micros / returning.length, rows }
}

if (import.meta.main) {
  for (const table of await measure(process.argv.slice(2).map(Number))) console.log(tableText(table))
}
