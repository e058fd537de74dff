import assert from 'node:assert/strict'
import { once } from 'node:events'
import { test } from 'node:test'
import { Deadline } from './request-deadline.ts'

const timers = () => process.getActiveResourcesInfo().filter((resource) => resource === 'Timeout').length

test('the signal is aborted when the answer is due, also when it is due already', async () => {
  for (const dueInMs of [2, -2]) {
    const { signal } = new Deadline(performance.now() + dueInMs)
    assert.equal(signal.aborted, false)
    await once(signal, 'abort')
    assert.equal(signal.reason.name, 'TimeoutError')
  }
})

test('a request that nobody is asked about needs no timer, and one that was answered leaves none', () => {
  const before = timers()
  const deadline = new Deadline(performance.now() + 5_000)
  assert.equal(timers(), before)
  assert.equal(deadline.signal, deadline.signal)
  assert.equal(timers(), before + 1)
  deadline.met()
  assert.equal(timers(), before)
})
