import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { inputOf } from '../cases.ts'
import { conditions, inputs } from '../testing/arbitrary.ts'
import { naivelyHolds } from '../testing/naive-evaluation.ts'
import { compileCondition } from './compile.ts'
import { readCondition } from './condition.ts'
import type { InList } from './list.ts'
import type { CaseInput } from './rule.ts'
import type { RuleInput } from './vocabulary.ts'

/** A list that has the values of few letters. */
const inList: InList = (list, value) =>
  list === 'known' && typeof value !== 'object' && String(value ?? 'absent').length < 3

test('gives the same results as a naive evaluation', () => {
  const answers = { true: 0, false: 0 }
  fc.assert(
    fc.property(conditions, inputs, (condition, input) => {
      const holds = compileCondition(condition)(input, inList)
      assert.equal(holds, naivelyHolds(condition, input, inList))
      answers[`${holds}`]++
    }),
    { numRuns: 5_000 },
  )
  assert.ok(answers.true > 200 && answers.false > 200)
})

const holds = (text: string, values: CaseInput) => compileCondition(readCondition(text))(inputOf(values))

test('evaluates every comparison with an absent value as false', () => {
  for (const operator of ['== 1', '!= 1', '< 1', '<= 1', '> 1', '>= 1', 'in (1)', 'between 0 and 2']) {
    assert.equal(holds(`sessionRiskScore ${operator}`, {}), false, operator)
    assert.equal(holds(`not (sessionRiskScore ${operator})`, {}), true, operator)
  }
  assert.equal(holds('vpn == false', {}), false)
  assert.equal(holds('ip prefix ""', {}), false)
  assert.equal(holds('ipDetails.country != telecom.country', { 'telecom.country': 'DE' }), false)
  assert.equal(holds('ipDetails.country == telecom.country', {}), false)
  assert.equal(holds('exists ip', {}), false)
  assert.equal(holds('exists ip', { ip: '' }), true)
})

const asked: readonly (readonly [text: string, values: CaseInput, answer: boolean])[] = [
  ['sessionRiskScore > 70', { sessionRiskScore: 70 }, false],
  ['sessionRiskScore >= 70', { sessionRiskScore: 70 }, true],
  ['sessionRiskScore between 30 and 70', { sessionRiskScore: 30 }, true],
  ['sessionRiskScore between 30 and 70', { sessionRiskScore: 70.1 }, false],
  ['ip prefix "10."', { ip: '10.1.2.3' }, true],
  ['ip prefix "10."', { ip: '110.1.2.3' }, false],
  ['ipDetails.country in ("DE", "FR")', { 'ipDetails.country': 'FR' }, true],
  ['ipDetails.country != telecom.country', { 'ipDetails.country': 'FR', 'telecom.country': 'DE' }, true],
  [
    'velocity.countriesPerDevice24h > velocity.countriesPerDevice1h',
    { 'velocity.countriesPerDevice24h': 2, 'velocity.countriesPerDevice1h': 1 },
    true,
  ],
  ['vpn or proxy and newDevice', { vpn: true }, true],
  ['(vpn or proxy) and newDevice', { vpn: true }, false],
  ['params.amount > 1000', { 'params.amount': 1500 }, true],
  ['params.amount > 1000', { 'params.amount': '1500' }, true],
  ['params.amount > 1000', { 'params.amount': 'many' }, false],
  ['params.amount != 1000', { 'params.amount': 'many' }, false],
  ['params.spent > params.limit', { 'params.spent': '10', 'params.limit': '9.5' }, true],
  ['params.limit < sessionRiskScore', { 'params.limit': '9.5', sessionRiskScore: 10 }, true],
  ['params.amount == "1500"', { 'params.amount': '1500' }, true],
  ['params.a == params.b', { 'params.a': 1, 'params.b': '1' }, false],
  ['params["my key"]', { 'params.my key': true }, true],
  ['updateInfo.additionalInput.shop == "a"', { 'updateInfo.additionalInput.shop': 'a' }, true],
]

test('treats an integrator’s value of another type as absent', () => {
  for (const [text, values, answer] of asked)
    assert.equal(holds(text, values), answer, `${text} ${JSON.stringify(values)}`)
})

test('reads names of prototypes as ordinary keys', () => {
  for (const key of ['__proto__', 'constructor', 'toString', 'hasOwnProperty']) {
    const test = compileCondition(readCondition(`exists params.${key} or exists updateInfo.additionalInput.${key}`))
    assert.equal(test({ params: {}, updateInfo: { additionalInput: {} } }), false, key)
    assert.equal(test({}), false)
    const sent = JSON.parse(`{ "params": { "${key}": "here" } }`) as RuleInput
    assert.equal(test(sent), true, key)
    assert.equal(holds(`params.${key} == 1`, { [`params.${key}`]: 1 }), true)
  }
})

test('treats null, lists and objects in the params as absent', () => {
  const test = compileCondition(readCondition('exists params.x or params.x != "a" or params.x != 1'))
  assert.equal(test({ params: Object.create({ x: 'b' }) }), false, 'nor is what an object inherits')
  for (const value of [null, [], [1], {}, Number.NaN, undefined]) assert.equal(test({ params: { x: value } }), false)
})
