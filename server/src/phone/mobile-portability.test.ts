import assert from 'node:assert/strict'
import { test } from 'node:test'
import metadata from 'libphonenumber-js/max/metadata'
import { isMobileNumberPortable } from './mobile-portability.ts'

test('107 of 254 territories are mobile-number-portable', () => {
  const territories = Object.keys(metadata.countries)
  assert.equal(territories.length + Object.keys(metadata.nonGeographic).length, 254)
  assert.equal(territories.filter(isMobileNumberPortable).length, 107)
})

test('mobile numbers are portable in India and not in Cuba or nowhere', () => {
  assert.equal(isMobileNumberPortable('IN'), true)
  assert.equal(isMobileNumberPortable('CU'), false)
  assert.equal(isMobileNumberPortable(''), false)
})
