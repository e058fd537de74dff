import assert from 'node:assert/strict'
import { test } from 'node:test'
import { singleFlight } from './single-flight.ts'

const never = new AbortController().signal

test('callers with one key share one call, and the next one after it asks anew', async () => {
  const flights = singleFlight()
  let asked = 0
  const { promise, resolve } = Promise.withResolvers<string>()
  const ask = () => {
    asked++
    return promise
  }
  const both = [flights.join('k', never, ask), flights.join('k', never, ask)]
  const other = flights.join('other', never, async () => 'other')
  resolve('answer')
  assert.deepEqual(await Promise.all([...both, other]), ['answer', 'answer', 'other'])
  assert.equal(asked, 1)
  await flights.join('k', never, ask)
  assert.equal(asked, 2)
})

test('a failure reaches every caller and is not kept', async () => {
  const flights = singleFlight()
  const ask = async () => Promise.reject(new Error('down'))
  const results = await Promise.allSettled([flights.join('k', never, ask), flights.join('k', never, ask)])
  assert.deepEqual(
    results.map(({ status }) => status),
    ['rejected', 'rejected'],
  )
  assert.equal(await flights.join('k', never, async () => 'up'), 'up')
})

test('a caller leaves at its own deadline and the others get their answer; the call is given up when the last has left', async () => {
  const flights = singleFlight()
  const { promise, resolve } = Promise.withResolvers<string>()
  let shared: AbortSignal | undefined
  const ask = (signal: AbortSignal) => {
    shared = signal
    return promise
  }
  const [hurried, patient] = [new AbortController(), new AbortController()]
  const first = flights.join('k', hurried.signal, ask)
  const second = flights.join('k', patient.signal, ask)
  hurried.abort(new Error('late'))
  await assert.rejects(first, /late/)
  assert.equal(shared?.aborted, false)
  resolve('answer')
  assert.equal(await second, 'answer')
  assert.equal(shared?.aborted, false, 'nothing is given up that was answered')

  const alone = new AbortController()
  const left = flights.join('alone', alone.signal, (signal) => {
    shared = signal
    return new Promise(() => {})
  })
  alone.abort(new Error('late'))
  await assert.rejects(left, /late/)
  assert.equal(shared?.aborted, true)
  assert.equal(await flights.join('alone', never, async () => 'anew'), 'anew', 'nobody joins a call that was given up')
})

test('a caller whose deadline has passed asks nothing', async () => {
  const gone = AbortSignal.abort(new Error('late'))
  await assert.rejects(
    singleFlight().join('k', gone, async () => assert.fail('asked')),
    /late/,
  )
})
