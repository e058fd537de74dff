// Does the store answer? Anyone may ask `/ready`, so the store is queried once a second at most.

import type { Logger } from 'pino'
import type { Clock } from '../clock.ts'
import { type Database, StorageUnavailable } from '../storage/database.ts'
import { SchemaTooNew } from '../storage/upgrade/excluded.ts'

/** `schema too new`: a newer version has removed what this one uses. */
export type ReadyState = 'ready' | 'store unavailable' | 'schema too new'

export interface Readiness {
  /** Whether the store could be read and written within the last second, and why not. */
  check(): Promise<ReadyState>
}

/** Less than a second, the usual limit of a load balancer. */
const withinMs = 900
const reuseMs = 1_000

/** All requests of a second share one query, also one that fails or hangs. */
export function readiness({ database, clock, log }: { database: Database; clock: Clock; log: Logger }): Readiness {
  let latest: { since: number; result: Promise<ReadyState> } | undefined

  async function query(): Promise<ReadyState> {
    try {
      await pingWithin(database, withinMs)
      return 'ready'
    } catch (error) {
      // Logged once, when it was found.
      if (error instanceof SchemaTooNew) return 'schema too new'
      log.warn({ err: error }, 'not ready')
      return 'store unavailable'
    }
  }

  return {
    check() {
      const now = clock.now()
      // A clock that is set back must not prolong a result.
      if (latest && now >= latest.since && now < latest.since + reuseMs) return latest.result
      latest = { since: now, result: query() }
      return latest.result
    },
  }
}

/** Also when the embedded engine waits for a disk that hangs. */
async function pingWithin(database: Database, ms: number): Promise<void> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    const error = new StorageUnavailable(`the store does not answer within ${ms} ms`, { reason: 'time' })
    timer = setTimeout(() => reject(error), ms)
  })
  try {
    await Promise.race([database.within(performance.now() + ms, () => database.ping()), late])
  } finally {
    clearTimeout(timer)
  }
}
