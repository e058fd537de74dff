import assert from 'node:assert/strict'
import { test } from 'node:test'
import { withoutApostrophe } from '@ringfence/server/core/files/csv-line.ts'
import type { AuditLine } from '../../api/types.ts'
import { changeName } from '../../words/changes.ts'
import { formats } from './audit-file.ts'
import { nameOf, subjectOf } from './lines.ts'

const line = (sent: object, name = 'Maya Rao'): AuditLine => ({
  ...{ number: 7, at: '2026-11-23T09:12:44.026Z', actor: 'person:1', action: 'createList', erased: false, hash: 'ab' },
  details: { name, role: 'owner', requestId: 'r-1', ipAddress: '203.0.113.7', sent },
})
const { details: _, ...erasedLine } = line({})
const erased: AuditLine = { ...erasedLine, number: 8, erased: true }

test('an action reads as words, and a line names who did it to what', () => {
  assert.equal(changeName('addListEntries'), 'Added list entries')
  assert.deepEqual([nameOf(line({})), nameOf(erased)], ['Maya Rao', 'person:1'])
  assert.equal(subjectOf(line({ entries: [{ value: 1 }], name: 'mules' })), 'mules')
  assert.deepEqual([subjectOf(line({})), subjectOf(erased)], [undefined, undefined])
})

test('no cell of an exported table is a formula of a spreadsheet', () => {
  const names = ['=1+1', '+1', '-1', '@SUM(A1)', '\t=1', '＝1', 'Tim "=1"']
  const rows = formats.csv
    .write(names.map((name) => line({ name: 'a,b' }, name)))
    .split('\r\n')
    .slice(1, -1)
  assert.equal(rows.length, names.length)
  for (const [i, row] of rows.entries()) {
    const cells = row.slice(1, -1).split('","')
    assert.equal(cells.length, 11, row)
    assert.ok(
      cells.every((cell) => !/^\s*[=+\-@＝]/.test(cell)),
      row,
    )
    assert.equal(withoutApostrophe(cells[3]!.replaceAll('""', '"')), names[i])
    assert.equal(cells[8]!.replaceAll('""', '"'), '{"name":"a,b"}')
  }
  assert.match(formats.csv.write([erased]), /\r\n"8",.*"","true","ab"\r\n$/)
})

test('an export as NDJSON has each line as the service returned it', () => {
  const lines = [line({ name: 'mules' }), erased]
  const written = formats.ndjson.write(lines).trimEnd().split('\n')
  assert.deepEqual(
    written.map((each) => JSON.parse(each)),
    lines,
  )
})
