// How does each change through the admin API get its audit line? In the transaction of the change, whichever code makes it.

import { AsyncLocalStorage } from 'node:async_hooks'
import { type BatchStatement, ConditionFailed, type Database, type Queryable } from '../../core/storage/database.ts'

export interface AuditedDatabase extends Database {
  /**
   * Runs `work`. Its first write to this database commits together with what `append` writes. Work that writes nothing appends nothing.
   */
  auditing<T>(append: (tx: Queryable) => Promise<void>, work: () => Promise<T>): Promise<T>
  /** Within `auditing`: what is no part of the change, such as counting attempts. It appends nothing. */
  aside<T>(work: () => Promise<T>): Promise<T>
}

interface Pending {
  readonly append: (tx: Queryable) => Promise<void>
  isWritten: boolean
}

const writes = /^\s*(insert|update|delete)\b/i

/** The same database for all other work. */
export function auditedDatabase(database: Database): AuditedDatabase {
  const current = new AsyncLocalStorage<Pending>()

  const pending = (): Pending | undefined => {
    const found = current.getStore()
    return found?.isWritten === false ? found : undefined
  }

  async function appended<T>(line: Pending, work: (tx: Queryable) => Promise<T>, timeoutMs?: number): Promise<T> {
    line.isWritten = true
    try {
      return await database.transaction(async (tx) => {
        const result = await work(tx)
        await line.append(tx)
        return result
      }, timeoutMs)
    } catch (error) {
      line.isWritten = false
      throw error
    }
  }

  return {
    engine: database.engine,
    within: (until, work) => database.within(until, work),
    pools: () => database.pools(),
    overwriteDeleted: async () => database.overwriteDeleted?.(),
    ping: () => database.ping(),
    close: () => database.close(),
    aside: (work) => current.exit(work),
    auditing: (append, work) => current.run({ append, isWritten: false }, work),
    query<R>(sql: string, params?: Parameters<Database['query']>[1]) {
      const line = pending()
      return line && writes.test(sql)
        ? appended(line, (tx) => tx.query<R>(sql, params))
        : database.query<R>(sql, params)
    },
    batch(statements) {
      const line = pending()
      return line ? appended(line, (tx) => runAll(tx, statements)) : database.batch(statements)
    },
    batchSoon(statements) {
      const line = pending()
      return line ? appended(line, (tx) => runAll(tx, statements)) : database.batchSoon(statements)
    },
    transaction(work, timeoutMs) {
      const line = pending()
      return line ? appended(line, work, timeoutMs) : database.transaction(work, timeoutMs)
    },
  }
}

/** As a batch does. */
async function runAll(tx: Queryable, statements: readonly BatchStatement[]): Promise<void> {
  for (const { sql, params, required } of statements) {
    const rows = await tx.query(sql, params)
    if (required && rows.length === 0) throw new ConditionFailed('a required statement returned no row')
  }
}
