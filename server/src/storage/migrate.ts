// Which migrations does a database still need? It is refused when its migrations are not those of this program.

import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { type Clock, systemClock } from '../clock.ts'
import type { Database, Queryable } from './database.ts'
import { splitStatements } from './statement.ts'

export interface Migration {
  /** `NNNN-what-it-adds`, the name of the file. */
  readonly name: string
  readonly sql: string
}

/** This program must not use this database. The message says what to do. */
export class MigrationRefused extends Error {
  override name = 'MigrationRefused'
}

/** An index over a large table takes long to build. */
const migrationTimeoutMs = 3_600_000

const schemaFolder = new URL('./schema/', import.meta.url)
const migrationsFolder = new URL('./migrations/', import.meta.url)

const createLedger = `create table if not exists schema_migration (
  name text not null primary key,
  checksum text not null,
  applied_at bigint not null
)`

/**
 * The migrations of this program, in order: the first is the schema of the first release, all files of `schema/` together.
 * @throws Error when a file of `migrations/` has a wrong name, or a number is missing or used twice
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
  return [
    { name: '0001-baseline', sql: baseline },
    ...later.map(({ file, sql }) => ({ name: file.replace(/\.sql$/, ''), sql })),
  ]
}

async function sqlFilesOf(folder: URL): Promise<{ file: string; sql: string }[]> {
  const files = (await readdir(folder)).filter((file) => file.endsWith('.sql')).sort()
  return Promise.all(files.map(async (file) => ({ file, sql: await readFile(new URL(file, folder), 'utf8') })))
}

/**
 * Applies the missing migrations in order, each in one transaction. Several processes may do this at the same time.
 * @returns the names of the migrations that this call applied
 * @throws MigrationRefused when the database has migrations that this program does not know; nothing is changed
 */
export async function migrate(
  database: Database,
  migrations: readonly Migration[],
  clock: Clock = systemClock,
): Promise<string[]> {
  const applied: string[] = []
  for (;;) {
    const apply = (tx: Queryable) => applyNext(tx, database.engine, migrations, clock)
    const name = await database.transaction(apply, migrationTimeoutMs)
    if (name === undefined) return applied
    applied.push(name)
  }
}

/** Reads the ledger inside the transaction: of two processes, the second sees what the first applied. */
async function applyNext(
  tx: Queryable,
  engine: Database['engine'],
  migrations: readonly Migration[],
  clock: Clock,
): Promise<string | undefined> {
  await tx.query(createLedger)
  const applied = await tx.query<{ name: string; checksum: string }>(
    'select name, checksum from schema_migration order by name',
  )
  for (const [index, { name, checksum }] of applied.entries()) refuseUnknown(name, checksum, migrations[index])
  const next = migrations[applied.length]
  if (!next) return undefined
  for (const statement of splitStatements(textFor(engine, next))) await tx.query(statement)
  await tx.query('insert into schema_migration (name, checksum, applied_at) values ($1, $2, $3)', [
    next.name,
    checksumOf(next),
    clock.now(),
  ])
  return next.name
}

/** What only SQLite accepts is in a comment, which PostgreSQL ignores: `/* sqlite: without rowid *\/`. */
function textFor(engine: Database['engine'], { sql }: Migration): string {
  return engine === 'sqlite' ? sql.replace(/\/\* sqlite: (.*?) \*\//g, '$1') : sql
}

function refuseUnknown(name: string, checksum: string, known: Migration | undefined): void {
  if (!known) {
    throw new MigrationRefused(
      `The database has migration ${name}, which this version does not know: a newer Ringfence has used it. ` +
        'Start that version or a later one, or restore a backup from before the upgrade.',
    )
  }
  if (known.name !== name) {
    throw new MigrationRefused(
      `The database has migration ${name} where this version has ${known.name}: ` +
        'it belongs to another program, or to a version with other migrations. Start the version that created it.',
    )
  }
  if (checksumOf(known) !== checksum) {
    throw new MigrationRefused(
      `Migration ${name} was edited after the database had applied it, so the two no longer match. ` +
        'Restore the file, and make the change in a new migration; or, before the first release, start with a new data folder.',
    )
  }
}

/** Ignores comments and white space, which may change later: `--` occurs in no text of a migration. */
export function checksumOf({ sql }: Migration): string {
  const statements = sql.replaceAll(/--.*/g, '').replaceAll(/\s+/g, ' ').trim()
  return createHash('sha256').update(statements).digest('hex')
}
