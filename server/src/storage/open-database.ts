// Where does this Ringfence keep its data? In a folder (SQLite) or in a PostgreSQL that several servers share.

import { type Clock, systemClock } from '../clock.ts'
import type { Database } from './database.ts'
import { type Migration, migrate, readMigrations } from './migrate.ts'
import { openPostgres } from './postgres/postgres.ts'
import { openSqlite } from './sqlite/sqlite.ts'

export interface OpenOptions {
  readonly clock?: Clock
  /** The program's own, unless a test says otherwise. */
  readonly migrations?: readonly Migration[]
}

/**
 * Opens the database and brings it to the schema of this program.
 * @param place the path of a data folder, made when there is none, or `postgres://user:password@host/database`
 * @throws StorageUnavailable when the place cannot be used now; MigrationRefused when it is not for this program;
 *   TypeError when the place is neither
 */
export async function openDatabase(place: string, options: OpenOptions = {}): Promise<Database> {
  const { clock = systemClock, migrations = await readMigrations() } = options
  return isPostgresUrl(place)
    ? openMigratedPostgres(place, migrations, clock)
    : openMigratedSqlite(place, migrations, clock)
}

function isPostgresUrl(place: string): boolean {
  // `sqlite:/data` has one slash and no host, yet means no folder of that name; a Windows drive has one letter.
  const scheme = /^([a-z][a-z0-9+.-]+):(?:\/|$)/i.exec(place)?.[1]?.toLowerCase()
  if (scheme === undefined) {
    if (place === '') throw new TypeError('The place of the database is empty: name a folder or a postgres:// address')
    return false
  }
  if (scheme !== 'postgres' && scheme !== 'postgresql') {
    throw new TypeError(`No database for ${scheme}: addresses: name a folder or a postgres:// address`)
  }
  if (!URL.canParse(place)) {
    throw new TypeError(
      'The postgres:// address is not a valid URL: write / @ : # ? % in its password as %2F %40 %3A %23 %3F %25',
    )
  }
  return true
}

async function openMigratedSqlite(folder: string, migrations: readonly Migration[], clock: Clock): Promise<Database> {
  const database = await openSqlite(folder)
  return closedOnFailure(database, () => migrate(database, migrations, clock))
}

async function openMigratedPostgres(url: string, migrations: readonly Migration[], clock: Clock): Promise<Database> {
  const database = await openPostgres(url)
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
