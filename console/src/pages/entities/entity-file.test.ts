import assert from 'node:assert/strict'
import { test } from 'node:test'
import { csvOf } from './entity-file.ts'

const row = {
  ...{ firstSeenAt: '2026-11-20T09:00:00.000Z', lastSeenAt: '2026-11-23T09:00:00.000Z', shared: 2, decisions: 3 },
  ...{ refused: 1, badLabels: 0, goodLabels: 0 },
  state: { level: 'watch', text: '', badLabels: 0, passed: 2, refused: 1 },
} as const

test('a row is one line, and an id that a spreadsheet would run begins with an apostrophe', () => {
  const text = csvOf('userId', [
    { ...row, id: '=HYPERLINK("x")' },
    { ...row, id: 'مستخدم 👩' },
  ])
  const lines = text.split('\r\n')
  assert.match(lines[0]!, /^userId,state,/)
  assert.match(lines[1]!, /^"'=HYPERLINK\(""x""\)",watch,/)
  assert.match(lines[2]!, /^مستخدم 👩,watch,.*,2,3,1,0,$/)
})
