import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ConsecutiveBreaker } from 'cockatiel'
import { testClock } from '../testing/test-clock.ts'
import { Circuit } from './circuit.ts'

/** A circuit that opens after two failures in a row, and how it changed. */
function twoFailures() {
  const clock = testClock()
  const changes: string[] = []
  const circuit = new Circuit({
    clock,
    breaker: new ConsecutiveBreaker(2),
    onChange: (state) => changes.push(state),
  })
  const fail = () => circuit.end(circuit.begin()!, 'unhealthy')
  return { circuit, clock, changes, fail }
}

test('calls that began before the circuit opened neither open it again nor close it', () => {
  const { circuit, clock, changes, fail } = twoFailures()
  const late = Array.from({ length: 4 }, () => circuit.begin()!)
  fail()
  fail()
  assert.deepEqual(changes, ['open'])
  circuit.end(late[0]!, 'healthy')
  assert.equal(circuit.begin(), undefined)

  clock.advance({ seconds: 1 })
  const probe = circuit.begin()!
  for (const each of late.slice(1)) circuit.end(each, 'unhealthy')
  assert.deepEqual(changes, ['open'], 'the probe decides')
  circuit.end(probe, 'healthy')
  assert.deepEqual(changes, ['open', 'closed'])
  assert.equal(circuit.closed, true)
})

test('a probe whose result says nothing about the upstream keeps the circuit open, for twice as long', () => {
  const { circuit, clock, changes, fail } = twoFailures()
  fail()
  fail()
  clock.advance({ seconds: 1 })
  circuit.end(circuit.begin()!, 'unknown')
  assert.deepEqual(changes, ['open', 'open'])
  clock.advance({ ms: 1_999 })
  assert.equal(circuit.begin(), undefined)
  clock.advance({ ms: 1 })
  assert.notEqual(circuit.begin(), undefined)
})

test('no pause is longer than 30 s', () => {
  const { circuit, clock, fail } = twoFailures()
  fail()
  fail()
  for (let probes = 0; probes < 10; probes++) {
    clock.advance({ seconds: 30 })
    fail()
  }
  clock.advance({ ms: 29_999 })
  assert.equal(circuit.begin(), undefined)
  clock.advance({ ms: 1 })
  assert.notEqual(circuit.begin(), undefined)
})
