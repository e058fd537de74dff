import assert from 'node:assert/strict'
import { test } from 'node:test'
import { nearestWord } from './nearest-word.ts'

const words = ['me', 'vpn', 'proxy', 'location', 'ipDetails.country', 'accountTakeover']

for (const [given, suggestion] of [
  ['vnp', 'vpn'],
  ['locatoin', 'location'],
  ['Proxi', 'proxy'],
  ['country', 'ipDetails.country'],
  ['account_takeover', 'accountTakeover'],
  ['', undefined],
  ['be', 'me'],
  ['prowi', undefined],
  ['abc', undefined],
  ['x'.repeat(1_000_000), undefined],
] as const) {
  test(`suggests ${suggestion ?? 'nothing'} for "${given.slice(0, 20)}"`, () => {
    assert.equal(nearestWord(given, words), suggestion)
  })
}
