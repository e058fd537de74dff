import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { RuleInput } from './language/vocabulary.ts'
import { pendingChecksOf } from './pending-checks.ts'
import { ruleSetOf } from './rule-set.ts'

/** The checks that a rule with this condition waits for. */
function pending(when: string, input: RuleInput, velocity?: object): string[] {
  const rules = [{ id: 'r', name: 'R', when, action: 'WARN', score: 1 }]
  return [...pendingChecksOf(ruleSetOf({ velocity, rules }))(input)].sort()
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

test('whether everything is missing is open until all checks have answered, and calls none for it', () => {
  const rubbishToken = { missing: { login: 'unknown', everything: true } } as const
  assert.deepEqual(pending('missing.everything', rubbishToken), [])
  assert.deepEqual(pending('telecom.simSwap.swapped and not missing.everything', rubbishToken), ['simSwap'])
})

test('an operator that may be new to the account is asked for, and not where nothing can be new', () => {
  const when = 'account.newOperator and action == "PAYMENT"'
  assert.deepEqual(pending(when, { action: 'PAYMENT', account: { sessions: 3 } }), ['portability'])
  assert.deepEqual(pending(when, { action: 'LOGIN', account: { sessions: 3 } }), [])
  assert.deepEqual(pending(when, { action: 'PAYMENT', account: { sessions: 2 } }), [])
  assert.deepEqual(pending(when, { action: 'PAYMENT' }), [], 'no account is named')
})

test('the operator of the number is asked for where a SIM card can be compared with it', () => {
  const when = 'sim.operatorOfNumber == false'
  assert.deepEqual(pending(when, { sim: { networkCode: '404-45' } }), ['portability'])
  assert.deepEqual(pending(when, { sim: { slots: 1 } }), [])
  assert.deepEqual(pending(when, {}), [])
  assert.deepEqual(
    pending('sim.countryOfNumber == false', { sim: { networkCode: '404-45' } }),
    [],
    'by the number alone',
  )
})

test('a velocity of operators is open only where it has its key', () => {
  const operators = { distinct: 'telecom.operator', per: 'user', within: '24h' }
  const when = 'velocity.operators >= 2 and telecom.callForwarding.active'
  assert.deepEqual(pending(when, { userId: 'u' }, { operators }), ['callForwarding', 'portability'])
  assert.deepEqual(pending(when, {}, { operators }), [])
})

test('a home operator is open where no prefix names it, and calls nobody for it', () => {
  const when = 'telecom.homeOperator == "JIO"'
  assert.deepEqual(pending(when, {}), [])
  assert.deepEqual(pending(`${when} and telecom.simSwap.swapped`, {}), ['simSwap'])
  assert.deepEqual(pending(`${when} and telecom.simSwap.swapped`, { telecom: { homeOperator: 'BSNL' } }), [])
})

test('a velocity waits for what it counts, whatever the rule that reads it says now', () => {
  const velocity = {
    operators: { distinct: 'telecom.operator', per: 'user', within: '24h', when: 'action == "PAYMENT"' },
  }
  const when = 'velocity.operators > 2 and params.amount > 100'
  assert.deepEqual(pending(when, { action: 'PAYMENT', userId: 'u' }, velocity), ['portability'])
  assert.deepEqual(pending(when, { action: 'LOGIN', userId: 'u' }, velocity), [], 'it is not counted')
  assert.deepEqual(pending(when, { action: 'PAYMENT' }, velocity), [], 'there is no user to count for')
  assert.deepEqual(pending('vpn', { action: 'PAYMENT', userId: 'u' }, velocity), [], 'no rule reads it')
  const plain = { cards: { distinct: 'params.card', per: 'user', within: '24h' } }
  assert.deepEqual(pending('velocity.cards > 2', { userId: 'u', params: { card: 'a' } }, plain), [])
})

test('a velocity of what operators answer, or of the score, leaves a rule open', () => {
  const when = 'velocity.swaps >= 1 and telecom.callForwarding.active'
  const swaps = { count: 'decisions', per: 'user', within: '24h', when: 'telecom.simSwap.swapped' }
  const first = { userId: 'u', velocity: { swaps: 0 } } as RuleInput
  assert.deepEqual(pending(when, first, { swaps }), ['callForwarding', 'simSwap'])
  assert.deepEqual(pending(when, first, { swaps: { ...swaps, when: 'score > 50' } }), ['callForwarding'])
  assert.deepEqual(pending(when, first, { swaps: { ...swaps, when: 'vpn' } }), [])
})
