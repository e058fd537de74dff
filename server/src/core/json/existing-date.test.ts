import assert from 'node:assert/strict'
import { test } from 'node:test'
import { momentIn } from './existing-date.ts'

test('reads dates and times that exist, and no others', () => {
  assert.equal(momentIn('2028-02-29'), Date.UTC(2028, 1, 29))
  assert.equal(momentIn('2027-01-31T08:00:00+02:00'), Date.UTC(2027, 0, 31, 6))
  for (const text of ['2027-02-29', '2027-02-30', '2027-04-31T00:00:00Z', '2027-13-01', 'tomorrow', '']) {
    assert.equal(momentIn(text), undefined, text)
  }
})
