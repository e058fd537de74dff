import assert from 'node:assert/strict'
import { test } from 'node:test'
import { eventTypes } from '@ringfence/contract'
import type { FoundEvent } from '../api/types.ts'
import { describe } from '../pages/events/describe.ts'
import { looksLikeCode } from '../testing/codes.ts'
import { changeName, changeNames } from './changes.ts'
import { eventName, failureName, valueName } from './events.ts'
import { reasonName } from './reasons.ts'
import { dataName, erasedRows } from './stored.ts'

interface Property {
  readonly enum?: readonly string[]
  readonly anyOf?: readonly { readonly const?: string }[]
}
const enumOf = ({ enum: values, anyOf = [] }: Property): readonly string[] =>
  values ?? anyOf.flatMap((each) => (each.const === undefined ? [] : [each.const]))

test('an event of each type and with each value of the contract has words for its codes', () => {
  const found: string[] = []
  let values = 0
  for (const [type, { data, example }] of Object.entries(eventTypes)) {
    for (const [field, property] of Object.entries(data.properties as Record<string, Property>)) {
      for (const value of enumOf(property)) {
        values++
        const { title, detail, outcome } = describe({
          ...{ type, id: 'e', timestamp: '2026-11-29T00:00:00Z', outcome: value },
          data: { ...example, verdict: undefined, userId: 'u', [field]: value },
        } as unknown as FoundEvent)
        const shown = [title, detail, outcome?.text, valueName(field, value)].join(' ')
        if (looksLikeCode(shown)) found.push(`${type} ${field} ${value}: ${shown}`)
      }
    }
  }
  assert.ok(values > 60, `${values} values are read from the contract`)
  assert.deepEqual(found, [])
})

test('codes have words: reasons, failures, changes, what was erased, data', () => {
  assert.equal(reasonName('NEW_DEVICE_FOR_ACCOUNT'), 'New device for the account')
  assert.equal(reasonName('PREVIOUS_TIMEZONE_MISMATCH'), 'Time zone of another place, earlier')
  assert.equal(reasonName('LINKED_ACCOUNTS'), 'Linked accounts')
  assert.equal(failureName('OTP_WRONG'), 'Wrong code')
  assert.equal(failureName('timeout'), 'No answer in time')
  assert.equal(changeName('revokeClient'), 'Revoked a client key')
  assert.deepEqual(Object.values(changeNames).filter(looksLikeCode), [])
  assert.deepEqual(
    [erasedRows('deviceReport', 1), erasedRows('deviceReport', 2)],
    ['1 device report', '2 device reports'],
  )
  assert.equal(dataName('table clocksOfPlaces'), 'Time zones of places')
})

test('a code of another version is shown in words too, and no member of every object is one', () => {
  assert.equal(reasonName('SOME_NEW_REASON'), 'Some new reason')
  assert.equal(eventName('user.new_thing'), 'User.new thing')
  assert.equal(reasonName('constructor'), 'Constructor')
})
