import assert from 'node:assert/strict'
import { test } from 'node:test'
import { timeText } from './time-text.ts'

// In the zone of the machine, whichever it is.
const now = new Date(2026, 10, 23, 16).getTime()
const minute = 60_000

test('counts in the largest unit, and says for how long the text is right', () => {
  assert.deepEqual(timeText(now - 5_000, now), { text: 'just now', validMs: 55_000 })
  assert.deepEqual(timeText(now - 90_000, now), { text: '1m ago', validMs: 30_000 })
  assert.deepEqual(timeText(now - 150 * minute, now), { text: '2h ago', validMs: 30 * minute })
})

test('shows the date after a day, with the year when it is another one', () => {
  assert.equal(timeText(now - 3 * 24 * 60 * minute, now).text, 'Nov 20, 16:00')
  assert.equal(timeText(new Date(2024, 1, 3, 12).getTime(), now).text, 'Feb 3, 2024')
})

test('says how long it takes until a time in the future', () => {
  assert.equal(timeText(now + 30 * 24 * 60 * minute, now).text, 'in 30d')
  assert.equal(timeText(now + 30_000, now).text, 'just now')
})
