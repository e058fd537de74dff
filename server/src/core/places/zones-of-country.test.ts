import assert from 'node:assert/strict'
import { test } from 'node:test'
import metadata from 'libphonenumber-js/max/metadata'
import { countryOfZone, zonesOfCountry } from './zones-of-country.ts'

test('finds the zones of a country by old and new names, and the country of a zone', () => {
  assert.ok(zonesOfCountry('US').length > 20)
  assert.deepEqual(zonesOfCountry('XX'), [])
  assert.deepEqual(zonesOfCountry('constructor'), [])
  assert.equal(countryOfZone('Asia/Kolkata'), 'IN')
  assert.equal(countryOfZone('Asia/Calcutta'), 'IN')
  assert.equal(countryOfZone('US/Pacific'), 'US')
  assert.equal(countryOfZone('Etc/UTC'), 'unknown')
  assert.equal(countryOfZone('constructor'), 'unknown')
})

test('knows the zones of every territory that has phone numbers', () => {
  const without = Object.keys(metadata.countries).filter((country) => zonesOfCountry(country).length === 0)
  assert.deepEqual(without, [])
  assert.deepEqual(zonesOfCountry('XK'), zonesOfCountry('RS'))
  assert.equal(countryOfZone('Europe/Belgrade'), 'RS')
})
