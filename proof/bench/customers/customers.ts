// How long does an import of customers take in the embedded store, how large is it, and how fast does a sign-in find its customer?

import { statSync } from 'node:fs'
import { join } from 'node:path'
import { systemClock } from '../../../server/src/core/clock.ts'
import { keyring } from '../../../server/src/core/crypto/keyring.ts'
import { tenantKeyring } from '../../../server/src/core/crypto/tenant-keyring.ts'
import type { Database, SqlValue } from '../../../server/src/core/storage/database.ts'
import { openDatabase } from '../../../server/src/core/storage/open-database.ts'
import { sqliteFileName } from '../../../server/src/core/storage/sqlite/sqlite.ts'
import { customerWith } from '../../../server/src/sign-in/customers/customers.ts'
import { importCustomers } from '../../../server/src/sign-in/customers/import-customers.ts'
import { quantile } from '../../quantiles.ts'
import { answer, type Bench, cpuSeconds, row, type Table } from '../harness/harness.ts'
import { type Keep, withResources } from '../harness/processes.ts'

export const customers: Bench = {
  name: 'customers',
  run: () => withResources((keep, folder) => measured(200_000, keep, folder)),
}

export const customers10m: Bench = {
  name: 'customers-10m',
  onlyByName: true,
  run: () => withResources((keep, folder) => measured(10_000_000, keep, folder)),
}

const goals = { seconds: { atMost: 600 }, megabytes: { atMost: 2_500 }, reads: { atMost: 1 } }
const looks = 20_000

async function measured(count: number, keep: Keep, folder: string): Promise<Table[]> {
  const database = keep(await openDatabase(folder))
  const tenants = tenantKeyring(database, keyring(new Uint8Array(32)), systemClock)
  const { id: tenantId } = await tenants.createTenant('bench')
  const resources = { database, tenantKeyring: tenants }
  const before = cpuSeconds()
  let residentBytes = 0
  const onProgress = () => {
    residentBytes = Math.max(residentBytes, process.memoryUsage.rss())
  }
  const summary = await importCustomers({ tenantId, source: fileOf(count), dataFolder: folder, onProgress }, resources)
  const cpu = cpuSeconds() - before
  if (summary.added !== count) throw new Error(`${summary.added} of ${count} customers were added`)
  await database.overwriteDeleted?.()
  const bytes = statSync(join(folder, sqliteFileName)).size

  const counted = countingReads(database)
  const micros: number[] = []
  for (let look = 0; look < looks; look++) {
    const i = Math.floor(Math.random() * count)
    const began = performance.now()
    const identity = { identityType: 'MOBILE', identityValue: numberOf(i) } as const
    const found = await customerWith(tenantId, [identity], { ...resources, database: counted.database })
    micros.push((performance.now() - began) * 1000)
    if (found !== idOf(i)) throw new Error(`${numberOf(i)} found ${found}`)
  }
  const ofTen = (goal: { atMost: number }) => (count === 10_000_000 ? goal : undefined)
  return [
    {
      title: `${count.toLocaleString('en')} customers with a number and an email address each`,
      rows: [
        row('import', 's', [summary.durationMs / 1000], ofTen(goals.seconds)),
        answer('import', 'CPU-seconds', [cpu]),
        row('import, largest memory', 'MB', [residentBytes / 1e6]),
        row('on disk', 'MB', [bytes / 1e6], ofTen(goals.megabytes)),
        answer('on disk', 'bytes a customer', [bytes / count]),
        row('look-up', 'reads', [counted.reads() / looks], goals.reads),
        row('look-up, p50', 'µs', [quantile(micros, 0.5)]),
        answer('look-up, p99', 'µs', [quantile(micros, 0.99)]),
      ],
    },
  ]
}

const numberOf = (i: number) => String(917_020_000_000 + 7 * i)
const idOf = (i: number) => `0192f0c1-2b3c-4d5e-8f90-${i.toString(16).padStart(12, '0')}`

async function* fileOf(count: number): AsyncGenerator<Uint8Array> {
  yield Buffer.from('id,number,email\n')
  for (let from = 0; from < count; from += 1000) {
    const lines = Array.from(
      { length: Math.min(1000, count - from) },
      (_, i) => `${idOf(from + i)},${numberOf(from + i)},customer.${from + i}@shop.example\n`,
    )
    yield Buffer.from(lines.join(''))
  }
}

function countingReads(database: Database) {
  let reads = 0
  const query = <R>(sql: string, params?: readonly SqlValue[]) => {
    reads++
    return database.query<R>(sql, params)
  }
  return { database: { query }, reads: () => reads }
}
