// How many durable writes and point reads does each engine do, compared with the bare driver?

import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { Pool } from 'pg'
import type { Database, SqlValue } from '../../server/src/core/storage/database.ts'
import { openDatabase } from '../../server/src/core/storage/open-database.ts'
import { sqliteFileName } from '../../server/src/core/storage/sqlite/sqlite.ts'
import { startPostgres } from '../../server/src/testing/postgres-server.ts'
import { answer, type Bench, cpuSeconds, inTurns, row, type Table } from './harness/harness.ts'
import { type Keep, withResources } from './harness/processes.ts'

const rowsAtStart = 100_000
const turnMs = 500
const sealed = randomBytes(300)

const insert =
  'insert into telecom_answer (tenant_id, number_hash, question, sealed, answered_at, expires_at) values ($1, $2, $3, $4, $5, $6)'
const read = 'select sealed, expires_at from telecom_answer where tenant_id = $1 and number_hash = $2 and question = $3'
const sqliteText = (sql: string) => sql.replaceAll('$', '?')

export const storage: Bench = { name: 'storage', run: () => withResources(measured) }

async function measured(keep: Keep, folder: string): Promise<Table[]> {
  const server = keep(await startPostgres({ durable: true }))
  const sqlite = keep(await openDatabase(join(folder, 'ours')))
  const postgres = keep(await openDatabase(server.url()))
  await (await openDatabase(join(folder, 'bare'))).close()
  const bareSqlite = keep(new DatabaseSync(join(folder, 'bare', sqliteFileName)))
  bareSqlite.exec('pragma synchronous = full; pragma mmap_size = 2147418112')
  const barePostgres = new Pool({ connectionString: server.url(), max: 10 })
  keep({ stop: () => barePostgres.end() })
  const hashes = Array.from({ length: rowsAtStart }, () => randomBytes(32))
  const someKey = () => keyOf(hashes[Math.floor(Math.random() * rowsAtStart)]!)
  await fill(hashes, [sqlite, postgres], bareSqlite)
  const sqliteValues = await inTurns({ ...engineTurns(sqlite, someKey), ...bareSqliteTurns(bareSqlite, someKey) })
  const postgresValues = await inTurns({
    ...engineTurns(postgres, someKey),
    ...barePostgresTurns(barePostgres, someKey),
  })
  return [table('SQLite', sqliteValues), table('PostgreSQL', postgresValues)]
}

function newRow(): SqlValue[] {
  return rowOf(randomBytes(32))
}

function rowOf(hash: Uint8Array): SqlValue[] {
  return [...keyOf(hash), sealed, 1_700_000_000_000, 1_700_000_360_000]
}

function keyOf(hash: Uint8Array): SqlValue[] {
  return ['bench', hash, 'sim-swap']
}

async function fill(hashes: Uint8Array[], databases: Database[], bareSqlite: DatabaseSync): Promise<void> {
  const inserting = bareSqlite.prepare(sqliteText(insert))
  bareSqlite.exec('begin')
  for (const hash of hashes) inserting.run(...rowOf(hash))
  bareSqlite.exec('commit')
  for (let at = 0; at < hashes.length; at += 1000) {
    const slice = hashes.slice(at, at + 1000)
    for (const database of databases) await Promise.all(slice.map((hash) => database.query(insert, rowOf(hash))))
  }
}

interface Rates {
  [figure: string]: number
  perSecond: number
  perCpuSecond: number
}

type Turns = Record<string, () => Promise<Rates>>

/** Runs `some` (it returns a count) again and again for one round. */
function turn(some: () => Promise<number>): () => Promise<Rates> {
  return async () => {
    const [began, cpu] = [performance.now(), cpuSeconds()]
    let done = 0
    while (performance.now() - began < turnMs) done += await some()
    return { perSecond: (1000 * done) / (performance.now() - began), perCpuSecond: done / (cpuSeconds() - cpu) }
  }
}

function engineTurns(database: Database, someKey: () => SqlValue[]): Turns {
  const atOnce = (count: number, sql: string, params: () => SqlValue[]) =>
    turn(async () => (await Promise.all(Array.from({ length: count }, () => database.query(sql, params())))).length)
  return {
    'inserts, one by one': atOnce(1, insert, newRow),
    'inserts, 100 at once': atOnce(100, insert, newRow),
    'inserts, 1,000 at once': atOnce(1000, insert, newRow),
    'point reads, 100 at once': atOnce(100, read, someKey),
  }
}

function bareSqliteTurns(database: DatabaseSync, someKey: () => SqlValue[]): Turns {
  const [inserting, reading] = [database.prepare(sqliteText(insert)), database.prepare(sqliteText(read))]
  const inOneTransaction = (count: number) =>
    turn(async () => {
      database.exec('begin immediate')
      for (let i = 0; i < count; i++) inserting.run(...newRow())
      database.exec('commit')
      return count
    })
  return {
    'bare node:sqlite: inserts, one by one': inOneTransaction(1),
    'bare node:sqlite: inserts, 1,000 in one transaction': inOneTransaction(1000),
    'bare node:sqlite: point reads': turn(async () => {
      for (let i = 0; i < 100; i++) reading.all(...someKey())
      return 100
    }),
  }
}

function barePostgresTurns(pool: Pool, someKey: () => SqlValue[]): Turns {
  const atOnce = (count: number, name: string, text: string, params: () => SqlValue[]) =>
    turn(async () => {
      await Promise.all(Array.from({ length: count }, () => pool.query({ name, text, values: params() })))
      return count
    })
  return {
    'bare pg: inserts, one by one': atOnce(1, 'insert', insert, newRow),
    'bare pg: inserts, 100 at once': atOnce(100, 'insert', insert, newRow),
    'bare pg: point reads, 100 at once': atOnce(100, 'read', read, someKey),
  }
}

/** The page has the rate under load, which sizes an installation; one by one and the floors are only printed. */
const asked = (what: string) => (what.endsWith(' 100 at once') && !what.startsWith('bare ') ? answer : row)

function table(engine: string, values: Record<string, Record<string, number[]>>): Table {
  const rows = Object.entries(values).flatMap(([what, { perSecond = [], perCpuSecond = [] }]) => [
    asked(what)(what, 'per second', perSecond),
    asked(what)(what, 'per CPU-second', perCpuSecond),
  ])
  return { title: `Storage on ${engine}, ${rowsAtStart.toLocaleString('en')} rows at the start`, rows }
}
