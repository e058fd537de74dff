import assert from 'node:assert/strict'
import { test } from 'node:test'
import zoneAt from '@photostructure/tz-lookup'
import type { Network } from '@ringfence/contract'
import fc from 'fast-check'
import { clocksOfPlaces } from '../core/dated-data/clocks-of-places.ts'
import { lawfulZones } from './lawful-zones.ts'

const at = (latitude: number, longitude: number, code: string, region?: string, timezone?: string): Network => ({
  ip: '192.0.2.1',
  timezone: timezone ?? zoneAt(latitude, longitude),
  ipLocation: {
    ...{ latitude, longitude, accuracyRadius: 20, country: { code }, city: {} },
    subdivisions: region === undefined ? {} : { name: region },
  },
})

const places: Readonly<Record<string, readonly [Network, lawful: string[], unlawful: string[]]>> = {
  Urumqi: [at(43.83, 87.62, 'CN'), ['Asia/Shanghai', 'Asia/Urumqi'], ['Asia/Almaty']],
  'Urumqi, in a file that has one zone for China': [
    at(43.83, 87.62, 'CN', undefined, 'Asia/Shanghai'),
    ['Asia/Shanghai', 'Asia/Urumqi'],
    [],
  ],
  Shanghai: [at(31.23, 121.47, 'CN'), ['Asia/Shanghai'], ['Asia/Urumqi']],
  Simferopol: [at(44.95, 34.1, 'UA'), ['Europe/Moscow', 'Europe/Kyiv', 'Europe/Simferopol'], ['Europe/Berlin']],
  'northern Nicosia': [at(35.19, 33.36, 'CY'), ['Asia/Nicosia', 'Asia/Famagusta'], ['Europe/London']],
  Hebron: [at(31.53, 35.1, 'PS'), ['Asia/Hebron', 'Asia/Jerusalem'], ['Europe/Athens']],
  'Window Rock, Navajo Nation': [
    at(35.68, -109.05, 'US', 'Arizona'),
    ['America/Denver', 'America/Phoenix'],
    ['America/New_York'],
  ],
  'Denver, in Colorado': [at(39.74, -104.99, 'US', 'Colorado'), ['America/Denver'], ['America/Phoenix']],
  'Tell City, near the county line': [at(37.95, -86.77, 'US', 'Indiana'), ['America/Chicago', 'America/New_York'], []],
  'Laayoune, Western Sahara': [at(27.15, -13.2, 'EH'), ['Africa/El_Aaiun', 'Africa/Casablanca'], ['Europe/Paris']],
  Eucla: [at(-31.68, 128.88, 'AU'), ['Australia/Eucla', 'Australia/Perth'], ['Australia/Sydney']],
  'Lord Howe Island': [at(-31.55, 159.08, 'AU'), ['Australia/Lord_Howe', 'Australia/Sydney'], ['Australia/Perth']],
  'McMurdo Station': [at(-77.85, 166.67, 'AQ'), ['Pacific/Auckland', 'Antarctica/Troll'], ['America/New_York']],
  Madrid: [at(40.42, -3.7, 'ES'), ['Europe/Madrid'], ['Atlantic/Canary']],
  Kaliningrad: [at(54.71, 20.51, 'RU'), ['Europe/Kaliningrad'], ['Europe/Moscow']],
  'Easter Island': [at(-27.15, -109.43, 'CL'), ['Pacific/Easter'], ['America/Santiago']],
  Galapagos: [at(-0.74, -90.31, 'EC'), ['Pacific/Galapagos'], ['America/Guayaquil']],
  'Saint-Pierre': [at(46.78, -56.18, 'PM', undefined, 'America/Miquelon'), ['America/Miquelon'], ['America/St_Johns']],
  'Texas beside New Mexico': [at(31.76, -106.49, 'US', 'Texas'), ['America/Denver'], ['America/New_York']],
}

for (const [name, [network, lawful, unlawful]] of Object.entries(places)) {
  test(`accepts the clocks of ${name}: ${lawful.join(', ')}`, () => {
    const zones = lawfulZones(network)
    for (const zone of lawful) assert.ok(hasOffsetOf(zones, zone), `${zone} is missing in ${zones}`)
    for (const zone of unlawful) assert.ok(!zones.includes(zone), `${zone} is in ${zones}`)
  })
}

/** Zones with the same clock have several names. */
function hasOffsetOf(zones: readonly string[], zone: string): boolean {
  const clock = (name: string) =>
    [0, 6].map((month) =>
      new Date(Date.UTC(2026, month, 15)).toLocaleString('en', { timeZone: name, timeZoneName: 'longOffset' }),
    )
  return zones.some((each) => clock(each).join() === clock(zone).join())
}

test('accepts the zone of any place itself, wherever it is, also at the poles and the date line', () => {
  const degrees = (most: number) => fc.double({ min: -most, max: most, noNaN: true })
  fc.assert(
    fc.property(degrees(90), degrees(180), (latitude, longitude) => {
      const network = at(latitude, longitude, 'XX')
      assert.ok(lawfulZones(network).length > 0)
      assert.ok(hasOffsetOf(lawfulZones(network), network.timezone!))
    }),
    { numRuns: 50 },
  )
})

test('refuses a table with a zone that does not exist, with damage, and with another form', () => {
  const table = {
    version: 1,
    asOf: '2027-01-01',
    places: [{ place: 'x', at: ['Asia/Urumqi'], clocks: ['Mars/Olympus'] }],
  }
  assert.throws(() => clocksOfPlaces.read(JSON.stringify(table)), /Mars\/Olympus/)
  // The engine takes a zone in any case: 641 writings of one.
  const writings = Array.from({ length: 641 }, (_, number) => {
    const letters = [...'americadenver'].map((letter, at) => ((number >> at) & 1 ? letter.toUpperCase() : letter))
    return `${letters.slice(0, 7).join('')}/${letters.slice(7).join('')}`
  })
  const places = Array.from({ length: 11 }, (_, part) => ({
    place: 'Here',
    at: writings.slice(part * 60, (part + 1) * 60),
    clocks: ['America/Denver'],
  }))
  assert.throws(
    () => clocksOfPlaces.read(JSON.stringify({ ...clocksOfPlaces.shipped, places })),
    /more than 640 time zones/,
  )
  assert.throws(() => clocksOfPlaces.read('{"version":1'), /not valid JSON/)
  assert.throws(() => clocksOfPlaces.read('{"version":2}'), /TableRefused/)
  const shipped = clocksOfPlaces.read(JSON.stringify(clocksOfPlaces.shipped))
  assert.deepEqual(shipped, clocksOfPlaces.shipped, 'the table that comes with the code is plausible')
})
