// How does heavy work leave room for requests? In slices of a few milliseconds, one in each turn of the event loop.

import { setImmediate as nextTurnOfLoop } from 'node:timers/promises'
import { Refusal } from '../errors.ts'

/** A slice ends at the first pause after this time: a request that runs beside needs four turns or so, and meets a slice in each. */
const sliceMs = 1
/** Calls of one tenant that work at the same time; more wait. */
const mostAtOnce = 2
const mostWaiting = 16
/** While requests wait to start, heavy work leaves them this many turns of the event loop. */
const longestYield = 2

/** Heavy work awaits this after each item: nothing within a slice, the next slice after it. */
export type Pause = () => Promise<void> | undefined

export interface Slices {
  /**
   * Runs heavy work of a tenant, which calls `pause` after each item. Tenants share the slices by the time that they have used.
   * Refuses with `rateLimited` when too many calls of the tenant wait already.
   */
  during<T>(tenantId: string, work: (pause: Pause) => Promise<T>): Promise<T>
}

/** For work in the background, which nobody waits for: the event loop gets a turn at least every millisecond. */
export function backgroundPause(stopwatch = () => performance.now()): Pause {
  let beganAt = stopwatch()
  return () => {
    if (stopwatch() - beganAt < sliceMs) return undefined
    return nextTurnOfLoop().then(() => {
      beganAt = stopwatch()
    })
  }
}

/** For commands, which answer nobody else. */
export const withoutPause: Pause = () => undefined

export interface SlicesOptions {
  /** Requests that wait to start. */
  readonly requestsWaiting?: () => number
  /** Milliseconds of a monotonic clock. */
  readonly stopwatch?: () => number
}

interface Tenant {
  working: number
  /** Calls that wait for others of the tenant. */
  readonly line: (() => void)[]
  /** Slices that its calls wait for. */
  readonly paused: (() => void)[]
  /** Start-time fair queueing: the tenant with the lowest time is next. */
  usedMs: number
}

export function slices({ requestsWaiting = () => 0, stopwatch = () => performance.now() }: SlicesOptions = {}): Slices {
  const tenants = new Map<string, Tenant>()
  let paused = 0
  /** What the tenant that got the last slice had used. A tenant that begins starts from here: nobody saves up time. */
  let usedMs = 0
  let yielded = 0
  let isTurning = false

  function turn(): void {
    isTurning = false
    if (requestsWaiting() > 0 && yielded++ < longestYield) {
      nextTurn()
      return
    }
    yielded = 0
    let next: Tenant | undefined
    for (const tenant of tenants.values())
      if (tenant.paused.length > 0 && (!next || tenant.usedMs < next.usedMs)) next = tenant
    if (!next) return
    paused--
    usedMs = next.usedMs
    next.paused.shift()!()
    if (paused > 0) nextTurn()
  }

  function nextTurn(): void {
    if (isTurning) return
    isTurning = true
    setImmediate(turn)
  }

  function slice(tenant: Tenant): Promise<void> {
    tenant.usedMs = Math.max(tenant.usedMs, usedMs)
    return new Promise((resolve) => {
      tenant.paused.push(resolve)
      paused++
      nextTurn()
    })
  }

  async function enter(tenantId: string): Promise<Tenant> {
    const tenant = tenants.get(tenantId) ?? { working: 0, line: [], paused: [], usedMs }
    tenants.set(tenantId, tenant)
    if (tenant.working < mostAtOnce) tenant.working++
    else {
      if (tenant.line.length >= mostWaiting)
        throw new Refusal('rateLimited', {
          retryAfterSeconds: 1,
          mistake: `${mostAtOnce} heavy calls of this tenant work already, and ${mostWaiting} wait`,
        })
      await new Promise<void>((resolve) => tenant.line.push(resolve))
    }
    return tenant
  }

  function leave(tenantId: string, tenant: Tenant): void {
    const next = tenant.line.shift()
    if (next) next()
    else if (--tenant.working === 0) tenants.delete(tenantId)
  }

  return {
    async during(tenantId, work) {
      const tenant = await enter(tenantId)
      try {
        await slice(tenant)
        let beganAt = stopwatch()
        return await work(() => {
          const elapsedMs = stopwatch() - beganAt
          if (elapsedMs < sliceMs) return undefined
          // A part of a longer time was spent on waiting for the store.
          tenant.usedMs += Math.min(elapsedMs, 2 * sliceMs)
          return slice(tenant).then(() => {
            beganAt = stopwatch()
          })
        })
      } finally {
        leave(tenantId, tenant)
      }
    },
  }
}
