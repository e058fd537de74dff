import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { inputOf } from '../cases.ts'
import { decimal } from '../testing/arbitrary.ts'
import { isOrdered, rationalOf } from '../testing/naive-evaluation.ts'
import { unitsOf } from '../velocities/window.ts'
import { compileCondition } from './compile.ts'
import { readCondition } from './condition.ts'
import { compared, comparedWith, isNumeric } from './decimals.ts'
import { mostUnits } from './velocity-limits.ts'

/** Written with few or many digits, or near a text: where rounding would show. */
const limits = (text: string) =>
  fc.oneof(
    fc.double({ noNaN: true, noDefaultInfinity: true }),
    fc.integer(),
    fc.constantFrom(Number(text), Number(text) + 1e-6, Number(text) * (1 + Number.EPSILON), -Number(text)),
  )

test('decimal text compares with a number as their exact values do', () => {
  fc.assert(
    fc.property(
      decimal.chain((text) => fc.tuple(fc.constant(text), limits(text))),
      ([text, limit]) => {
        const order = comparedWith(limit)(text)
        const [left, right] = [rationalOf(text), rationalOf(limit)]
        assert.equal(order < 0, isOrdered('<', left, right))
        assert.equal(order > 0, isOrdered('>', left, right))
        assert.equal(order === 0, isOrdered('==', left, right))
        assert.equal(compared(limit, text), order === 0 ? 0 : -order)
      },
    ),
    { numRuns: 20_000 },
  )
})

test('money as text fires the rule that money as a number fires', () => {
  const fires = (when: string, amount: unknown) => {
    const input = { params: { amount } }
    return compileCondition(readCondition(when))(input)
  }
  for (const amount of [99_999, '99999', '99999.00']) {
    assert.ok(fires('params.amount > 5000', amount), `${amount}`)
    assert.ok(fires('params.amount == 99999', amount), `${amount}`)
    assert.ok(fires('params.amount != 99998.999999', amount), `${amount}`)
    assert.ok(fires('params.amount in (1, 99999)', amount), `${amount}`)
    assert.ok(fires('params.amount between 99999 and 100000', amount), `${amount}`)
    assert.ok(!fires('params.amount < 99999', amount), `${amount}`)
  }
  assert.ok(fires('params.amount > 999999999999999', '999999999999999.000001'), 'no digit is rounded away')
  assert.ok(fires('params.amount == "5"', '5'), 'text compares with text as text')
  assert.ok(!fires('params.amount == "5"', '5.0'))
})

test('other text, lists, objects, null and flags are no numbers', () => {
  for (const value of [
    '',
    ' 5',
    '5 ',
    '+5',
    '1e3',
    '5,00',
    '.5',
    '5.',
    '١',
    '1'.repeat(16),
    '1.0000001',
    '0x10',
    true,
    null,
    [5],
    { value: 5 },
    Number.NaN,
  ]) {
    assert.equal(isNumeric(value), false, JSON.stringify(value))
    for (const operator of ['== 5', '!= 5', '< 6', '<= 6', '> 4', '>= 4', 'in (5, 6)', 'between 4 and 6']) {
      const holds = compileCondition(readCondition(`params.amount ${operator}`))
      assert.equal(holds({ params: { amount: value } }), false, `${JSON.stringify(value)} ${operator}`)
    }
  }
  assert.equal(compileCondition(readCondition('params.amount > 4'))(inputOf({})), false)
})

test('a sum adds decimal text to the ten-thousandth', () => {
  assert.equal(unitsOf('99999.00'), 999_990_000)
  assert.equal(unitsOf('0.00005'), 1)
  assert.equal(unitsOf('0.000049'), 0)
  assert.equal(unitsOf('-1'), undefined, 'it would lower the sum')
  assert.equal(unitsOf('five'), undefined)
  assert.equal(unitsOf('999999999999999'), mostUnits)
})
