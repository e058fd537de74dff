import assert from 'node:assert/strict'
import { test } from 'node:test'
import { csvCell, idOfLine, lineOf } from './event-lines.ts'
import { progressTexts } from './export-progress.ts'

test('a cell that a spreadsheet would run as a formula begins with an apostrophe', () => {
  for (const formula of ['=1+1', '+1', '-1', '@SUM(A1)', ' =1', '\t=1', '\n=1', '＝1', '\0=1']) {
    assert.match(csvCell(formula), /^"?'/, JSON.stringify(formula))
  }
  assert.equal(csvCell('917020141726'), '917020141726')
  assert.equal(csvCell('a=b'), 'a=b')
  assert.equal(csvCell('a,"b"'), '"a,""b"""')
  assert.equal(csvCell(undefined), '')
})

test('an event is one line in both formats, and its id is found in it', () => {
  const id = '01933b2e-7c1a-7b5e-9d0f-3f2a1b4c5d6e'
  const event = { id, type: 'decision.created', timestamp: '2026-11-23T09:12:44.026Z', data: { userId: 'a\r\nb' } }
  for (const format of ['ndjson', 'csv'] as const) {
    const line = lineOf(event, format)
    assert.equal(line.trimEnd().split('\n').length, 1)
    assert.equal(idOfLine(line), id)
  }
  assert.equal(idOfLine('id,type'), undefined)
  assert.equal(idOfLine(`x${id},`), undefined)
})

test('the progress of an export has a rate and the time that is left', () => {
  assert.deepEqual(progressTexts(50_000, 100_000, 5), { rate: '10,000', left: '5 s' })
  assert.deepEqual(progressTexts(1000, 1_000_000, 1), { rate: '1,000', left: '17 min' })
  assert.deepEqual(progressTexts(0, 0, 0), { rate: '0', left: '0 s' })
})
