import assert from 'node:assert/strict'
import { test } from 'node:test'
import { singleFlight } from './single-flight.ts'

const never = new AbortController().signal

test('shares one call among callers with the same key, and starts a new one afterwards', async () => {
  const flights = singleFlight()
  let calls = 0
  const { promise, resolve } = Promise.withResolvers<string>()
  const work = () => {
    calls++
    return promise
  }
  const both = [flights.join('k', never, work), flights.join('k', never, work)]
  const other = flights.join('other', never, async () => 'other')
  resolve('answer')
  assert.deepEqual(await Promise.all([...both, other]), ['answer', 'answer', 'other'])
  assert.equal(calls, 1)
  await flights.join('k', never, work)
  assert.equal(calls, 2)
})

test('rejects every caller when the call fails, and does not cache the failure', async () => {
  const flights = singleFlight()
  const work = async () => Promise.reject(new Error('down'))
  const results = await Promise.allSettled([flights.join('k', never, work), flights.join('k', never, work)])
  assert.deepEqual(
    results.map(({ status }) => status),
    ['rejected', 'rejected'],
  )
  assert.equal(await flights.join('k', never, async () => 'up'), 'up')
})

test('rejects a caller at its own deadline, serves the others, and aborts the call after the last has left', async () => {
  const flights = singleFlight()
  const { promise, resolve } = Promise.withResolvers<string>()
  let shared: AbortSignal | undefined
  const work = (signal: AbortSignal) => {
    shared = signal
    return promise
  }
  const [hurried, patient] = [new AbortController(), new AbortController()]
  const first = flights.join('k', hurried.signal, work)
  const second = flights.join('k', patient.signal, work)
  hurried.abort(new Error('late'))
  await assert.rejects(first, /late/)
  assert.equal(shared?.aborted, false)
  resolve('answer')
  assert.equal(await second, 'answer')
  assert.equal(shared?.aborted, false, 'a finished call is not aborted')

  const alone = new AbortController()
  const left = flights.join('alone', alone.signal, (signal) => {
    shared = signal
    return new Promise(() => {})
  })
  alone.abort(new Error('late'))
  await assert.rejects(left, /late/)
  assert.equal(shared?.aborted, true)
  assert.equal(await flights.join('alone', never, async () => 'new'), 'new', 'no caller joins an aborted call')
})

test('starts no call for a caller whose deadline has passed', async () => {
  const gone = AbortSignal.abort(new Error('late'))
  await assert.rejects(
    singleFlight().join('k', gone, async () => assert.fail('called')),
    /late/,
  )
})
