// May this caller send another request now? All servers of a store count together, without a request that waits for the store.

import type { Clock } from '../clock.ts'
import { Refusal } from '../errors.ts'
import { ExpiringMap } from '../expiring-map.ts'
import type { Lease, LeaseRequest, Window } from '../storage/servers/request-counts.ts'

export interface RateLimitResources {
  readonly clock: Clock
  /** How many servers share the store. With one server, this process counts alone. */
  readonly servers: { count(): number }
  /** Leases slices of a window. */
  readonly lease: (requests: readonly LeaseRequest[], window: Window) => Promise<Lease[]>
  /** The name of a caller in the store, hexadecimal. It must not reveal an IP address. */
  readonly hash: (text: string) => string
  /** A request beyond what its server has waits so long for the next batch, instead of being refused. */
  readonly longestWaitMs?: number
}

/**
 * What the servers may admit together without a lease, as a part of the quota. The total of a window is at most this much above the
 * quota; and a caller below it costs the store nothing.
 */
const shareWithoutLease = 0.1
/** What a server leases in advance, so that a request seldom finds nothing. */
const shareInAdvance = 0.1

const betweenBatchesMs = 20
const largestBatch = 1000
const retryStoreMs = 1000

const mostCallers = 100_000

interface Rate {
  perSecond: number
  burst?: number
  multiple?: number
  /** Callers that are remembered. */
  most?: number
}

interface Caller {
  readonly key: string
  /** When the window ends. */
  endsAt: number
  /** May be admitted without another word with the store. */
  leased: number
  /** By this server, in this window. */
  admitted: number
  admittedWithoutLease: number
  /** Of those, what the store does not know yet. */
  unreported: number
  /** By the store, leases included. */
  counted: number
  /** The quota is used up. */
  isSpent: boolean
  waiting: (() => void)[]
}

/** What a batch asks the store about one caller. */
interface Wish {
  readonly caller: Caller
  readonly spent: number
  readonly wanted: number
}

type Headers = (name: string, value: string) => void

export class RateLimit {
  readonly #name: string
  readonly #resources: RateLimitResources
  readonly #windowMs: number
  readonly #quota: number
  readonly #policy: string
  readonly #callers: ExpiringMap<string, Caller>
  readonly #toLease = new Set<Caller>()
  #isStoreLate = false
  #timer: NodeJS.Timeout | undefined
  #isSending = false
  #lastSentAt = Number.NEGATIVE_INFINITY

  /**
   * `name` is the name of the policy in the headers (draft-ietf-httpapi-ratelimit-headers). Allows `perSecond` requests on average, and
   * `burst` at once: that many per window of `burst / perSecond` seconds. While the store does not answer, each server admits its
   * part of the quota. `multiple` of both, in the same window, is what a larger network may have.
   */
  constructor(
    name: string,
    { perSecond, burst = perSecond, multiple = 1, most = mostCallers }: Rate,
    resources: RateLimitResources,
  ) {
    const largest = Math.max(burst, perSecond)
    this.#name = name
    this.#resources = resources
    this.#windowMs = Math.ceil(largest / perSecond) * 1000
    this.#quota = multiple === 1 ? largest : Math.ceil(largest * multiple)
    this.#policy = `"${name}";q=${this.#quota};w=${this.#windowMs / 1000}`
    this.#callers = new ExpiringMap({ clock: resources.clock, ttlMs: 2 * this.#windowMs, most })
  }

  /** Counts a request, and sets the RateLimit headers, or those of a refusal only. Refuses with `rateLimited`. */
  async take(key: string, headers: Headers, when: 'always' | 'refused' = 'always'): Promise<void> {
    let caller = this.#callerOf(key)
    let isAdmitted = this.#admits(caller)
    while (!isAdmitted && this.#mayLease(caller)) {
      await this.#leased(caller)
      caller = this.#callerOf(key)
      isAdmitted = this.#admits(caller)
    }
    if (isAdmitted && when === 'refused') return
    const retryAfterSeconds = this.#report(caller, headers)
    if (!isAdmitted) throw new Refusal('rateLimited', { retryAfterSeconds })
  }

