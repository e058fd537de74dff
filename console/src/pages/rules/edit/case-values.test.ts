import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { readValue, valueText } from './case-values.ts'

test('what the form shows for a value of a case is read as that value', () => {
  const odd = fc.constantFrom('', ' ', '5', '05', 'true', '"', '"5"', '1e3', 'null', '-', '{}', '[1]')
  const values = fc.oneof(
    odd,
    fc.string(),
    fc.boolean(),
    fc.integer(),
    fc.double({ noNaN: true, noDefaultInfinity: true }),
  )
  fc.assert(
    fc.property(values, (value) => {
      // JSON has one zero.
      assert.equal(readValue(valueText(value)), value === 0 ? 0 : value)
    }),
  )
})

test('numbers, true and false are typed as they are, and texts without quotes', () => {
  for (const [typed, value] of [
    ['120', 120],
    ['true', true],
    ['"120"', '120'],
    ['1.', '1.'],
    ['null', 'null'],
    ['LOGIN', 'LOGIN'],
  ] as const)
    assert.equal(readValue(typed), value)
})
