import assert from 'node:assert/strict'
import { test } from 'node:test'
import { countryOfZone, utcOffsetMinutes, zonesOfCountry } from './time-zones.ts'

test('returns offsets in minutes east of UTC, at a given time', () => {
  const winter = Date.UTC(2026, 0, 15)
  assert.equal(utcOffsetMinutes('Asia/Kolkata', winter), 330)
  assert.equal(utcOffsetMinutes('America/St_Johns', winter), -210)
  assert.equal(utcOffsetMinutes('UTC', winter), 0)
  assert.equal(utcOffsetMinutes('Europe/Berlin', Date.UTC(2026, 6, 15)), 120)
  assert.equal(utcOffsetMinutes('Mars/Olympus', winter), undefined)
})

test('finds the zones of a country by old and new names, and the country of a zone', () => {
  assert.ok(zonesOfCountry('US').length > 20)
  assert.deepEqual(zonesOfCountry('XX'), [])
  assert.equal(countryOfZone('Asia/Kolkata'), 'IN')
  assert.equal(countryOfZone('Asia/Calcutta'), 'IN')
  assert.equal(countryOfZone('US/Pacific'), 'US')
  assert.equal(countryOfZone('Etc/UTC'), 'unknown')
  assert.equal(countryOfZone('constructor'), 'unknown')
})
