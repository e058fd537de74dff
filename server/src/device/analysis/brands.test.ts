import assert from 'node:assert/strict'
import { test } from 'node:test'
import { areTrueBrands, brandsOfHeader, inventedBrand } from './brands.ts'

test('derives the invented brand from the version', () => {
  const seen: Record<number, string> = {
    120: 'Not_A Brand 8',
    124: 'Not-A.Brand 99',
    131: 'Not_A Brand 24',
    156: 'Not:A-Brand 8',
  }
  for (const [version, expected] of Object.entries(seen)) {
    const { brand, version: invented } = inventedBrand(Number(version))!
    assert.equal(`${brand} ${invented}`, expected)
  }
  assert.equal(inventedBrand(99), undefined)
})

test('reads a header with escapes', () => {
  assert.deepEqual(brandsOfHeader('"Not:A-Brand";v="8", "Chromium"; v="156", "A \\"B\\"";v="1"'), [
    { brand: 'Not:A-Brand', version: '8' },
    { brand: 'Chromium', version: '156' },
    { brand: 'A "B"', version: '1' },
  ])
})

test('rejects a list with the brand of another version, without Chromium, or empty', () => {
  assert.ok(areTrueBrands(brandsOfHeader('"Google Chrome";v="131", "Chromium";v="131", "Not_A Brand";v="24"')))
  assert.ok(!areTrueBrands(brandsOfHeader('"Google Chrome";v="132", "Chromium";v="132", "Not_A Brand";v="24"')))
  assert.ok(!areTrueBrands(brandsOfHeader('"Google Chrome";v="131"')))
  assert.ok(!areTrueBrands([]))
})
