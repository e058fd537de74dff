import assert from 'node:assert/strict'
import { test } from 'node:test'
import { daysSince1970 } from './epoch-day.ts'

test('numbers every day from 1970 to 2149 and rejects dates that do not exist', () => {
  for (let year = 1970; year < 2150; year++) {
    for (let month = 1; month <= 12; month++) {
      for (let day = 0; day <= 32; day++) {
        const date = new Date(Date.UTC(year, month - 1, day))
        const expected = date.getUTCMonth() === month - 1 ? date.getTime() / 86_400_000 : -1
        const found = daysSince1970(year, month, day)
        if (found !== expected) assert.equal(found, expected, `${year}-${month}-${day}`)
      }
    }
  }
  for (const [year, month] of [
    [1969, 12],
    [2024, 0],
    [2024, 13],
    [Number.NaN, 1],
  ] as const) {
    assert.equal(daysSince1970(year, month, 1), -1)
  }
})
