// Which migrations does this database need, and are those it has had the ones that this program knows?

import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { type Clock, systemClock } from '../clock.ts'
import type { Database, Queryable } from './database.ts'
import { splitStatements } from './statement.ts'

export interface Migration {
  /** `NNNN-what-it-brings`, as the file is called. */
  readonly name: string
  readonly sql: string
}

/** This program must not use this database. The message says what to do. */
export class MigrationRefused extends Error {
  override name = 'MigrationRefused'
}

/** Building an index over a large table takes its time. */
const migrationTimeoutMs = 3_600_000

const createLedger = `create table if not exists schema_migration (
  name text not null primary key,
  checksum text not null,
  applied_at bigint not null
)`

/** The migrations of this program, in order. @throws Error on a misnamed file and on a number given twice or left out */
export async function readMigrations(folder = new URL('./migrations/', import.meta.url)): Promise<Migration[]> {
  const files = (await readdir(folder)).filter((file) => file.endsWith('.sql')).sort()
  return Promise.all(
    files.map(async (file, index) => {
      const number = String(index + 1).padStart(4, '0')
      if (!new RegExp(`^${number}-[a-z0-9-]+\\.sql$`).test(file)) {
        throw new Error(
          `Migration ${file} should be called ${number}-what-it-brings.sql: one number each, none left out`,
        )
      }
      return { name: file.replace(/\.sql$/, ''), sql: await readFile(new URL(file, folder), 'utf8') }
    }),
  )
}

/**
 * Applies what is missing, each migration in one transaction, in order; several processes may do so at once.
 * @returns the names of those applied now
 * @throws MigrationRefused when the database had other migrations than this program knows; nothing is changed then
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

/** Asks inside of the transaction what is missing, so that of two processes one finds the other's work done. */
async function applyNext(
  tx: Queryable,
  engine: Database['engine'],
  migrations: readonly Migration[],
  clock: Clock,
): Promise<string | undefined> {
  await tx.query(createLedger)
  const past = await tx.query<{ name: string; checksum: string }>(
    'select name, checksum from schema_migration order by name',
  )
  for (const [index, { name, checksum }] of past.entries()) refuseOther(name, checksum, migrations[index])
  const next = migrations[past.length]
  if (!next) return undefined
  for (const statement of splitStatements(textFor(engine, next))) await tx.query(statement)
  await tx.query('insert into schema_migration (name, checksum, applied_at) values ($1, $2, $3)', [
    next.name,
    checksumOf(next),
    clock.now(),
  ])
  return next.name
}

/** What only SQLite takes stands in a comment, which is none there: `/* sqlite: without rowid *\/`. */
function textFor(engine: Database['engine'], { sql }: Migration): string {
  return engine === 'sqlite' ? sql.replace(/\/\* sqlite: (.*?) \*\//g, '$1') : sql
}

function refuseOther(name: string, checksum: string, known: Migration | undefined): void {
  if (!known) {
    throw new MigrationRefused(
      `The database has had migration ${name}, which this version does not know: a newer Ringfence has used it. ` +
        'Start that version or a later one, or restore a backup from before.',
    )
  }
  if (known.name !== name) {
    throw new MigrationRefused(
      `The database has had migration ${name} where this version has ${known.name}: it is not this program's database, ` +
        'or its migrations were renumbered. Start the version that made it.',
    )
  }
  if (checksumOf(known) !== checksum) {
    throw new MigrationRefused(
      `Migration ${name} was edited after this database had had it, so the two no longer fit. ` +
        'Put the file back as it was and bring the change as a new migration.',
    )
  }
}

/** Over the text without the line ends that a checkout may change. */
function checksumOf({ sql }: Migration): string {
  return createHash('sha256').update(sql.replaceAll('\r\n', '\n')).digest('hex')
}
