import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { settle } from './settle.ts'

test('collects the garbage of a start once, and not while a request is in flight', async () => {
  let [inFlight, collected] = [1, 0]
  const counts = { inFlight: () => inFlight, collect: () => void collected++, everyMs: 1 }
  const settled = settle({ ...counts, signal: new AbortController().signal })
  await pause(20)
  assert.equal(collected, 0)
  inFlight = 0
  await Promise.all([settled, pause(20)])
  await pause(20)
  assert.equal(collected, 1)
})

test('collects nothing when the service stops first', async () => {
  const stopping = new AbortController()
  let collected = 0
  const settled = settle({ inFlight: () => 1, collect: () => void collected++, everyMs: 1, signal: stopping.signal })
  stopping.abort()
  await settled
  assert.equal(collected, 0)
})

test('gives memory back that an ordinary collection keeps', async () => {
  const garbage = () => Array.from({ length: 200_000 }, () => ({}))
  for (let rounds = 0; rounds < 20; rounds++) garbage()
  const before = process.memoryUsage().heapTotal
  await settle({ inFlight: () => 0, everyMs: 1, signal: new AbortController().signal })
  assert.ok(process.memoryUsage().heapTotal < before)
  assert.equal(Reflect.get(globalThis, 'gc'), undefined, 'no program of the process gets the function')
})
