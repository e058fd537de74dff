// How often is a number polled, and does a check that the operator reports automatically leave its share to the others?

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readConfig } from '../../core/config/config.ts'
import { dayMs, intervalsFor, nextDayAt, nextDueAt } from './pace.ts'

const settings = { ...readConfig({ options: {} }).settings, watchRequestsPerDay: 4000 }
const hours = (count: number) => count * 3_600_000

test('intervals stretch by the requests that the checks make, with their look-ups', () => {
  const counts = [{ checks: 'simSwap', count: 1000 }]
  assert.equal(intervalsFor(counts, 0, 0, settings).simSwap, hours(6))
  assert.equal(intervalsFor(counts, 0, 1, settings).simSwap, hours(12))
})

test('a subscribed number counts as polled once a week', () => {
  const counts = [
    { checks: 'simSwap', count: 7000 },
    { checks: 'simSwap,deviceSwap', count: 600 },
  ]
  const { simSwap, deviceSwap } = intervalsFor(counts, 7000, 0, settings)
  // 600 × 4 × 2 + 7000 / 7 = 5800 a day.
  assert.deepEqual([simSwap, deviceSwap], [hours(6) * 1.45, hours(6) * 1.45])
  // A subscription of a watch that has just ended.
  assert.equal(intervalsFor([{ checks: 'simSwap', count: 1 }], 5, 0, settings).simSwap, hours(6))
})

test('a check that calls nobody keeps its interval', () => {
  const counts = [{ checks: 'simSwap,portability', count: 100_000 }]
  const { portability } = intervalsFor(counts, 0, 0, settings)
  assert.equal(portability, dayMs)
})

test('on the next day the check that waits longest is due first', () => {
  const now = Date.parse('2026-03-01T12:00:00Z')
  const due = [undefined, now - hours(90), now - hours(9), now].map((polledAt) => nextDayAt(now, polledAt))
  assert.deepEqual(
    due,
    due.toSorted((a, b) => a - b),
  )
  assert.equal(due[0], Date.parse('2026-03-02T00:00:00Z'))
  assert.ok(due[3]! <= due[0]! + 300_000)
})

test('the next time of a number is its own, half an interval to one and a half ahead', () => {
  for (const place of [0, 0.3, 0.999]) {
    const first = nextDueAt(hours(1000.4), hours(6), place)
    assert.ok(first >= hours(1003.4) && first < hours(1009.4))
    assert.equal(nextDueAt(first, hours(6), place), first + hours(6))
  }
})
