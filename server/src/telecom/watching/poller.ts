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
export function watchPoller(needs: TelecomNeeds): WatchPoller {
  const { database, clock, settings, log, tenantKeyring } = needs
  const ended = new AbortController()
  let running: Promise<unknown> | undefined
  /** Of tenants with an overloaded upstream: how many numbers at the same time. */
  const slowed = new Map<string, number>()
  /** The clock at the last round. */
  let lookedAt = Number.NEGATIVE_INFINITY
  const timer = setInterval(() => {
    running ??= round()
      .catch((error) => log.warn({ err: error }, 'cannot poll watched numbers; trying again'))
      .finally(() => {
        running = undefined
      })
  }, everyMs)
  timer.unref()

  /** Each tenant in turn gets one batch, until none has a number that is due. An overloaded upstream ends the turns of its tenant only. */
  async function round(): Promise<number> {
    let polled = 0
    const paused = new Set<string>()
    await heedClock()
    while (!ended.signal.aborted && (await renewSubscriptions(needs)) > 0);
    for (let isMore = true; isMore; ) {
      isMore = false
      for (let after = ''; !ended.signal.aborted; ) {
        const next = await nextTenantWatching(database, after)
        if (!next) break
        after = next.tenantId
        if (next.dueAt > clock.now() || paused.has(next.tenantId)) continue
        const batch = await batchOf(next.tenantId)
        polled += batch.polled
        // The upstream gets a pause: what is due stays due.
        if (slowed.get(next.tenantId) === 1) paused.add(next.tenantId)
        isMore ||= batch.claimed > 0
      }
    }
    return polled
  }

  /** A clock that was set back has left times that are too far ahead. The poll of a watch finds out which of them are. */
  async function heedClock(): Promise<void> {
    const now = clock.now()
    if (now < lookedAt - setBackMs) await pullWatchesForward(database, { now, until: now + claimMs })
    lookedAt = now
  }

  /** Each number that is claimed is due later, whatever its poll finds. */
  async function batchOf(tenantId: string): Promise<{ claimed: number; polled: number }> {
    const now = clock.now()
    const day = Math.floor(now / dayMs)
    const most = settings.watchRequestsPerDay
    const claim = randomBytes(16)
    const atOnce = slowed.get(tenantId) ?? mostAtOnce
    const rows = await claimDueWatches(database, { tenantId, claim, now, until: now + claimMs, limit: atOnce })
    if (rows.length === 0) return { claimed: 0, polled: 0 }
    const { intervals, lookUps } = await needs.telecom.watchPace.of(tenantId)
    const keys = await tenantKeyring.keysOf(tenantId)
    const opened = rows.flatMap((row) => {
      try {
        return [{ row, content: openWatch(row, keys) }]
      } catch (error) {
        log.error({ err: error }, 'cannot read a watch; trying again later')
        return []
      }
    })
    // A claim has no order. Who waits longest sends first, in case the budget or the money of the day ends now.
    const inOrder = opened.toSorted((a, b) => firstDue(a.content) - firstDue(b.content))
    const results = await Promise.all(inOrder.map((watch) => poll(watch)))
    const outcomes = results.flat().map(({ outcome }) => outcome)
    const next = outcomes.includes('overloaded') ? Math.max(1, atOnce >> 1) : atOnce + 1
    if (next < mostAtOnce) slowed.set(tenantId, next)
    else slowed.delete(tenantId)
    const isPolled = (found: readonly PolledCheck[]) => found.some(({ outcome }) => outcome !== 'deferred')
    return { claimed: rows.length, polled: results.filter(isPolled).length }

    async function poll({ row, content }: { row: WatchRow; content: WatchContent }): Promise<readonly PolledCheck[]> {
      try {
        const found = await pollWatch(content, now, {
          needs,
          tenantId,
          signal: AbortSignal.any([ended.signal, AbortSignal.timeout(pollMs)]),
          intervals,
          lookUps,
          takeRequests: (count) => takeWatchRequests(database, { tenantId, day, most, count }),
          giveBackRequests: (count) => giveBackWatchRequests(database, { tenantId, day, count }),
          isCapped: (check) => isCapped(tenantId, check, needs.telecom),
        })
        if (ended.signal.aborted) return found
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

  return {
    round,
    async close() {
      clearInterval(timer)
      ended.abort()
      await running
    },
  }
}
