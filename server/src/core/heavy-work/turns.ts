// How do batches leave room for live traffic and for each other? So many numbers at a time call operators, and requests that wait go first.

import { setImmediate as nextTurn, setTimeout as wait } from 'node:timers/promises'
import type { Overload } from './overload.ts'

/** Requests that wait hold a batch up for this long at most: it has to get on under steady overload too. */
const longestPauseMs = 50
const pauseMs = 5

export interface Turns {
  /** Lets everything else run that is ready; longer while requests wait. */
  breathe(): Promise<void>
  /**
   * Waits until one more may begin, such as a number that calls operators. Tenants that wait go round. Call what it returns when it is
   * done, or when the turn is not wanted any more.
   */
  enter(tenantId: string): Promise<() => void>
}

export function turns(most: number, overload: Pick<Overload, 'waiting'>): Turns {
  let inUse = 0
  /** By tenant, the next one first. */
  const waiting = new Map<string, (() => void)[]>()

  function nextWaiting(): (() => void) | undefined {
    for (const [tenantId, line] of waiting) {
      waiting.delete(tenantId)
      const next = line.shift()
      if (line.length > 0) waiting.set(tenantId, line)
      return next
    }
    return undefined
  }

  const leaveOnce = () => {
    let hasLeft = false
    return () => {
      if (hasLeft) return
      hasLeft = true
      const next = nextWaiting()
      if (next) next()
      else inUse--
    }
  }

  return {
    async breathe() {
      await nextTurn()
      for (let waitedMs = 0; overload.waiting() > 0 && waitedMs < longestPauseMs; waitedMs += pauseMs)
        await wait(pauseMs)
    },
    async enter(tenantId) {
      if (inUse < most) inUse++
      else {
        const line = waiting.get(tenantId) ?? []
        waiting.set(tenantId, line)
        await new Promise<void>((resolve) => line.push(resolve))
      }
      return leaveOnce()
    },
  }
}
