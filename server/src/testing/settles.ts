// Does a promise settle in time? Counted in what this process does, so that a busy machine, which stretches all, fails no test.

import assert from 'node:assert/strict'
import { setImmediate, setTimeout } from 'node:timers/promises'

const turns = 20
const tickMs = 10
/** A longer tick is one in which this process, or the machine, stood still. */
const longestTickMs = 2 * tickMs

/** Fails unless the promise settles within a few turns of the event loop: without a timer or the network. Returns or throws its result. */
export async function settlesAtOnce<T>(promise: Promise<T>): Promise<T> {
  const isSettled = settling(promise)
  for (let turn = 0; turn < turns && !isSettled(); turn++) await setImmediate()
  assert.ok(isSettled(), `not settled after ${turns} turns of the event loop`)
  return promise
}

/** Fails unless the promise settles while this process ran for so long. Returns or throws its result. */
export async function settlesWithin<T>(ms: number, promise: Promise<T>): Promise<T> {
  const isSettled = settling(promise)
  for (let ranMs = 0; ranMs < ms && !isSettled(); ) {
    const before = performance.now()
    await setTimeout(tickMs)
    ranMs += Math.min(performance.now() - before, longestTickMs)
  }
  assert.ok(isSettled(), `not settled within ${ms} ms`)
  return promise
}

function settling(promise: Promise<unknown>): () => boolean {
  let isSettled = false
  const settle = () => {
    isSettled = true
  }
  promise.then(settle, settle)
  return () => isSettled
}
