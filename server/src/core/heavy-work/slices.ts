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

export class Slices {
  readonly #requestsWaiting: () => number
  readonly #stopwatch: () => number
  readonly #tenants = new Map<string, Tenant>()
  #paused = 0
  /** What the tenant that got the last slice had used. A tenant that begins starts from here: nobody saves up time. */
  #usedMs = 0
  #yielded = 0
  #isTurning = false

  constructor({ requestsWaiting = () => 0, stopwatch = () => performance.now() }: SlicesOptions = {}) {
    this.#requestsWaiting = requestsWaiting
    this.#stopwatch = stopwatch
  }

  /**
   * Runs heavy work of a tenant, which calls `pause` after each item. Tenants share the slices by the time that they have used.
   * Refuses with `rateLimited` when too many calls of the tenant wait already.
   */
  async during<T>(tenantId: string, work: (pause: Pause) => Promise<T>): Promise<T> {
    const tenant = await this.#enter(tenantId)
    try {
      await this.#slice(tenant)
      let beganAt = this.#stopwatch()
      return await work(() => {
        const elapsedMs = this.#stopwatch() - beganAt
        if (elapsedMs < sliceMs) return undefined
        // A part of a longer time was spent on waiting for the store.
        tenant.usedMs += Math.min(elapsedMs, 2 * sliceMs)
        return this.#slice(tenant).then(() => {
          beganAt = this.#stopwatch()
        })
      })
    } finally {
      this.#leave(tenantId, tenant)
    }
  }

  async #enter(tenantId: string): Promise<Tenant> {
    const tenant = this.#tenants.get(tenantId) ?? { working: 0, line: [], paused: [], usedMs: this.#usedMs }
    this.#tenants.set(tenantId, tenant)
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

  #leave(tenantId: string, tenant: Tenant): void {
    const next = tenant.line.shift()
    if (next) next()
    else if (--tenant.working === 0) this.#tenants.delete(tenantId)
  }

  #slice(tenant: Tenant): Promise<void> {
    tenant.usedMs = Math.max(tenant.usedMs, this.#usedMs)
    return new Promise((resolve) => {
      tenant.paused.push(resolve)
      this.#paused++
      this.#nextTurn()
    })
  }

  #nextTurn(): void {
    if (this.#isTurning) return
    this.#isTurning = true
    setImmediate(() => this.#turn())
  }

  #turn(): void {
    this.#isTurning = false
    if (this.#requestsWaiting() > 0 && this.#yielded++ < longestYield) {
      this.#nextTurn()
      return
    }
    this.#yielded = 0
    let next: Tenant | undefined
    for (const tenant of this.#tenants.values())
      if (tenant.paused.length > 0 && (!next || tenant.usedMs < next.usedMs)) next = tenant
    if (!next) return
    this.#paused--
    this.#usedMs = next.usedMs
    next.paused.shift()!()
    if (this.#paused > 0) this.#nextTurn()
  }
}
