import assert from 'node:assert/strict'
import { once } from 'node:events'
import { test } from 'node:test'
import { Deadline } from './request-deadline.ts'

const timers = () => process.getActiveResourcesInfo().filter((resource) => resource === 'Timeout').length

test('aborts the signal when the response is due, also when it is overdue', async () => {
  for (const dueInMs of [2, -2]) {
    const { signal } = new Deadline(performance.now() + dueInMs)
    assert.equal(signal.aborted, false)
    await once(signal, 'abort')
    assert.equal(signal.reason.name, 'TimeoutError')
  }
})

test('starts no timer without a use of the signal, and leaves none after the response', () => {
  const before = timers()
  const deadline = new Deadline(performance.now() + 5_000)
  assert.equal(timers(), before)
  assert.equal(deadline.signal, deadline.signal)
  assert.equal(timers(), before + 1)
  deadline.met()
  assert.equal(timers(), before)
})
