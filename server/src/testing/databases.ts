// How does a test get a database? Each test gets a new one with the whole schema, on both engines, within milliseconds.

import { randomUUID } from 'node:crypto'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client, Pool } from 'pg'
import type { Database } from '../core/storage/database.ts'
import { openDatabase } from '../core/storage/open-database.ts'
import { sqliteFileName } from '../core/storage/sqlite/sqlite.ts'
import { atEnd, type Ending } from './at-end.ts'
import { type PostgresServer, serverIn, startPostgres } from './postgres-server.ts'

/** Databases for tests. They are removed when the given test has ended. */
export interface TestDatabases {
  readonly engine: Database['engine']
  /** An empty database with the whole schema; closed with the test. */
  open(t: Ending): Promise<Database>
  /** The place of an empty database without a schema, for `openDatabase` or a command line. */
  place(t: Ending): Promise<string>
}

/**
 * Registers the same tests once for each engine:
 *
 *     eachDatabase(({ engine, open }) => {
 *       test(`a secret that was revoked stays revoked (${engine})`, async (t) => {
 *         const database = await open(t)
 */
export function eachDatabase(register: (databases: TestDatabases) => void): void {
  for (const databases of [sqliteDatabases, postgresDatabases]) register(databases)
}

/** Copies of one file with the schema, which each process makes once. */
export const sqliteDatabases = databases('sqlite', async (migrated) => {
  const folder = await mkdtemp(join(tmpdir(), 'ringfence-'))
  if (migrated) await writeFile(join(folder, sqliteFileName), await sqliteTemplate())
  return { place: folder, remove: () => rm(folder, { recursive: true, force: true }) }
})

/** Copies of one database with the schema, on the server of the whole run, or one for each process without scripts/test.ts. */
export const postgresDatabases = databases('postgres', async (migrated) => {
  const { server, admin } = await postgres()
  const name = `test_${randomUUID().replaceAll('-', '')}`
  // file_copy takes half the time of wal_log, the other strategy.
  await admin.query(`create database ${name} template ${migrated ? template : 'template0'} strategy file_copy`)
  return { place: server.url(name), remove: () => admin.query(`drop database ${name} with (force)`) }
})

const template = 'migrated'

interface Place {
  readonly place: string
  remove(): Promise<unknown>
}

function databases(engine: Database['engine'], make: (migrated: boolean) => Promise<Place>): TestDatabases {
  return {
    engine,
    async open(t) {
      const { place, remove } = await make(true)
      const database = await openDatabase(place)
      atEnd(t, async () => {
        await database.close() // first: PostgreSQL takes 100 ms to close open connections
        await remove()
      })
      return database
    },
    async place(t) {
      const { place, remove } = await make(false)
      atEnd(t, remove)
      return place
    },
  }
}

// The only state that outlives a test: a server and a schema for each one would take half a second.
const sqliteTemplate = once(async () => {
  const folder = await mkdtemp(join(tmpdir(), 'ringfence-'))
  await (await openDatabase(folder)).close()
  const bytes = await readFile(join(folder, sqliteFileName))
  await rm(folder, { recursive: true })
  return bytes
})

const postgres = once(async () => {
  const shared = process.env.RINGFENCE_TEST_POSTGRES
  const server = shared === undefined ? await startPostgres() : serverIn(shared)
  const admin = new Pool({ connectionString: server.url(), max: 2, allowExitOnIdle: true })
  await makeTemplate(server)
  return { server, admin }
})

/** The first process that needs the template makes it; others wait for that. */
async function makeTemplate(server: Pick<PostgresServer, 'url'>): Promise<void> {
  const client = new Client({ connectionString: server.url() })
  await client.connect()
  await client.query('select pg_advisory_lock(1)')
  const { rowCount } = await client.query('select 1 from pg_database where datname = $1', [template])
  if (rowCount === 0) {
    await client.query('create database migrating')
    await (await openDatabase(server.url('migrating'))).close()
    await client.query(`alter database migrating rename to ${template}`)
  }
  await client.end()
}

function once<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | undefined
  return () => {
    made ??= make()
    return made
  }
}
