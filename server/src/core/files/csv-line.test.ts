import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { csvLine, fieldsOf, withApostrophe, withoutApostrophe } from './csv-line.ts'

test('lets no spreadsheet run a part of a cell, wherever it splits the line', () => {
  for (const text of ['=1+1', 'a;=1+1', 'a;  @SUM(1)', 'a\t-1', 'a\n=1+1', 'a;"=1+1"', '; ＝1', ' +1', "';=1"]) {
    for (const separator of [';', '\t', '\n']) {
      for (const part of csvLine(['x', text]).split(separator)) assert.doesNotMatch(part, /^["\s]*[=+\-@＝]/, text)
    }
  }
})

test('reads back what it wrote', () => {
  const text = fc.string({ unit: fc.constantFrom(...'ab=+-@;,"\' \t#'), maxLength: 12 })
  fc.assert(
    fc.property(fc.array(text, { minLength: 1, maxLength: 4 }), (fields) => {
      const read = fieldsOf(csvLine(fields), ',')
      assert.ok(typeof read !== 'string')
      assert.deepEqual(read.map(withoutApostrophe), fields)
      for (const field of fields) assert.equal(withoutApostrophe(withApostrophe(field)), field)
    }),
    { numRuns: 2_000 },
  )
})
