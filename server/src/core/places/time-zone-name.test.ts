import assert from 'node:assert/strict'
import { test } from 'node:test'
import countryZones from './country-zones.json' with { type: 'json' }
import { currentTimeZoneName } from './time-zone-name.ts'

test('returns the current IANA name of a time zone', () => {
  for (const [old, current] of [
    ['Asia/Calcutta', 'Asia/Kolkata'],
    ['Asia/Katmandu', 'Asia/Kathmandu'],
    ['Asia/Saigon', 'Asia/Ho_Chi_Minh'],
    ['Asia/Rangoon', 'Asia/Yangon'],
    ['Europe/Kiev', 'Europe/Kyiv'],
    ['America/Buenos_Aires', 'America/Argentina/Buenos_Aires'],
    ['America/Godthab', 'America/Nuuk'],
    ['Atlantic/Faeroe', 'Atlantic/Faroe'],
    ['US/Pacific', 'America/Los_Angeles'],
    ['Iceland', 'Atlantic/Reykjavik'],
  ] as const) {
    assert.equal(currentTimeZoneName(old), current)
  }
  for (const name of ['Europe/Amsterdam', 'Europe/Guernsey', 'UTC', 'Etc/GMT+5', 'Mars/Olympus', '', 'constructor']) {
    assert.equal(currentTimeZoneName(name), name)
  }
})

test('a current name is known to this Node, is final, and has the same offset as each of its old names', () => {
  const summer = Date.UTC(2026, 6, 1)
  const offset = (timeZone: string, time: number) =>
    new Intl.DateTimeFormat('en', { timeZone, timeZoneName: 'longOffset' }).format(time)
  for (const name of Object.values(countryZones).flat()) {
    const current = currentTimeZoneName(name)
    assert.equal(currentTimeZoneName(current), current)
    for (const time of [summer, Date.UTC(2026, 0, 1)]) assert.equal(offset(current, time), offset(name, time), name)
  }
})
