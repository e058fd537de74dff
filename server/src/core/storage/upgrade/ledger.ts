// Which migrations has a database, and may a program that knows these run on it?

import type { Database, Queryable } from '../database.ts'
import { checksumOf, type Migration, MigrationRefused } from './migration.ts'

/** The migrator's own tables: no migration can create what records migrations. */
const tables = {
  // A row is a migration that this database has. All rows are read at once. Never deleted.
  schema_migration: `create table if not exists schema_migration (
    name text not null primary key,
    checksum text not null,
    applied_at bigint not null
  )`,
  // A row says that a migration removed something: servers that know fewer migrations than it needs can no longer run.
  // All rows are read at once. Never deleted.
  schema_contract: `create table if not exists schema_contract (
    name text not null primary key,
    needs integer not null
  )`,
  // A row is an index that PostgreSQL has not built yet. All rows are read at once. Deleted when the index is there.
  schema_index: `create table if not exists schema_index (
    name text not null primary key,
    claimed_by text,
    claimed_until bigint not null
  )`,
}

/** What a database says of its schema. */
export interface Ledger {
  readonly applied: readonly { readonly name: string; readonly checksum: string }[]
  /** How many migrations a server must know at least. */
  readonly needs: number
}

export async function createLedger(tx: Queryable): Promise<void> {
  for (const statement of Object.values(tables)) await tx.query(statement)
}

/** Undefined when a table is missing: the database is new, or from before the table. */
export async function findLedger(database: Pick<Database, 'engine' | 'query'>): Promise<Ledger | undefined> {
  const names = Object.keys(tables)
  const list = names.map((name) => `'${name}'`).join(', ')
  const found = await database.query(
    database.engine === 'sqlite'
      ? `select name from sqlite_schema where type = 'table' and name in (${list})`
      : `select oid from pg_class where oid in (${names.map((name) => `to_regclass('${name}')`).join(', ')})`,
  )
  return found.length === names.length ? readLedger(database) : undefined
}

export async function readLedger(database: Queryable): Promise<Ledger> {
  const needs = await readNeeds(database)
  const applied = await database.query<Migration & { checksum: string }>(
    'select name, checksum from schema_migration order by name',
  )
  return { applied, needs }
}

/** How many migrations a server must know at least. */
export async function readNeeds(database: Queryable): Promise<number> {
  const [contract] = await database.query<{ needs: number }>(
    'select coalesce(max(needs), 0) as needs from schema_contract',
  )
  return contract!.needs
}

/** Why a program that knows so many migrations must not use the schema. Undefined: it may. */
export function excludes(needs: number, known: number): string | undefined {
  if (needs <= known) return undefined
  const [needed, last] = [numberOf(needs), numberOf(known)]
  return `a newer Ringfence has removed what this version uses: servers need migration ${needed}, and this version knows them up to ${last}`
}

/** What a program finds in a database that it may use. */
export interface SchemaState {
  /** Migrations that it must apply first, in order. */
  readonly missing: readonly Migration[]
  /** Names of migrations of a newer version, which do not disturb this one. */
  readonly newer: readonly string[]
}

/** @throws MigrationRefused when the program must not use the database */
export function judge({ applied, needs }: Ledger, known: readonly Migration[]): SchemaState {
  for (const [index, { name, checksum }] of applied.slice(0, known.length).entries()) {
    if (index === 0) refuseUnreleased(name, checksum, known[index]!)
    refuseOther(name, checksum, known[index]!)
  }
  const newer = applied.slice(known.length).map(({ name }) => name)
  for (const [index, name] of newer.entries()) {
    if (Number(name.slice(0, 4)) === known.length + index + 1) continue
    throw new MigrationRefused(
      `The database has migration ${name}, which this version does not know, and not all before it: it belongs to another program`,
      'Start the version that created it.',
    )
  }
  const excluded = excludes(needs, known.length)
  if (newer.length > 0 && excluded !== undefined) {
    throw new MigrationRefused(
      `The database has migration ${newer.at(-1)}, which this version does not know, and ${excluded}`,
      'Start that version or a later one, or restore a backup from before the upgrade.',
    )
  }
  return { missing: known.slice(applied.length), newer }
}

/** The first migration is the whole schema. It changes with every unreleased version, and is fixed by the first release. */
function refuseUnreleased(name: string, checksum: string, known: Migration): void {
  if (known.name !== name || checksumOf(known) === checksum) return
  throw new MigrationRefused(
    'The store was made by an unreleased version of Ringfence, whose schema this version cannot upgrade',
    'Start with a new data folder or an empty database; to continue with this store, start the version that created it.',
  )
}

function refuseOther(name: string, checksum: string, known: Migration): void {
  if (known.name !== name) {
    throw new MigrationRefused(
      `The database has migration ${name} where this version has ${known.name}: ` +
        'it belongs to another program, or to a version with other migrations',
      'Start the version that created it.',
    )
  }
  if (checksumOf(known) !== checksum) {
    throw new MigrationRefused(
      `Migration ${name} was edited after the database had applied it, so the two no longer match`,
      'Restore the file, and make the change in a new migration; or, before the first release, start with a new data folder.',
    )
  }
}

const numberOf = (migrations: number) => String(migrations).padStart(4, '0')
