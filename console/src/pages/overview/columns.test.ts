import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Overview } from '../../api/types.ts'
import { columnsOf, roundUp } from './columns.ts'
import { ranges, readRange, timesOf } from './range.ts'

test('has a column for each step, also where nothing was decided', () => {
  const overview = {
    from: '2026-11-23T10:00:00.000Z',
    to: '2026-11-23T10:12:00.000Z',
    stepSeconds: 300,
    steps: [{ at: '2026-11-23T10:05:00.000Z', decisions: { ALLOW: 3, BLOCK: 1 } }],
  } as unknown as Overview
  assert.deepEqual(
    columnsOf(overview).map(({ at, until, total }) => [at.slice(14, 16), until.slice(14, 16), total]),
    [
      ['00', '05', 0],
      ['05', '10', 4],
      ['10', '12', 0],
    ],
  )
})

for (const [value, expected] of [
  [0, 1],
  [3, 5],
  [20, 20],
  [51, 100],
  [2100, 5000],
] as const) {
  test(`the axis for ${value} ends at ${expected}`, () => assert.equal(roundUp(value), expected))
}

test('a range that is not known is the default, and within a minute the times are the same', () => {
  assert.deepEqual(readRange({ range: '7y' }), {})
  assert.deepEqual(readRange({ range: '7d' }), { range: '7d' })
  const now = Date.parse('2026-11-23T10:00:30.000Z')
  assert.deepEqual(timesOf('15m', now), timesOf('15m', now + 20_000))
  const { from, to } = timesOf('30d', now)
  assert.equal(Date.parse(to) - Date.parse(from), ranges['30d'].ms)
})
