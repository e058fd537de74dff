// Which watched numbers are due now? Servers claim them in the store, and poll a few at a time within the budget of each tenant.

import { randomBytes } from 'node:crypto'
import type { TelecomNeeds } from '../room.ts'
import {
  claimDueWatches,
  giveBackWatchRequests,
  nextTenantWatching,
  pullWatchesForward,
  takeWatchRequests,
  type WatchRow,
} from '../store/number-watches.ts'
import { notePolled } from './note-polled.ts'
import { dayMs } from './pace.ts'
import { type PolledCheck, pollWatch } from './poll-watch.ts'
import { isCapped } from './spending.ts'
import { renewSubscriptions, subscribeToSwaps } from './subscriptions.ts'
import { firstDue, openWatch, type WatchContent } from './watch-record.ts'

const everyMs = 5000
/** Numbers of a tenant that one server polls at the same time, while none of its upstreams is overloaded. */
const mostAtOnce = 8
/** A poll ends within this time. */
const pollMs = 20_000
/** Then another server may poll a number whose server died; longer than a poll, its writes, and the difference of two clocks. */
const claimMs = 120_000

/** A clock is set right by less than this without notice. */
const setBackMs = 60_000

export interface WatchPoller {
  /** Polls every number that is due and within the budget of its tenant. @returns how many */
  round(): Promise<number>
  close(): Promise<void>
}

/** Looks every five seconds until it is closed. `clock` decides what is due. */
export function startWatchPoller(needs: TelecomNeeds): WatchPoller {
  const poller = new Poller(needs)
  poller.start()
  return poller
}

/** Looks when `round` is called. */
export const watchPoller = (needs: TelecomNeeds): WatchPoller => new Poller(needs)

/** What one server has claimed of a tenant. */
interface ClaimedWatches {
  readonly tenantId: string
  readonly claim: Uint8Array
  readonly now: number
  readonly pace: Awaited<ReturnType<TelecomNeeds['telecom']['watchPace']['of']>>
}

interface OpenedWatch {
  readonly row: WatchRow
  readonly content: WatchContent
}

class Poller implements WatchPoller {
  readonly #needs
  readonly #ended = new AbortController()
  #timer: NodeJS.Timeout | undefined
  #running: Promise<unknown> | undefined
  /** Of tenants with an overloaded upstream: how many numbers at the same time. */
  readonly #slowed = new Map<string, number>()
  /** The clock at the last round. */
  #lookedAt = Number.NEGATIVE_INFINITY

  constructor(needs: TelecomNeeds) {
    this.#needs = needs
  }

  start(): void {
    this.#timer = setInterval(() => {
      this.#running ??= this.round()
        .catch((error) => this.#needs.log.warn({ err: error }, 'cannot poll watched numbers; trying again'))
        .finally(() => {
          this.#running = undefined
        })
    }, everyMs)
    this.#timer.unref()
  }

  /** Each tenant in turn gets one batch, until none has a number that is due. An overloaded upstream ends the turns of its tenant only. */
  async round(): Promise<number> {
    const { database, clock } = this.#needs
    const { signal } = this.#ended
    let polled = 0
    const paused = new Set<string>()
    await this.#heedClock()
    while (!signal.aborted && (await renewSubscriptions(this.#needs)) > 0);
    for (let isMore = true; isMore; ) {
      isMore = false
      for (let after = ''; !signal.aborted; ) {
        const next = await nextTenantWatching(database, after)
        if (!next) break
        after = next.tenantId
        if (next.dueAt > clock.now() || paused.has(next.tenantId)) continue
        const batch = await this.#batchOf(next.tenantId)
        polled += batch.polled
        // The upstream gets a pause: what is due stays due.
        if (this.#slowed.get(next.tenantId) === 1) paused.add(next.tenantId)
        isMore ||= batch.claimed > 0
      }
    }
    return polled
  }

  async close(): Promise<void> {
    clearInterval(this.#timer)
    this.#ended.abort()
    await this.#running
  }

  /** A clock that was set back has left times that are too far ahead. The poll of a watch finds out which of them are. */
  async #heedClock(): Promise<void> {
    const now = this.#needs.clock.now()
    if (now < this.#lookedAt - setBackMs) {
      await pullWatchesForward(this.#needs.database, { now, until: now + claimMs })
    }
    this.#lookedAt = now
  }

  /** Each number that is claimed is due later, whatever its poll finds. */
  async #batchOf(tenantId: string): Promise<{ claimed: number; polled: number }> {
    const { database, clock, telecom } = this.#needs
    const now = clock.now()
    const claim = randomBytes(16)
    const atOnce = this.#slowed.get(tenantId) ?? mostAtOnce
    const rows = await claimDueWatches(database, { tenantId, claim, now, until: now + claimMs, limit: atOnce })
    if (rows.length === 0) return { claimed: 0, polled: 0 }
    const claimed = { tenantId, claim, now, pace: await telecom.watchPace.of(tenantId) }
    const watches = await this.#opened(tenantId, rows)
    const results = await Promise.all(watches.map((watch) => this.#poll(watch, claimed)))
    const outcomes = results.flat().map(({ outcome }) => outcome)
    const next = outcomes.includes('overloaded') ? Math.max(1, atOnce >> 1) : atOnce + 1
    if (next < mostAtOnce) this.#slowed.set(tenantId, next)
    else this.#slowed.delete(tenantId)
    const isPolled = (found: readonly PolledCheck[]) => found.some(({ outcome }) => outcome !== 'deferred')
    return { claimed: rows.length, polled: results.filter(isPolled).length }
  }

  /** A claim has no order. Who waits longest sends first, in case the budget or the money of the day ends now. */
  async #opened(tenantId: string, rows: readonly WatchRow[]): Promise<OpenedWatch[]> {
    const keys = await this.#needs.tenantKeyring.keysOf(tenantId)
    const opened = rows.flatMap((row) => {
      try {
        return [{ row, content: openWatch(row, keys) }]
      } catch (error) {
        this.#needs.log.error({ err: error }, 'cannot read a watch; trying again later')
        return []
      }
    })
    return opened.toSorted((a, b) => firstDue(a.content) - firstDue(b.content))
  }

  async #poll(
    { row, content }: OpenedWatch,
    { tenantId, claim, now, pace: { intervals, lookUps } }: ClaimedWatches,
  ): Promise<readonly PolledCheck[]> {
    const needs = this.#needs
    const { database, settings, telecom, log } = needs
    const { signal: ended } = this.#ended
    const ofToday = { tenantId, day: Math.floor(now / dayMs), most: settings.watchRequestsPerDay }
    try {
      const found = await pollWatch(content, now, {
        ...{ needs, tenantId, intervals, lookUps },
        signal: AbortSignal.any([ended, AbortSignal.timeout(pollMs)]),
        takeRequests: (count) => takeWatchRequests(database, { ...ofToday, count }),
        giveBackRequests: (count) => giveBackWatchRequests(database, { ...ofToday, count }),
        isCapped: (check) => isCapped(tenantId, check, telecom),
      })
      if (ended.aborted) return found
      if (!(await notePolled(row, found, { claim, intervals, needs }))) return found
      const swap = found.find(({ check, outcome }) => check === 'simSwap' && outcome === 'answered')
      if (swap?.source !== undefined) await subscribeToSwaps(row, content, swap.source, needs)
      return found
    } catch (error) {
      // The claim ends automatically, and the number is polled again.
      log.warn({ err: error }, 'cannot poll a watched number; trying again')
      return []
    }
  }
}
