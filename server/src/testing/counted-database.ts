// How much did a call ask of the store? Counts what leaves the service, before the engine groups it.

import type { Database } from '../core/storage/database.ts'

export interface StoreCounts {
  /** Statements that read, also those in a transaction. */
  reads: number
  /** What becomes durable as one: a single write, a batch or a transaction. */
  commits: number
}

/** The same database. `counts`: since the caller set them to 0. */
export function countedDatabase(database: Database): { readonly database: Database; readonly counts: StoreCounts } {
  const counts: StoreCounts = { reads: 0, commits: 0 }
  const isRead = (sql: string) => !/\b(?:insert|update|delete)\b/i.test(sql)
  return {
    counts,
    database: {
      engine: database.engine,
      within: (until, work) => database.within(until, work),
      pools: () => database.pools(),
      query: (sql, params) => {
        counts[isRead(sql) ? 'reads' : 'commits']++
        return database.query(sql, params)
      },
      batch: (statements) => {
        counts.commits++
        return database.batch(statements)
      },
      batchSoon: (statements) => {
        counts.commits++
        return database.batchSoon(statements)
      },
      transaction: (work, timeoutMs) => {
        counts.commits++
        const counted: typeof work = (tx) =>
          work({
            query: (sql, params) => {
              if (isRead(sql)) counts.reads++
              return tx.query(sql, params)
            },
          })
        return database.transaction(counted, timeoutMs)
      },
      overwriteDeleted: async () => database.overwriteDeleted?.(),
      ping: () => database.ping(),
      close: () => database.close(),
    },
  }
}
