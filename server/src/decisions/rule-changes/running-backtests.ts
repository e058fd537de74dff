// Which backtests run in this server now? Two at most, of different tenants, each of which can be stopped.

import { Refusal } from '../../core/errors.ts'

export interface RunningBacktests {
  /** Takes one of the places, until what `run` returns has ended. Refuses with `backtestsBusy`, or `unavailable` after `close`. */
  begin(id: string, tenantId: string, run: (stop: AbortController) => Promise<void>): void
  has(id: string): boolean
  /** Aborts it with this reason. */
  stop(id: string, reason: Error): void
  /** Aborts all with `Interrupted`, and waits until they have ended. */
  close(): Promise<void>
}

/** The server stops. */
export class Interrupted extends Error {
  override name = 'Interrupted'
}

/** Of all tenants. */
const mostRunning = 2
/** So that one tenant cannot keep all others waiting. */
const mostOfTenant = 1

export function runningBacktests(): RunningBacktests {
  const running = new Map<
    string,
    { readonly tenantId: string; readonly stop: AbortController; readonly ended: Promise<void> }
  >()
  let isClosed = false
  return {
    begin(id, tenantId, run) {
      if (isClosed) throw new Refusal('unavailable', { retryAfterSeconds: 5 })
      if (running.size >= mostRunning) throw new Refusal('backtestsBusy', { mistake: `${mostRunning} run already` })
      const own = [...running.values()].filter((each) => each.tenantId === tenantId).length
      if (own >= mostOfTenant) throw new Refusal('backtestsBusy', { mistake: 'one of yours runs already' })
      const stop = new AbortController()
      const ended = run(stop).finally(() => running.delete(id))
      running.set(id, { tenantId, stop, ended })
    },
    has: (id) => running.has(id),
    stop: (id, reason) => running.get(id)?.stop.abort(reason),
    async close() {
      isClosed = true
      for (const { stop } of running.values()) stop.abort(new Interrupted())
      await Promise.all([...running.values()].map(({ ended }) => ended))
    },
  }
}
