import assert from 'node:assert/strict'
import { test } from 'node:test'
import { utcOffsetMinutes } from './time-zones.ts'

test('returns offsets in minutes east of UTC, at a given time', () => {
  const winter = Date.UTC(2026, 0, 15)
  assert.equal(utcOffsetMinutes('Asia/Kolkata', winter), 330)
  assert.equal(utcOffsetMinutes('America/St_Johns', winter), -210)
  assert.equal(utcOffsetMinutes('UTC', winter), 0)
  assert.equal(utcOffsetMinutes('Europe/Berlin', Date.UTC(2026, 6, 15)), 120)
  assert.equal(utcOffsetMinutes('Mars/Olympus', winter), undefined)
})
