import assert from 'node:assert/strict'
import { test } from 'node:test'
import Value from 'typebox/value'
import { eventTypes } from './events.ts'

for (const [type, { data, example, when }] of Object.entries(eventTypes)) {
  test(`the example of the event ${type} fits its schema`, () => {
    assert.deepEqual(Value.Errors(data, example), [])
    assert.ok(when.length > 0)
  })
}

test('no event has a field for a code, a secret or a token', () => {
  const names = Object.values(eventTypes).flatMap(({ data }) => Object.keys(data.properties))
  assert.deepEqual(
    names.filter((name) => /secret|password|^otp$|^code$|^token$|transactionId/i.test(name)),
    [],
  )
})
