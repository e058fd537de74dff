// How does a transaction run, on either engine?

import { AsyncLocalStorage } from 'node:async_hooks'
import { type Queryable, type Row, type SqlValue, StorageUnavailable } from './database.ts'

/** How long a transaction may take by default. */
export const defaultTransactionTimeoutMs = 10_000

/** Two transactions contradict each other. The one that gets this error may run again. */
export class SerialisationConflict extends Error {
  override name = 'SerialisationConflict'
}

/** A transaction that the engine has begun. `rollback` does not throw: an engine that cannot roll back closes the connection. */
export interface BegunTransaction {
  query(sql: string, params: readonly SqlValue[]): Promise<Row[]>
  commit(): Promise<void>
  rollback(): Promise<void>
}

/** Runs the transactions of one database, and knows whether the current code is inside one. */
export class TransactionRunner {
  readonly #current = new AsyncLocalStorage<{ over: boolean }>()

  /** Refuses a call to the database from inside one of its transactions, which would wait for itself forever. */
  refuseInside(): void {
    if (this.#current.getStore()?.over === false) {
      throw new Error('Inside a transaction use its tx, not the database: the two would wait for each other')
    }
  }

  /** Returns the result of `work` after the commit; see `Database.transaction`. */
  async run<T>(begun: BegunTransaction, work: (tx: Queryable) => Promise<T>, timeoutMs: number): Promise<T> {
    const state = { over: false }
    let failed: { error: unknown } | undefined
    let last: Promise<unknown> = Promise.resolve()

    const tx: Queryable = {
      query<R>(sql: string, params: readonly SqlValue[] = []): Promise<R[]> {
        if (state.over) return Promise.reject(new Error('This transaction is over'))
        const answer = last.then(() => {
          if (failed) throw failed.error
          return begun.query(sql, params)
        })
        last = answer.catch((error) => {
          failed ??= { error }
        })
        return answer as Promise<R[]>
      },
    }

    try {
      const late = `The transaction took longer than ${timeoutMs} ms and was rolled back`
      const result = await within(timeoutMs, this.#current.run(state, work, tx), late)
      state.over = true
      await last // a statement that work did not await is part of the transaction too
      if (failed) throw failed.error
      await begun.commit()
      return result
    } catch (error) {
      state.over = true
      failed ??= { error } // statements that still wait are not sent
      await last
      await begun.rollback()
      throw failed.error instanceof SerialisationConflict ? failed.error : error
    }
  }
}

/** @throws StorageUnavailable with this message after `timeoutMs` */
export async function within<T>(timeoutMs: number, work: Promise<T>, message: string): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new StorageUnavailable(message, { reason: 'time' })), timeoutMs)
  })
  try {
    return await Promise.race([work, late])
  } finally {
    clearTimeout(timer)
  }
}
