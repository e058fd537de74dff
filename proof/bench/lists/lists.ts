// How long does a look-up take in a list of a million entries, and how long until such a list is imported and in memory?

import { monitorEventLoopDelay } from 'node:perf_hooks'
import { pino } from 'pino'
import { parseAddress } from '../../../server/src/core/address/address.ts'
import { systemClock } from '../../../server/src/core/clock.ts'
import { keyring } from '../../../server/src/core/crypto/keyring.ts'
import { tenantKeyring } from '../../../server/src/core/crypto/tenant-keyring.ts'
import { metrics } from '../../../server/src/core/metrics/metrics.ts'
import { openDatabase } from '../../../server/src/core/storage/open-database.ts'
import type { InList } from '../../../server/src/rules/language/list.ts'
import { AddressTable } from '../../../server/src/rules/lists/address-table.ts'
import { never } from '../../../server/src/rules/lists/hash-table.ts'
import { importList } from '../../../server/src/rules/lists/import-list.ts'
import { rangeOf } from '../../../server/src/rules/lists/kinds.ts'
import { ListLookUps } from '../../../server/src/rules/lists/list-look-ups.ts'
import { Lists } from '../../../server/src/rules/lists/lists.ts'
import { answer, type Bench, cpuSeconds, inTurns, perCpuSecond, row, type Table } from '../harness/harness.ts'
import { type Keep, withResources } from '../harness/processes.ts'
import { eventsOf } from '../token-data.ts'

const million = 1_000_000
const name = 'a-million'

export const lists: Bench = { name: 'lists', run: () => withResources(measured) }

const numberOf = (i: number) => String(917_020_000_000 + 7 * i)

async function measured(keep: Keep, folder: string): Promise<Table[]> {
  const database = keep(await openDatabase(folder))
  const tenants = tenantKeyring(database, keyring(new Uint8Array(32)), systemClock)
  const { id: tenantId } = await tenants.createTenant('bench')
  const resources = { database, tenantKeyring: tenants, clock: systemClock }
  const stored = new Lists({ ...resources, events: eventsOf(database, tenants) })
  await stored.create(tenantId, { name, kind: 'phoneNumber', purpose: 'block' }, 'bench')
  const imports = await importOf(stored, tenantId)
  const again = await importOf(stored, tenantId)

  const look = new ListLookUps({ ...resources, log: pino({ level: 'silent' }), metrics: metrics(), mostBytes: 1e9 })
  const inListFor = (value: string): Promise<InList> =>
    look.forInput(tenantId, [{ list: name, path: 'phoneNumber', read: () => value }], {})
  const delay = monitorEventLoopDelay({ resolution: 1 })
  const began = performance.now()
  const cpuBefore = cpuSeconds()
  delay.enable()
  await inListFor(numberOf(1))
  const firstMs = performance.now() - began
  await look.memory.settled()
  delay.disable()
  const load = {
    firstMs,
    wallMs: performance.now() - began,
    cpuS: cpuSeconds() - cpuBefore,
    heldUpMs: delay.max / 1e6,
  }

  const inList = await inListFor(numberOf(1))
  const known = Array.from({ length: 50_000 }, () => numberOf(Math.floor(Math.random() * million)))
  const unknown = known.map((number) => `${number}1`)
  const { v4, v6, inside4, inside6, bytes: addressBytes } = addressTables()
  const now = systemClock.now() / 1000
  const rates = await inTurns({
    known: () => perCpuSecond(known, (number) => inList(name, number)),
    unknown: () => perCpuSecond(unknown, (number) => !inList(name, number)),
    v4: () => perCpuSecond(inside4, (text) => v4.has(parseAddress(text)!, now)),
    v6: () => perCpuSecond(inside6, (text) => v6.has(parseAddress(text)!, now)),
  })
  const microseconds = ({ perCpuSecond: values }: { perCpuSecond: number[] }) => values.map((rate) => 1e6 / rate)
  const bytes = look.memory.bytes / million
  await look.memory.close()
  const goal = { atMost: 1 }
  const unit = 'µs of CPU'
  return [
    {
      title: 'Look-ups in a list of a million entries',
      notes: ['As a rule does it: the value is normalised, hashed, and looked up with its expiry.'],
      rows: [
        row('phone number in the list', unit, microseconds(rates.known), goal),
        row('phone number not in the list', unit, microseconds(rates.unknown), goal),
        row('IPv4 address in a range', unit, microseconds(rates.v4), goal),
        row('IPv6 address in a range', unit, microseconds(rates.v6), goal),
        answer('memory, phone numbers', 'bytes an entry', [bytes]),
        answer('memory, IPv4 ranges', 'bytes an entry', [addressBytes]),
      ],
    },
    {
      title: 'A list of a million entries in the embedded store',
      notes: ['Read into memory in the background. Until it is complete, the store answers each look-up.'],
      rows: [
        answer('import', 'entries a second', [imports]),
        row('the same import again', 'entries a second', [again]),
        row('first look-up after a start', 'ms', [load.firstMs]),
        answer('in memory after', 's', [load.wallMs / 1000]),
        row('reading it into memory', 'CPU-seconds', [load.cpuS]),
        answer('event loop held up at most', 'ms', [load.heldUpMs]),
      ],
    },
  ]
}

async function importOf(stored: Lists, tenantId: string): Promise<number> {
  const { durationMs, added, unchanged } = await importList({
    ...{ lists: stored, clock: systemClock, tenantId, name, by: 'bench' },
    source: numbersFile(),
  })
  return (1000 * (added + unchanged)) / durationMs
}

async function* numbersFile(): AsyncGenerator<Uint8Array> {
  for (let i = 0; i < million; i += 1000) {
    yield Buffer.from(Array.from({ length: 1000 }, (_, j) => `${numberOf(i + j)}\n`).join(''))
  }
}

const lengths4 = [16, 18, 19, 20, 21, 22, 23, 24, 28, 32]
const lengths6 = [32, 36, 40, 48, 56, 64]
const random = (below: number) => Math.floor(Math.random() * below)
const randomAddress4 = () => [random(223) + 1, random(256), random(256), random(256)].join('.')
const randomAddress6 = () => `2001:${Array.from({ length: 7 }, () => random(65_536).toString(16)).join(':')}`
/** The first address of a range, which is in it. */
const hostOf = (range: string) => range.slice(0, range.indexOf('/'))

function addressTables() {
  const tableOf = (ranges: readonly string[]) => {
    const table = new AddressTable()
    for (const range of ranges) table.put(rangeOf(range)!, { from: 0, until: never })
    return table
  }
  const ranges4 = Array.from({ length: million }, (_, i) => `${randomAddress4()}/${lengths4[i % lengths4.length]}`)
  const ranges6 = Array.from({ length: 100_000 }, (_, i) => `${randomAddress6()}/${lengths6[i % lengths6.length]}`)
  const [v4, v6] = [tableOf(ranges4), tableOf(ranges6)]
  const [inside4, inside6] = [ranges4, ranges6].map((ranges) => ranges.slice(0, 50_000).map(hostOf))
  return { v4, v6, inside4: inside4!, inside6: inside6!, bytes: v4.bytes / v4.size }
}
