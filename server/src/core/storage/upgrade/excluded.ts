// What does a running server do when a newer version removes what it uses? It makes no further call to the store.

import { type Database, StorageUnavailable } from '../database.ts'
import { excludes, readNeeds } from './ledger.ts'

/** The schema excludes this program since a newer version contracted it. Stays so until the program is replaced. */
export class SchemaTooNew extends StorageUnavailable {
  override name = 'SchemaTooNew'
  constructor(text: string) {
    super(`${text}. Replace this server with that version; until then it answers 503`, { reason: 'schema' })
  }
}

export interface WatchedDatabase extends Database {
  /** Reads which servers the schema excludes; `ping` does so too. @throws SchemaTooNew, from then on at every call */
  checkSchema(): Promise<void>
}

/**
 * The same database, which refuses every call once the schema is known to exclude a program with so many migrations. Otherwise the
 * program would write rows that the others misread.
 * @param onExcluded is called once
 */
export function watchedDatabase(
  database: Database,
  known: number,
  onExcluded: (error: SchemaTooNew) => void,
): WatchedDatabase {
  let excluded: SchemaTooNew | undefined
  const unlessExcluded = <T>(call: () => Promise<T>): Promise<T> => (excluded ? Promise.reject(excluded) : call())

  async function checkSchema(): Promise<void> {
    const reason = excludes(await unlessExcluded(() => readNeeds(database)), known)
    if (reason === undefined) return
    if (!excluded) {
      excluded = new SchemaTooNew(reason)
      onExcluded(excluded)
    }
    throw excluded
  }

  return {
    engine: database.engine,
    within: (until, work) => database.within(until, work),
    pools: () => database.pools(),
    query: (sql, params) => unlessExcluded(() => database.query(sql, params)),
    batch: (statements) => unlessExcluded(() => database.batch(statements)),
    batchSoon: (statements) => unlessExcluded(() => database.batchSoon(statements)),
    transaction: (work, timeoutMs) => unlessExcluded(() => database.transaction(work, timeoutMs)),
    overwriteDeleted: async () => database.overwriteDeleted?.(),
    async ping() {
      await unlessExcluded(() => database.ping())
      await checkSchema()
    },
    checkSchema,
    close: () => database.close(),
  }
}
