// Where is the data? In a folder (SQLite), or in a PostgreSQL database that several servers can share.

import { type Clock, systemClock } from '../clock.ts'
import type { Database } from './database.ts'
import { defaultWaiting, migrate, readMigrations, type Waiting } from './migrate.ts'
import { buildIndexes } from './postgres/index-builds.ts'
import { defaultPools, type PostgresPools } from './postgres/pools.ts'
import { openSqlite } from './sqlite/sqlite.ts'
import { type SchemaTooNew, type WatchedDatabase, watchedDatabase } from './upgrade/excluded.ts'
import { findLedger, judge } from './upgrade/ledger.ts'
import { type Migration, postgresStatements } from './upgrade/migration.ts'

export interface OpenOptions {
  readonly clock?: Clock
  /** Default: the migrations of this program. */
  readonly migrations?: readonly Migration[]
  /** Numbers of connections to PostgreSQL. */
  readonly pools?: PostgresPools
  /** What to do with lines of progress while the start waits or takes long, and how long it waits for others. */
  readonly waiting?: Partial<Waiting>
  /** Called once, when a newer version has excluded this program. */
  readonly onExcluded?: (error: SchemaTooNew) => void
}

/**
 * Opens the database and applies missing migrations.
 * @param place path of a data folder, which is created if it is missing, or `postgres://user:password@host/database`
 * @throws StorageUnavailable when the place cannot be used now; MigrationRefused when this program must not use its schema;
 *   TypeError when the place is neither a folder nor a PostgreSQL URL
 */
export async function openDatabase(place: string, options: OpenOptions = {}): Promise<WatchedDatabase> {
  const { migrations = await readMigrations(), onExcluded = () => undefined } = options
  const database = await openMigrated(place, { ...options, migrations })
  return watchedDatabase(database, migrations.length, onExcluded)
}

async function openMigrated(
  place: string,
  options: OpenOptions & { migrations: readonly Migration[] },
): Promise<Database> {
  const { clock = systemClock, migrations, pools = defaultPools } = options
  const waiting = { ...defaultWaiting, ...options.waiting }
  if (!isPostgresUrl(place)) {
    const database = await openSqlite(place)
    return closedOnFailure(database, async () => {
      await migrate(database, migrations, clock, waiting)
      await reportNewer(database, migrations, waiting)
    })
  }
  // The driver is loaded only when it is used.
  const { openPostgres } = await import('./postgres/postgres.ts')
  const database = await openPostgres(place, pools)
  return closedOnFailure(database, async () => {
    const ledger = await findLedger(database)
    // A store that has everything needs no lock, so that a server starts although another one migrates.
    if (!ledger || judge(ledger, migrations).missing.length > 0) {
      await database.exclusively(() => migrate(database, migrations, clock, waiting), waiting)
    }
    await reportNewer(database, migrations, waiting)
    // Without the lock: a build waits for every transaction that is older, so also for servers that wait for the lock.
    const indexes = migrations.flatMap((migration) => postgresStatements(migration).later)
    // The indexes of a new store are built at once, and are no news.
    await buildIndexes(database, indexes, ledger ? waiting.report : () => undefined)
  })
}

/** During a rolling upgrade, a server of the previous version may start again. */
async function reportNewer(database: Database, migrations: readonly Migration[], { report }: Waiting): Promise<void> {
  const ledger = await findLedger(database)
  const newest = ledger && judge(ledger, migrations).newer.at(-1)
  if (newest !== undefined)
    report(`The store has migration ${newest} of a newer version, with which this version works`)
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

async function closedOnFailure<D extends Database>(database: D, prepare: () => Promise<unknown>): Promise<D> {
  try {
    await prepare()
    return database
  } catch (error) {
    await database.close()
    throw error
  }
}
