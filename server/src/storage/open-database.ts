// Where is the data? In a folder (SQLite), or in a PostgreSQL database that several servers can share.

import { type Clock, systemClock } from '../clock.ts'
import type { Database } from './database.ts'
import { type Migration, migrate, readMigrations } from './migrate.ts'
import { defaultPools, type PostgresPools } from './postgres/pools.ts'
import { openPostgres, type PostgresDatabase } from './postgres/postgres.ts'
import { openSqlite } from './sqlite/sqlite.ts'

export interface OpenOptions {
  readonly clock?: Clock
  /** Default: the migrations of this program. */
  readonly migrations?: readonly Migration[]
  /** Numbers of connections to PostgreSQL. */
  readonly pools?: PostgresPools
}

/**
 * Opens the database and applies missing migrations.
 * @param place path of a data folder, which is created if it is missing, or `postgres://user:password@host/database`
 * @throws StorageUnavailable when the place cannot be used now; MigrationRefused when its schema is not one of this program;
 *   TypeError when the place is neither a folder nor a PostgreSQL URL
 */
export async function openDatabase(place: string, options: OpenOptions = {}): Promise<Database> {
  const { clock = systemClock, migrations = await readMigrations(), pools = defaultPools } = options
  return isPostgresUrl(place)
    ? openMigratedPostgres(await openPostgres(place, pools), migrations, clock)
    : openMigratedSqlite(place, migrations, clock)
}

/** @throws TypeError when the place is neither a folder nor a PostgreSQL URL */
export function isPostgresUrl(place: string): boolean {
  // `sqlite:/data` is not a folder of that name, although it has one slash; a Windows drive has one letter.
  const scheme = /^([a-z][a-z0-9+.-]+):(?:\/|$)/i.exec(place)?.[1]?.toLowerCase()
  if (scheme === undefined) {
    if (place === '') throw new TypeError('The place of the database is empty: name a folder or a postgres:// URL')
    return false
  }
  if (scheme !== 'postgres' && scheme !== 'postgresql') {
    throw new TypeError(`No database for ${scheme}: URLs: name a folder or a postgres:// URL`)
  }
  return true
}

async function openMigratedSqlite(folder: string, migrations: readonly Migration[], clock: Clock): Promise<Database> {
  const database = await openSqlite(folder)
  return closedOnFailure(database, () => migrate(database, migrations, clock))
}

async function openMigratedPostgres(
  database: PostgresDatabase,
  migrations: readonly Migration[],
  clock: Clock,
): Promise<Database> {
  return closedOnFailure(database, () => database.exclusively(() => migrate(database, migrations, clock)))
}

async function closedOnFailure(database: Database, prepare: () => Promise<unknown>): Promise<Database> {
  try {
    await prepare()
    return database
  } catch (error) {
    await database.close()
    throw error
  }
}
