// May this caller send another request now? All servers of a store count together, without a request that waits for the store.

import type { Clock } from '../clock.ts'
import { Refusal } from '../errors.ts'
import { ExpiringMap } from '../expiring-map.ts'
import type { Lease, LeaseRequest, Window } from '../storage/servers/request-counts.ts'

export interface RateLimit {
  /** Counts a request, and sets the RateLimit headers, or those of a refusal only. Refuses with `rateLimited`. */
  take(key: string, headers: (name: string, value: string) => void, when?: 'always' | 'refused'): Promise<void>
  /** Counts nothing, and refuses with `rateLimited` once `take` would. */
  refuseIfSpent(key: string, headers: (name: string, value: string) => void): void
}

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

/**
 * `name` is the name of the policy in the headers (draft-ietf-httpapi-ratelimit-headers). Allows `perSecond` requests on average, and
 * `burst` at once: that many per window of `burst / perSecond` seconds. While the store does not answer, each server admits its
 * part of the quota. `multiple` of both, in the same window, is what a larger network may have.
 */
export function rateLimit(
  name: string,
  { perSecond, burst = perSecond, multiple = 1, most = mostCallers }: Rate,
  { clock, servers, lease, hash, longestWaitMs = 250 }: RateLimitResources,
): RateLimit {
  const windowMs = Math.ceil(Math.max(burst, perSecond) / perSecond) * 1000
  const quota = multiple === 1 ? Math.max(burst, perSecond) : Math.ceil(Math.max(burst, perSecond) * multiple)
  const policy = `"${name}";q=${quota};w=${windowMs / 1000}`
  const callers = new ExpiringMap<string, Caller>({ clock, ttlMs: 2 * windowMs, most })
  const toLease = new Set<Caller>()
  let isStoreLate = false
  let timer: NodeJS.Timeout | undefined
  let isSending = false
  let lastSentAt = Number.NEGATIVE_INFINITY

  function callerOf(key: string): Caller {
    const now = clock.now()
    const known = callers.get(key)
    if (known && now < known.endsAt) return known
    const fresh = {
      endsAt: now + windowMs,
      leased: 0,
      admitted: 0,
      admittedWithoutLease: 0,
      unreported: 0,
      counted: 0,
      isSpent: false,
    }
    const caller = known ? Object.assign(known, fresh) : { key, waiting: [], ...fresh }
    callers.set(key, caller)
    return caller
  }

  function mayGoWithoutLease({ isSpent, admitted, admittedWithoutLease }: Caller): boolean {
    const count = servers.count()
    if (count <= 1) return admitted < quota
    if (isSpent) return false
    if (isStoreLate && admitted < Math.ceil(quota / count)) return true
    return admittedWithoutLease < withoutLease()
  }

  const withoutLease = () => Math.max(1, Math.floor((shareWithoutLease * quota) / servers.count()))
  const inAdvance = () => Math.max(1, Math.ceil((shareInAdvance * quota) / servers.count()))

  function admits(caller: Caller): boolean {
    if (caller.leased > 0) {
      caller.leased--
      if (caller.leased < inAdvance() / 2) leaseSoon(caller)
    } else if (mayGoWithoutLease(caller)) {
      caller.admittedWithoutLease++
      caller.unreported++
      if (caller.admittedWithoutLease >= withoutLease() / 2) leaseSoon(caller)
    } else return false
    caller.admitted++
    return true
  }

  function leaseSoon(caller: Caller): void {
    if (caller.isSpent || servers.count() <= 1 || toLease.size >= mostCallers) return
    toLease.add(caller)
    schedule()
  }

  function schedule(): void {
    if (isSending || timer || toLease.size === 0) return
    const pause = isStoreLate ? retryStoreMs : betweenBatchesMs
    timer = setTimeout(() => void send(), Math.max(0, lastSentAt + pause - performance.now()))
    timer.unref()
  }

  async function send(): Promise<void> {
    timer = undefined
    isSending = true
    const batch = new Map<string, { caller: Caller; spent: number; wanted: number }>()
    for (const caller of toLease) {
      if (batch.size === largestBatch) break
      toLease.delete(caller)
      if (clock.now() >= caller.endsAt && caller.waiting.length === 0) continue
      const spent = Math.min(quota, caller.unreported)
      const wanted = Math.min(quota - spent, caller.waiting.length + Math.max(0, inAdvance() - caller.leased))
      caller.unreported -= spent
      batch.set(hash(`${name} ${caller.key}`), { caller, spent, wanted })
    }
    try {
      const requests = [...batch].map(([key, { spent, wanted }]) => ({ key, spent, wanted }))
      const leases = requests.length === 0 ? [] : await lease(requests, { quota, windowMs })
      for (const { key, granted, counted, msLeft } of leases) {
        const { caller, wanted } = batch.get(key)!
        caller.endsAt = clock.now() + msLeft
        caller.leased += granted
        caller.counted = counted
        caller.isSpent = granted < wanted
      }
      isStoreLate = false
    } catch {
      // The store reports its failure itself. Each server goes on with its part of the quota.
      isStoreLate = true
      for (const { caller, spent } of batch.values()) caller.unreported += spent
    }
    isSending = false
    lastSentAt = performance.now()
    for (const { caller } of batch.values()) for (const go of caller.waiting.splice(0)) go()
    schedule()
  }

  /** Waits for the batch that leases for this caller. */
  async function leased(caller: Caller): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>()
    caller.waiting.push(resolve)
    toLease.add(caller)
    schedule()
    const giveUp = () => {
      if (!caller.waiting.includes(resolve)) return
      isStoreLate = true
      for (const go of caller.waiting.splice(0)) go()
    }
    // The answer of the store may have arrived while the process was busy: it is read first.
    const timer = setTimeout(() => setImmediate(giveUp), longestWaitMs)
    await promise
    clearTimeout(timer)
  }

  function report(caller: Caller, headers: (name: string, value: string) => void): number {
    const seconds = Math.max(1, Math.ceil((caller.endsAt - clock.now()) / 1000))
    const remaining = caller.isSpent ? caller.leased : quota - caller.counted - caller.unreported + caller.leased
    headers('RateLimit-Policy', policy)
    headers('RateLimit', `"${name}";r=${Math.max(0, remaining)};t=${seconds}`)
    return seconds
  }

  return {
    async take(key, headers, when = 'always') {
      let caller = callerOf(key)
      let isAdmitted = admits(caller)
      while (!isAdmitted && !caller.isSpent && !isStoreLate && servers.count() > 1) {
        await leased(caller)
        caller = callerOf(key)
        isAdmitted = admits(caller)
      }
      if (isAdmitted && when === 'refused') return
      const retryAfterSeconds = report(caller, headers)
      if (!isAdmitted) throw new Refusal('rateLimited', { retryAfterSeconds })
    },

    refuseIfSpent(key, headers) {
      const caller = callers.get(key)
      if (!caller || clock.now() >= caller.endsAt || caller.leased > 0 || mayGoWithoutLease(caller)) return
      const mayLease = servers.count() > 1 && !caller.isSpent && !isStoreLate
      if (!mayLease) throw new Refusal('rateLimited', { retryAfterSeconds: report(caller, headers) })
    },
  }
}
