import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readCondition } from './condition.ts'
import { pendingChecksOf } from './pending-checks.ts'
import type { RuleInput } from './vocabulary.ts'

/** The checks that a rule with this condition waits for. */
function pending(when: string, input: RuleInput): string[] {
  return [...pendingChecksOf([readCondition(when)])(input)].sort()
}

test('a rule that reads no check waits for none', () => {
  assert.deepEqual(pending('newDevice', {}), [])
  assert.deepEqual(pending('telecom.country == "IN"', {}), [], 'numbering plans know the country')
})

test('a rule waits only while its other parts leave it open', () => {
  const when = 'telecom.simSwap.swapped and action == "PAYMENT"'
  assert.deepEqual(pending(when, { action: 'PAYMENT' }), ['simSwap'])
  assert.deepEqual(pending(when, { action: 'LOGIN' }), [])
  const either = 'newDevice or telecom.callForwarding.active'
  assert.deepEqual(pending(either, { newDevice: true }), [], 'it fires whatever the operator says')
  assert.deepEqual(pending(either, { newDevice: false }), ['callForwarding'])
})

test('not leaves open what is open', () => {
  assert.deepEqual(pending('not telecom.simSwap.swapped', {}), ['simSwap'])
  assert.deepEqual(pending('not (newDevice and telecom.simSwap.swapped)', { newDevice: false }), [])
})

test('the score is open until all checks have answered, and calls none for it', () => {
  assert.deepEqual(pending('score > 70', { newDevice: true }), [])
  assert.deepEqual(pending('score > 30 and telecom.simSwap.swapped', {}), ['simSwap'])
  assert.deepEqual(pending('score > 30 and newDevice and telecom.simSwap.swapped', { newDevice: false }), [])
})

test('a rule may wait for several checks', () => {
  const when = 'telecom.simSwap.swapped and telecom.portability.ported and missing.callForwarding != "unsupported"'
  assert.deepEqual(pending(when, {}), ['callForwarding', 'portability', 'simSwap'])
  assert.deepEqual(pending('telecom.operator == "JIO"', {}), ['portability'])
})