  /** Counts nothing, and refuses with `rateLimited` once `take` would. */
  refuseIfSpent(key: string, headers: Headers): void {
    const caller = this.#callers.get(key)
    if (!caller || this.#resources.clock.now() >= caller.endsAt || caller.leased > 0) return
    if (this.#mayGoWithoutLease(caller) || this.#mayLease(caller)) return
    throw new Refusal('rateLimited', { retryAfterSeconds: this.#report(caller, headers) })
  }

  #callerOf(key: string): Caller {
    const now = this.#resources.clock.now()
    const known = this.#callers.get(key)
    if (known && now < known.endsAt) return known
    const fresh = {
      endsAt: now + this.#windowMs,
      leased: 0,
      admitted: 0,
      admittedWithoutLease: 0,
      unreported: 0,
      counted: 0,
      isSpent: false,
    }
    const caller = known ? Object.assign(known, fresh) : { key, waiting: [], ...fresh }
    this.#callers.set(key, caller)
    return caller
  }

  #mayGoWithoutLease({ isSpent, admitted, admittedWithoutLease }: Caller): boolean {
    const count = this.#resources.servers.count()
    if (count <= 1) return admitted < this.#quota
    if (isSpent) return false
    if (this.#isStoreLate && admitted < Math.ceil(this.#quota / count)) return true
    return admittedWithoutLease < this.#withoutLease()
  }

  #mayLease({ isSpent }: Caller): boolean {
    return !isSpent && !this.#isStoreLate && this.#resources.servers.count() > 1
  }

  #withoutLease(): number {
    return Math.max(1, Math.floor((shareWithoutLease * this.#quota) / this.#resources.servers.count()))
  }

  #inAdvance(): number {
    return Math.max(1, Math.ceil((shareInAdvance * this.#quota) / this.#resources.servers.count()))
  }

  #admits(caller: Caller): boolean {
    if (caller.leased > 0) {
      caller.leased--
      if (caller.leased < this.#inAdvance() / 2) this.#leaseSoon(caller)
    } else if (this.#mayGoWithoutLease(caller)) {
      caller.admittedWithoutLease++
      caller.unreported++
      if (caller.admittedWithoutLease >= this.#withoutLease() / 2) this.#leaseSoon(caller)
    } else return false
    caller.admitted++
    return true
  }

  #leaseSoon(caller: Caller): void {
    if (caller.isSpent || this.#resources.servers.count() <= 1 || this.#toLease.size >= mostCallers) return
    this.#toLease.add(caller)
    this.#schedule()
  }

  #schedule(): void {
    if (this.#isSending || this.#timer || this.#toLease.size === 0) return
    const pause = this.#isStoreLate ? retryStoreMs : betweenBatchesMs
    this.#timer = setTimeout(() => void this.#send(), Math.max(0, this.#lastSentAt + pause - performance.now()))
    this.#timer.unref()
  }

  async #send(): Promise<void> {
    this.#timer = undefined
    this.#isSending = true
    const batch = this.#nextBatch()
    try {
      await this.#leaseFor(batch)
      this.#isStoreLate = false
    } catch {
      // The store reports its failure itself. Each server goes on with its part of the quota.
      this.#isStoreLate = true
      for (const { caller, spent } of batch.values()) caller.unreported += spent
    }
    this.#isSending = false
    this.#lastSentAt = performance.now()
    for (const { caller } of batch.values()) for (const go of caller.waiting.splice(0)) go()
    this.#schedule()
  }

  #nextBatch(): Map<string, Wish> {
    const { clock, hash } = this.#resources
    const batch = new Map<string, Wish>()
    for (const caller of this.#toLease) {
      if (batch.size === largestBatch) break
      this.#toLease.delete(caller)
      if (clock.now() >= caller.endsAt && caller.waiting.length === 0) continue
      const spent = Math.min(this.#quota, caller.unreported)
      const wanted = Math.min(
        this.#quota - spent,
        caller.waiting.length + Math.max(0, this.#inAdvance() - caller.leased),
      )
      caller.unreported -= spent
      batch.set(hash(`${this.#name} ${caller.key}`), { caller, spent, wanted })
    }
    return batch
  }

  async #leaseFor(batch: ReadonlyMap<string, Wish>): Promise<void> {
    if (batch.size === 0) return
    const { lease, clock } = this.#resources
    const requests = [...batch].map(([key, { spent, wanted }]) => ({ key, spent, wanted }))
    const leases = await lease(requests, { quota: this.#quota, windowMs: this.#windowMs })
    for (const { key, granted, counted, msLeft } of leases) {
      const { caller, wanted } = batch.get(key)!
      caller.endsAt = clock.now() + msLeft
      caller.leased += granted
      caller.counted = counted
      caller.isSpent = granted < wanted
    }
  }

  /** Waits for the batch that leases for this caller. */
  async #leased(caller: Caller): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>()
    caller.waiting.push(resolve)
    this.#toLease.add(caller)
    this.#schedule()
    const giveUp = () => {
      if (!caller.waiting.includes(resolve)) return
      this.#isStoreLate = true
      for (const go of caller.waiting.splice(0)) go()
    }
    // The answer of the store may have arrived while the process was busy: it is read first.
    const timer = setTimeout(() => setImmediate(giveUp), this.#resources.longestWaitMs ?? 250)
    await promise
    clearTimeout(timer)
  }

  #report(caller: Caller, headers: Headers): number {
    const seconds = Math.max(1, Math.ceil((caller.endsAt - this.#resources.clock.now()) / 1000))
    const remaining = caller.isSpent ? caller.leased : this.#quota - caller.counted - caller.unreported + caller.leased
    headers('RateLimit-Policy', this.#policy)
    headers('RateLimit', `"${this.#name}";r=${Math.max(0, remaining)};t=${seconds}`)
    return seconds
  }
}
