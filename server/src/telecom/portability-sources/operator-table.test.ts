import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isOperatorId, OperatorTable, TooManyOperators } from './operator-table.ts'

test('accepts operator ids of the form <MCC>-<MNC> or <scheme>:<national id>', () => {
  for (const id of ['204-08', '310-410', 'ofcom:CH1', 'ru.def:1-2_3']) assert.ok(isOperatorId(id), id)
  for (const id of ['', '20408', '2024-03-01', 'KPN', 'ofcom:', ':CH1', 'ofcom:C H', '204-8', `a:${'x'.repeat(63)}`]) {
    assert.ok(!isOperatorId(id), id)
  }
})

test('gives 65,535 operators an index each and refuses one more', () => {
  const operators = new OperatorTable()
  for (let i = 0; i < 65_535; i++) assert.equal(operators.add(`nl:${i}`), i)
  for (let i = 0; i < 65_535; i++) assert.equal(operators.add(`nl:${i}`), i)
  assert.throws(() => operators.add('nl:one-more'), TooManyOperators)
})
