// Does a promise settle without a timer or the network? This counts turns of the event loop, not time.

import assert from 'node:assert/strict'
import { setImmediate } from 'node:timers/promises'

const turns = 20

/** Fails unless the promise settles within a few turns of the event loop. Returns or throws its result. */
export async function settlesAtOnce<T>(promise: Promise<T>): Promise<T> {
  let settled = false
  const settle = () => {
    settled = true
  }
  promise.then(settle, settle)
  for (let turn = 0; turn < turns && !settled; turn++) await setImmediate()
  assert.ok(settled, `not settled after ${turns} turns of the event loop`)
  return promise
}
