// When is a delivery attempted again? For three days, ever more rarely.

const minute = 60_000
const hour = 60 * minute

/** After each failure; the schedule that Standard Webhooks recommends. */
const pausesMs = [5000, 5 * minute, 30 * minute, 2 * hour, 5 * hour, 10 * hour, 14 * hour, 20 * hour, 24 * hour]

/** How long an event is attempted, and how long a receiver may fail before it is disabled. */
export const givesUpAfterMs = 72 * hour

/** Two receivers that failed at the same time are not called at the same time again. */
const jitter = 0.2

/** @param attempts how many have failed */
export function pauseAfter(attempts: number): number {
  const pauseMs = pausesMs[Math.min(attempts, pausesMs.length) - 1]!
  return Math.round(pauseMs * (1 - jitter / 2 + jitter * Math.random()))
}

/** Whether an event has failed often and long enough. */
export const isGivenUp = (attempts: number, failingSince: number, now: number): boolean =>
  attempts > pausesMs.length && now - failingSince >= givesUpAfterMs
