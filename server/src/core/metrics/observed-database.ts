// What is measured and logged of the store? Every call is timed; an outage is logged with its cause, and so is its end.

import type { Logger } from 'pino'
import { type Database, StorageUnavailable } from '../storage/database.ts'
import { SchemaTooNew } from '../storage/upgrade/excluded.ts'
import type { Metrics } from './metrics.ts'

/** Without a failure for so long, an outage is over: reads may work while writes fail. */
const overAfterMs = 5_000

/** The same database, measured and logged. */
export function observedDatabase(
  database: Database,
  { log, metrics }: { log: Logger; metrics: Pick<Metrics, 'count' | 'observe' | 'set' | 'atEachScrape'> },
): Database {
  const outage = new OutageLog(log)
  metrics.atEachScrape(() => {
    for (const { pool, inUse, idle, abandoned, waiting } of database.pools()) {
      metrics.set('storeConnections', inUse, pool, 'in_use')
      metrics.set('storeConnections', idle, pool, 'idle')
      metrics.set('storeConnections', abandoned, pool, 'abandoned')
      metrics.set('storeWaitingCalls', waiting, pool)
    }
  })

  /** `call`: absent for one that waits on purpose, whose time says nothing. */
  async function observed<T>(call: 'query' | 'batch' | 'transaction' | undefined, work: () => Promise<T>): Promise<T> {
    const startedAt = performance.now()
    try {
      const result = await work()
      outage.ended()
      return result
    } catch (error) {
      if (error instanceof StorageUnavailable) {
        metrics.count('storeUnavailable', error.reason)
        // Logged once, when it was found.
        if (!(error instanceof SchemaTooNew)) outage.failed(error)
      }
      throw error
    } finally {
      if (call) metrics.observe('storeCall', (performance.now() - startedAt) / 1000, call)
    }
  }

  return {
    engine: database.engine,
    within: (until, work) => database.within(until, work),
    pools: () => database.pools(),
    query: (sql, params) => observed('query', () => database.query(sql, params)),
    batch: (statements) => observed('batch', () => database.batch(statements)),
    batchSoon: (statements) => observed(undefined, () => database.batchSoon(statements)),
    transaction: (work, timeoutMs) => observed('transaction', () => database.transaction(work, timeoutMs)),
    overwriteDeleted: async () => database.overwriteDeleted?.(),
    ping: () => observed('query', () => database.ping()),
    close: () => database.close(),
  }
}

/** One line when it begins, one when it is over: it may fail thousands of calls a second. */
class OutageLog {
  readonly #log: Logger
  #startedAt: number | undefined
  #lastFailureAt = 0
  #failures = 0

  constructor(log: Logger) {
    this.#log = log
  }

  failed(error: StorageUnavailable): void {
    const now = performance.now()
    this.#lastFailureAt = now
    this.#failures++
    if (this.#startedAt !== undefined) return
    this.#startedAt = now
    const { message, reason, cause } = error
    this.#log.error({ reason, error: message, cause: (cause as Error)?.message }, 'the store is unavailable')
  }

  /** A call worked. */
  ended(): void {
    if (this.#startedAt === undefined || performance.now() - this.#lastFailureAt < overAfterMs) return
    const seconds = Math.round((this.#lastFailureAt - this.#startedAt) / 1000)
    this.#log.warn({ calls: this.#failures, seconds }, 'the store is available again')
    this.#startedAt = undefined
    this.#failures = 0
  }
}
