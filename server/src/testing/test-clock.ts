// What time is it in a test? The clock stands still until the test moves it.

import type { Clock } from '../core/clock.ts'

export interface TestClock extends Clock {
  advance(by: { hours?: number; seconds?: number; ms?: number }): void
}

export function testClock(startsAt = Date.parse('2026-03-01T12:00:00Z')): TestClock {
  let now = startsAt
  return {
    now: () => now,
    advance({ hours = 0, seconds = 0, ms = 0 }) {
      now += hours * 3_600_000 + seconds * 1000 + ms
    },
  }
}
