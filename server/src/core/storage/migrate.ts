// How does a database get the migrations that it still needs?

import { readdir, readFile } from 'node:fs/promises'
import { setTimeout as after } from 'node:timers/promises'
import { type Clock, systemClock } from '../clock.ts'
import { type Database, LockTimeout, type Queryable, StorageUnavailable } from './database.ts'
import { oldestTransaction } from './postgres/activity.ts'
import { createLedger, judge, readLedger } from './upgrade/ledger.ts'
import {
  checksumOf,
  contractOf,
  droppedIndexes,
  type Migration,
  postgresStatements,
  sqliteStatements,
} from './upgrade/migration.ts'

/** How a start that waits or takes long reports it, and how long it waits for others. */
export interface Waiting {
  report(progress: string): void
  /** For the migrations of another server, and for transactions that use a table. */
  readonly waitMs: number
}

export const defaultWaiting: Waiting = { report: () => undefined, waitMs: 300_000 }

/** Of one migration; waits for locks are much shorter. */
export const migrationTimeoutMs = 3_600_000
/** Between two attempts to lock a table, calls that queued behind the first one are answered. */
const shortestPauseMs = 200
const longestPauseMs = 5_000

const schemaFolder = new URL('./schema/', import.meta.url)
const migrationsFolder = new URL('./migrations/', import.meta.url)

/**
 * The migrations of this program, in order: the first is all files of `schema/` together.
 * @throws Error when a file of `migrations/` has a wrong name or contract, or a number is missing or used twice
 */
export async function readMigrations(folder = migrationsFolder): Promise<Migration[]> {
  const baseline = (await sqlFilesOf(schemaFolder)).map(({ sql }) => sql).join('\n')
  const later = await sqlFilesOf(folder)
  for (const [index, { file }] of later.entries()) {
    const number = String(index + 2).padStart(4, '0')
    if (!new RegExp(`^${number}-[a-z0-9-]+\\.sql$`).test(file)) {
      throw new Error(`Migration ${file} must be named ${number}-what-it-adds.sql: each number once, none missing`)
    }
  }
  const migrations = later.map(({ file, sql }) => ({ name: file.replace(/\.sql$/, ''), sql }))
  for (const migration of migrations) contractOf(migration)
  return [{ name: '0001-baseline', sql: baseline }, ...migrations]
}

async function sqlFilesOf(folder: URL): Promise<{ file: string; sql: string }[]> {
  const files = (await readdir(folder)).filter((file) => file.endsWith('.sql')).sort()
  return Promise.all(files.map(async (file) => ({ file, sql: await readFile(new URL(file, folder), 'utf8') })))
}

/**
 * Applies the missing migrations in order, each in one transaction. Several processes may do this at the same time. On PostgreSQL,
 * `buildIndexes` does the rest.
 * @returns the names of the migrations that this call applied
 * @throws MigrationRefused when this program must not use the database; nothing is changed
 */
export async function migrate(
  database: Database,
  migrations: readonly Migration[],
  clock: Clock = systemClock,
  waiting: Waiting = defaultWaiting,
): Promise<string[]> {
  const applied: string[] = []
  for (;;) {
    const name = await applyNext(database, migrations, clock, waiting)
    if (name === undefined) return applied
    applied.push(name)
    const isNew = applied[0] === migrations[0]?.name
    if (!isNew) waiting.report(`Applied migration ${name}`)
  }
}

/** A table that is in use is left again soon, since every other call to it queues behind this one. */
async function applyNext(
  database: Database,
  migrations: readonly Migration[],
  clock: Clock,
  { report, waitMs }: Waiting,
): Promise<string | undefined> {
  const giveUpAt = performance.now() + waitMs
  let next: Migration | undefined
  const apply = async (tx: Queryable) => {
    await createLedger(tx)
    // Inside the transaction: of two processes, the second sees what the first applied.
    next = judge(await readLedger(tx), migrations).missing[0]
    if (next) await applyIn(tx, database.engine, next, clock)
    return next?.name
  }
  for (let pauseMs = shortestPauseMs; ; pauseMs = Math.min(2 * pauseMs, longestPauseMs)) {
    try {
      return await database.transaction(apply, migrationTimeoutMs)
    } catch (error) {
      if (!(error instanceof LockTimeout)) throw error
      const who = (await oldestTransaction(database)) ?? 'which has ended by now'
      if (performance.now() + pauseMs > giveUpAt) {
        throw new StorageUnavailable(
          `Migration ${next?.name} waited ${Math.round(waitMs / 1000)} s for a table that a transaction uses: ${who}. ` +
            'Wait until that transaction has ended, or end it with pg_terminate_backend; then start again',
          { cause: error, reason: 'time' },
        )
      }
      report(`Migration ${next?.name} waits for a table that a transaction uses: ${who}`)
      await after(pauseMs)
    }
  }
}

async function applyIn(tx: Queryable, engine: Database['engine'], migration: Migration, clock: Clock): Promise<void> {
  const { now, later } =
    engine === 'sqlite' ? { now: sqliteStatements(migration), later: [] } : postgresStatements(migration)
  for (const statement of now) await tx.query(statement)
  for (const name of droppedIndexes(now)) await tx.query('delete from schema_index where name = $1', [name])
  for (const { name } of later) {
    await tx.query('insert into schema_index (name, claimed_until) values ($1, 0)', [name])
  }
  const needs = contractOf(migration)
  if (needs !== undefined) {
    await tx.query('insert into schema_contract (name, needs) values ($1, $2)', [migration.name, needs])
  }
  await tx.query('insert into schema_migration (name, checksum, applied_at) values ($1, $2, $3)', [
    migration.name,
    checksumOf(migration),
    clock.now(),
  ])
}
