import assert from 'node:assert/strict'
import { test } from 'node:test'
import { compileCondition } from '../../rules/language/compile.ts'
import { readCondition } from '../../rules/language/condition.ts'
import { inNoList } from '../../rules/language/list.ts'
import type { RuleInput } from '../../rules/language/vocabulary.ts'
import { explainRule } from './explain-rule.ts'

const input = { action: 'PAYMENT', params: { amount: 400 }, account: { sessions: 3 } } as unknown as RuleInput

const explain = (text: string) => {
  const when = readCondition(text)
  return { ...explainRule({ when }, { input, inList: inNoList, velocities: [] }), holds: compileCondition(when)(input) }
}

for (const [when, fires, nearly] of [
  ['action == "PAYMENT" and params.amount > 300', true, false],
  ['action == "PAYMENT" and params.amount > 500', false, true],
  ['action == "LOGIN" and params.amount > 500', false, false],
  ['params.amount > 500', false, false],
  ['params.amount > 500 or action == "LOGIN"', false, false],
  ['action == "PAYMENT" and (params.amount > 500 or params.amount > 900)', false, true],
  ['action == "PAYMENT" and not (params.amount > 300)', false, true],
  ['action == "PAYMENT" and not (params.amount > 500 or params.amount < 10)', true, false],
  ['not (action == "PAYMENT" and params.amount > 300)', false, false],
  ['action == "PAYMENT" and exists device.ip', false, true],
] as const) {
  test(`${when}: ${fires ? 'fires' : nearly ? 'nearly fires' : 'is silent'}`, () => {
    const { fires: explained, nearly: isNear, holds } = explain(when.replace('device.ip', 'ip'))
    assert.deepEqual([explained, isNear, holds], [fires, nearly, fires])
  })
}

test('each comparison has its text and the values that it read, and an unknown value is absent', () => {
  const { comparisons } = explain(
    'params.amount > 500 and not (email.address == "a@b.c") and params.amount < account.sessions',
  )
  assert.deepEqual(comparisons, [
    { text: 'params.amount > 500', holds: false, values: { 'params.amount': 400 } },
    { text: 'not (email.address == "a@b.c")', holds: true, values: {} },
    {
      text: 'params.amount < account.sessions',
      holds: false,
      values: { 'params.amount': 400, 'account.sessions': 3 },
    },
  ])
})
