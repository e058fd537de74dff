import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { csvLine } from '../../core/files/csv-line.ts'
import { type FileLine, linesOf } from './list-file.ts'

const now = () => Date.parse('2026-03-01T12:00:00Z')

async function read(text: string): Promise<FileLine[]> {
  const lines: FileLine[] = []
  for await (const line of linesOf(chunks(text), 'text', now)) lines.push(line)
  return lines
}
async function* chunks(text: string) {
  yield Buffer.from(text)
}

const valuesOf = (lines: readonly FileLine[]) =>
  lines.map((line) => ('entry' in line ? line.entry.value : line.mistake))

test('no cell of an export is a formula of a spreadsheet, and an import reads what was there', async () => {
  const values = ['=cmd|"/C calc"!A0', '+1', '-1', '@SUM(A1)', "'=1", "''=1", "'plain", '＝1', '=a,b', '#=1']
  const file = ['value,expires,note', ...values.map((value) => csvLine([value, '', value]))].join('\n')
  for (const line of file.split('\n').slice(1)) assert.doesNotMatch(line, /(?:^|,)"?\s*[=+\-@＝＋－＠]/, line)
  const lines = await read(file)
  assert.deepEqual(valuesOf(lines), values)
  for (const line of lines) assert.equal('entry' in line && line.entry.note, 'entry' in line && line.entry.value)
})

test('an import reads every value that an export wrote', async () => {
  const value = fc
    .string({ unit: fc.constantFrom(...`"',;=+-@# \tabcé＝`), minLength: 1, maxLength: 12 })
    .filter((text) => text.trim() === text && text !== '')
  await fc.assert(
    fc.asyncProperty(fc.array(value, { minLength: 1, maxLength: 5 }), async (values) => {
      const file = ['value,expires,note', ...values.map((text) => csvLine([text, '', '']))].join('\r\n')
      assert.deepEqual(valuesOf(await read(file)), values)
    }),
    { numRuns: 500 },
  )
})

test('a plain file has values as they are', async () => {
  assert.deepEqual(valuesOf(await read("'=1\n=1\n")), ["'=1", '=1'])
})
