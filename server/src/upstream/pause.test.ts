// Does a call wait for the end of a short pause, and does the end of a pause never release all of them at once?

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { testClock } from '../testing/test-clock.ts'
import { pauses } from './pause.ts'

const later = () => AbortSignal.timeout(60_000)

test('twenty calls wait for the end of a pause, and more fail at once', async () => {
  const clock = testClock()
  const pause = pauses(clock)
  pause.begin(1000)
  const waiting = Array.from({ length: 20 }, () => pause.waitOut('check', later()))
  assert.equal(await pause.waitOut('check', later()), false)
  clock.advance({ seconds: 1 })
  assert.deepEqual(await Promise.all(waiting), Array(20).fill(true))
})

test('if the first call after a pause gets another pause, the calls behind it are not sent', async () => {
  const clock = testClock()
  const pause = pauses(clock)
  pause.begin(1000)
  const waiting = Array.from({ length: 20 }, async (_, index) => {
    const mayLeave = await pause.waitOut('check', later())
    if (index === 0) pause.begin(1000)
    return mayLeave
  })
  clock.advance({ seconds: 1 })
  assert.deepEqual(await Promise.all(waiting), [true, ...Array(19).fill(false)])
  // Those behind it have given their places back.
  const next = pause.waitOut('check', later())
  clock.advance({ seconds: 1 })
  assert.equal(await next, true)
})

test('a long pause is not waited for, and a deadline ends the wait without a cost', async () => {
  const clock = testClock()
  const pause = pauses(clock)
  pause.begin(5000)
  assert.equal(await pause.waitOut('check', later()), false)
  clock.advance({ seconds: 4 })
  const late = AbortSignal.timeout(30)
  await assert.rejects(pause.waitOut('check', late), { reason: 'timeout', isUnsent: true })
  clock.advance({ seconds: 1 })
  assert.equal(await pause.waitOut('check', later()), true)
})

test('a clock that stands still holds no call for longer than the pause', async () => {
  const pause = pauses(testClock())
  pause.begin(100)
  assert.equal(await pause.waitOut('check', later()), false)
})
