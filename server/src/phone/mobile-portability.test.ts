import assert from 'node:assert/strict'
import { test } from 'node:test'
import metadata from 'libphonenumber-js/max/metadata'
import { isMobileNumberPortable } from './mobile-portability.ts'

test('lists 107 of 254 territories as mobile-number-portable', () => {
  const territories = Object.keys(metadata.countries)
  assert.equal(territories.length + Object.keys(metadata.nonGeographic).length, 254)
  assert.equal(territories.filter(isMobileNumberPortable).length, 107)
})

test('reports mobile numbers as portable in India, and as not portable in Cuba or an unknown country', () => {
  assert.equal(isMobileNumberPortable('IN'), true)
  assert.equal(isMobileNumberPortable('CU'), false)
  assert.equal(isMobileNumberPortable(''), false)
})
