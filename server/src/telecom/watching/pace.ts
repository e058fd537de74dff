// How often is each number polled? As often as configured, or as rarely as the budget of the tenant requires, evenly over the day.

import { type WatchableCheck, watchableChecks } from '@ringfence/contract'
import type { Settings } from '../../core/config/settings.ts'

export const dayMs = 86_400_000

/** How often a check is made without regard to the budget, in milliseconds. */
function wantedIntervalMs(check: WatchableCheck, settings: Settings): number {
  if (check === 'portability') return settings.watchPortabilitySeconds * 1000
  return (check === 'numberRecycling' ? settings.watchRecyclingSeconds : settings.watchSwapSeconds) * 1000
}

/** How many requests these checks of one number make at least, when they are made together. */
export const requestsFor = (checks: readonly WatchableCheck[], lookUps: number): number =>
  checks.length === 0 ? 0 : lookUps + checks.filter((check) => check !== 'portability').length

export type Intervals = Readonly<Record<WatchableCheck, number>>

/**
 * How often each check is made, in milliseconds. All intervals are stretched by the same factor until the requests of a day fit into
 * the budget.
 *
 * @param counts how many watches have each set of checks, as names separated by commas
 * @param subscribed how many of them have an operator that reports SIM swaps automatically
 * @param lookUps how many requests find the operator of a number, before each check
 */
export function intervalsFor(
  counts: readonly { checks: string; count: number }[],
  subscribed: number,
  lookUps: number,
  settings: Settings,
): Intervals {
  const inDay = (check: WatchableCheck, intervalMs: number) => (requestsFor([check], lookUps) * dayMs) / intervalMs
  const wanted = watchableChecks.reduce((sum, check) => {
    const intervalMs = wantedIntervalMs(check, settings)
    const watches = counts.reduce((some, row) => some + (row.checks.split(',').includes(check) ? row.count : 0), 0)
    const reported = check === 'simSwap' ? Math.min(subscribed, watches) : 0
    const rarely = Math.max(intervalMs, subscribedIntervalMs)
    return sum + (watches - reported) * inDay(check, intervalMs) + reported * inDay(check, rarely)
  }, 0)
  const stretch = Math.max(1, wanted / settings.watchRequestsPerDay)
  return Object.fromEntries(
    watchableChecks.map((check) => {
      const interval = wantedIntervalMs(check, settings)
      return [check, requestsFor([check], lookUps) === 0 ? interval : Math.ceil(interval * stretch)]
    }),
  ) as Intervals
}

/** How often a number is polled whose operator reports swaps automatically: a report may be lost. */
const subscribedIntervalMs = 7 * dayMs

/** How often this check is made, in milliseconds. */
export const intervalOf = (
  { subscribedUntil }: { readonly subscribedUntil?: number },
  intervalMs: number,
  now: number,
): number =>
  subscribedUntil !== undefined && subscribedUntil > now ? Math.max(intervalMs, subscribedIntervalMs) : intervalMs

/** Each number has its own place in every interval: from 0 up to 1. */
export const placeOf = (numberHash: Uint8Array): number => Buffer.from(numberHash).readUInt32BE(0) / 2 ** 32

/** The next time that is the number's own, from half an interval to one and a half from now. */
export function nextDueAt(now: number, intervalMs: number, place: number): number {
  const earliest = now + intervalMs / 2
  const offset = (place * intervalMs - earliest) % intervalMs
  return Math.floor(earliest + (offset < 0 ? offset + intervalMs : offset))
}

/** The next day in UTC, when the tenant may make requests again. The check that waits longest comes first. */
export function nextDayAt(now: number, polledAt: number | undefined): number {
  const waitedDays = polledAt === undefined ? Number.POSITIVE_INFINITY : Math.max(0, now - polledAt) / dayMs
  return (Math.floor(now / dayMs) + 1) * dayMs + Math.floor(300_000 / (1 + waitedDays))
}

/** No check is due later than this, unless its time was written by a clock that was ahead. */
export const latestDueAt = (now: number, intervalMs: number): number => now + 2 * Math.max(intervalMs, dayMs)

/** After a failure: a minute, then twice as long each time, at most the interval. */
export function retryAt(now: number, failures: number, intervalMs: number, place: number): number {
  const waitMs = Math.min(intervalMs, 60_000 * 2 ** Math.min(failures - 1, 12))
  return now + Math.floor(waitMs * (1 + place / 4))
}
