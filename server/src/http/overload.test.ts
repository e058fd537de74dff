import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { type Overload, overload } from './overload.ts'

/** With so many requests in flight that one more would wait. */
function busyOverload(limits: Parameters<typeof overload>[0]): Overload {
  const load = overload(limits)
  while (load.inFlight() < 64) load.enter()
  return load
}

/** Keeps the process busy, as a request does. */
function work(ms: number): void {
  const endAt = performance.now() + ms
  while (performance.now() < endAt);
}

test('refuses requests while they wait longer than delayMs for the process', async () => {
  const load = busyOverload({ concurrentRequests: 100, delayMs: 20 })
  // All requests were ready when this turn began.
  assert.equal(load.enter(), true)
  work(80)
  assert.equal(load.enter(), false)

  // A request of the next turn may have waited for this one.
  await nextTurn()
  assert.equal(load.enter(), false)

  // The turn before this one was short.
  await nextTurn()
  assert.equal(load.enter(), true)
})

test('refuses nothing in a short burst', () => {
  const load = busyOverload({ concurrentRequests: 100, delayMs: 1 })
  work(10)
  assert.equal(load.enter(), true)
})

test('never refuses while few requests are in flight', () => {
  const load = overload({ concurrentRequests: 100, delayMs: 1 })
  assert.equal(load.enter(), true)
  work(80)
  assert.equal(load.enter(), true)
})

test('refuses nothing after a pause, however long the last turn was', async () => {
  const load = busyOverload({ concurrentRequests: 100, delayMs: 20 })
  work(80)
  await nextTurn()
  await nextTurn()
  await nextTurn()
  assert.equal(load.enter(), true)
})

test('accepts at most concurrentRequests at the same time', () => {
  const load = overload({ concurrentRequests: 2, delayMs: 1000 })
  assert.deepEqual([load.enter(), load.enter(), load.enter()], [true, true, false])
  load.leave()
  assert.equal(load.inFlight(), 1)
  assert.deepEqual([load.enter(), load.enter()], [true, false])
})
