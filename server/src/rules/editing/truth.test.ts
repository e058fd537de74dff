import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { inputOf } from '../cases.ts'
import { compileCondition } from '../language/compile.ts'
import { readCondition } from '../language/condition.ts'
import { ruleSetOf } from '../rule-set.ts'
import { conditions } from '../testing/arbitrary.ts'
import { blocksEverybody, findingsOf, operatorCallsOf } from './findings.ts'
import { truthOf } from './truth.ts'

const truth = (text: string) => truthOf(readCondition(text))

test('finds conditions that always or never hold, whatever is known', () => {
  for (const text of [
    'vpn or not vpn',
    'not (platform == "WEB" and platform == "IOS")',
    'params.amount > 2.5 or not (params.amount > 3)',
    'not (email.address prefix "admin@shop" and not (email.address prefix "admin@"))',
  ]) {
    assert.equal(truth(text), 'always', text)
    assert.equal(truth(`not (${text})`), 'never', text)
  }
})

test('says nothing about conditions that depend on what is known', () => {
  for (const text of [
    'vpn',
    'exists email.address',
    'vpn or newDevice',
    'params.amount > 2 or not (params.amount > 2.5 and params.amount < 9) and vpn',
    'inList("a", email.address) or exists email.address',
  ]) {
    assert.equal(truth(text), undefined, text)
  }
  assert.equal(truth('not vpn'), 'unknown')
  assert.equal(truth('not (vpn and newDevice)'), 'unknown')
})

test('leaves lists, two paths compared, and a condition with too many paths open', () => {
  assert.equal(truth('inList("a", email.address) or not inList("a", email.address)'), 'unknown')
  assert.equal(truth('ipDetails.country == telecom.country or not ipDetails.country == telecom.country'), 'unknown')
  const many = Array.from({ length: 12 }, (_, i) => `params.p${i} == ${i}`).join(' or ')
  assert.equal(truth(`${many} or vpn`), undefined)
})

test('is never wrong: what always holds, holds for random inputs, and what never holds does not', () => {
  const values = fc.dictionary(
    fc.constantFrom('vpn', 'newDevice', 'platform', 'params.a', 'sessionRiskScore', 'email.address'),
    fc.oneof(fc.boolean(), fc.integer(), fc.double({ noNaN: true }), fc.string(), fc.constantFrom('WEB', 'IOS')),
  )
  fc.assert(
    fc.property(conditions, values, (condition, given) => {
      const found = truthOf(condition)
      if (found === undefined) return
      const holds = compileCondition(condition)
      if (found === 'unknown') assert.equal(holds(inputOf({})), true)
      else assert.equal(holds(inputOf(given)), found === 'always')
    }),
  )
})

const rule = (id: string, when: string, action = 'WARN') => ({ id, name: id, when, action, score: 1 })

test('reports what is odd about rules, and who blocks everybody', () => {
  const rules = ruleSetOf({
    rules: [
      rule('all', 'vpn or not vpn', 'REVIEW'),
      rule('weak', 'newDevice', 'WARN'),
      rule('strong', 'newDevice', 'BLOCK'),
      rule('none', 'vpn and not vpn', 'BLOCK'),
    ],
  })
  assert.deepEqual(
    findingsOf(rules).map(({ rule: id, kind }) => `${id} ${kind}`),
    ['all alwaysFires', 'weak neverDecides', 'none neverFires'],
  )
  assert.equal(blocksEverybody(rules), false)
  const together = [rule('on', 'newDevice', 'BLOCK'), rule('off', 'not newDevice', 'BLOCK')]
  assert.equal(blocksEverybody(ruleSetOf({ rules: together })), true)
})

test('names the operators’ checks that rules and velocities wait for', () => {
  const rules = ruleSetOf({
    velocity: { swaps: { count: 'decisions', per: 'device', within: '1d', when: 'telecom.simSwap.swapped' } },
    rules: [
      rule('swap', 'telecom.simSwap.swapped and newDevice'),
      rule('port', 'telecom.portability.ported'),
      rule('v', 'vpn'),
    ],
  })
  assert.deepEqual(operatorCallsOf(rules), [
    { check: 'simSwap', readBy: ['swap', 'velocity.swaps'] },
    { check: 'portability', readBy: ['port'] },
  ])
})
