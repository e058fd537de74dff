import assert from 'node:assert/strict'
import { test } from 'node:test'
import { csvOf } from './csv.ts'

const addedAt = '2026-11-23T09:00:00.000Z'

test('an export quotes what needs quotes', () => {
  const entries = [
    { value: 'u-1', note: 'said "no", twice', expiresAt: '2027-01-31T00:00:00.000Z', by: 'Maya', addedAt },
  ]
  assert.equal(
    csvOf(entries),
    `value,expires,note,by,added\r\nu-1,2027-01-31T00:00:00.000Z,"said ""no"", twice",Maya,${addedAt}\r\n`,
  )
})

test('no cell of an export is a formula', () => {
  for (const text of ['=1+1', '+1', '-1', '@SUM(A1)', "'=1", ' =1', '\t=1', '＝1']) {
    const [, line = ''] = csvOf([{ value: text, note: text, by: text, addedAt }]).split('\r\n')
    const [value = '', , note = '', by = ''] = line.split(',')
    for (const cell of [value, note, by]) assert.match(cell, /^"?'/, line)
  }
})
