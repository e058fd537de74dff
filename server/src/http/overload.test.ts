import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { type OverloadLimits, overload } from './overload.ts'

/** An overload guard whose stopwatch moves by `work` alone, with so many requests in flight that one more would wait. */
function busyOverload(limits: Omit<OverloadLimits, 'stopwatch'>, requests = 64) {
  let elapsedMs = 0
  const load = overload({ ...limits, stopwatch: () => elapsedMs })
  while (load.inFlight() < requests) load.enter()
  const work = (ms: number) => {
    elapsedMs += ms
  }
  return { load, work }
}

test('refuses requests while they wait longer than delayMs for the process', async () => {
  const { load, work } = busyOverload({ concurrentRequests: 100, delayMs: 20 })
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
  const { load, work } = busyOverload({ concurrentRequests: 100, delayMs: 1 })
  work(10)
  assert.equal(load.enter(), true)
})

test('never refuses while few requests are in flight', () => {
  const { load, work } = busyOverload({ concurrentRequests: 100, delayMs: 1 }, 1)
  work(80)
  assert.equal(load.enter(), true)
})

test('refuses nothing after a pause, however long the last turn was', async () => {
  const { load, work } = busyOverload({ concurrentRequests: 100, delayMs: 20 })
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
