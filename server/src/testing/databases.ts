// How does a test get a database? A fresh, migrated one for each test, on both engines, for a few milliseconds.

import { randomUUID } from 'node:crypto'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestContext } from 'node:test'
import { Pool } from 'pg'
import type { Database } from '../storage/database.ts'
import { openDatabase } from '../storage/open-database.ts'
import { sqliteFileName } from '../storage/sqlite/sqlite.ts'
import { startPostgres } from './postgres-server.ts'

/** A test, or whatever else has an end at which to clean up. */
export type Ending = Pick<TestContext, 'after'>

/** What a test asks its databases of. All are removed when the test that is given has ended. */
export interface TestDatabases {
  readonly engine: Database['engine']
  /** An empty database with the whole schema; closed with the test. */
  open(t: Ending): Promise<Database>
  /** The place, for `openDatabase` or a server's command line, of an empty database without any schema yet. */
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

/** Copies of one migrated file, made once for this process. */
export const sqliteDatabases = databases('sqlite', async (migrated) => {
  const folder = await mkdtemp(join(tmpdir(), 'ringfence-'))
  if (migrated) await writeFile(join(folder, sqliteFileName), await sqliteTemplate())
  return { place: folder, remove: () => rm(folder, { recursive: true, force: true }) }
})

/** Copies of one migrated database, on one server of this process's own. */
export const postgresDatabases = databases('postgres', async (migrated) => {
  const { server, admin, template } = await postgres()
  const name = `test_${randomUUID().replaceAll('-', '')}`
  // Copying files takes half the time of writing the copy to the log, PostgreSQL's other way.
  await admin.query(`create database ${name} template ${migrated ? template : 'template0'} strategy file_copy`)
  return { place: server.url(name), remove: () => admin.query(`drop database ${name} with (force)`) }
})

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
      t.after(async () => {
        await database.close() // first: PostgreSQL takes 100 ms to throw out who is still connected
        await remove()
      })
      return database
    },
    async place(t) {
      const { place, remove } = await make(false)
      t.after(remove)
      return place
    },
  }
}

// The only state that outlives a test: starting a server and migrating for each one would take half a second.
const sqliteTemplate = once(async () => {
  const folder = await mkdtemp(join(tmpdir(), 'ringfence-'))
  await (await openDatabase(folder)).close()
  const bytes = await readFile(join(folder, sqliteFileName))
  await rm(folder, { recursive: true })
  return bytes
})

const postgres = once(async () => {
  const server = await startPostgres()
  const admin = new Pool({ connectionString: server.url(), max: 2, allowExitOnIdle: true })
  await admin.query('create database migrated')
  await (await openDatabase(server.url('migrated'))).close()
  return { server, admin, template: 'migrated' }
})

function once<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | undefined
  return () => {
    made ??= make()
    return made
  }
}
