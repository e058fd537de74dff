import assert from 'node:assert/strict'
import { test } from 'node:test'
import Bowser from 'bowser'
import { parseUserAgent } from './user-agent.ts'

const chrome = 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36'
const brands = [{ brand: 'DuckDuckGo', version: '140' }]

test('reads a user agent as Bowser does, at the first and at later visits, with brands and without', () => {
  for (const _ of ['first', 'later']) {
    assert.deepEqual(parseUserAgent(chrome), Bowser.parse(chrome))
    const hints = { brands, mobile: true, platform: 'Windows', platformVersion: '15.0.0', model: 'Surface' }
    assert.deepEqual(parseUserAgent(chrome, brands), Bowser.parse(chrome, hints))
  }
  assert.notDeepEqual(parseUserAgent(chrome, brands), parseUserAgent(chrome), 'brands win')
})

test('a user agent that begins like brands does not get the result of these brands', () => {
  const ofBrands = parseUserAgent(chrome, brands)
  const hostile = `${JSON.stringify(brands)} ${chrome}`
  assert.deepEqual(parseUserAgent(hostile), Bowser.parse(hostile))
  assert.notDeepEqual(parseUserAgent(hostile), ofBrands)
  assert.deepEqual(parseUserAgent(chrome, brands), ofBrands)
})

test('keeps what it read a moment ago, but not what is long or was read long ago', () => {
  const first = parseUserAgent(chrome)
  assert.equal(parseUserAgent(chrome), first)
  const long = `${chrome} ${'x'.repeat(1024)}`
  assert.notEqual(parseUserAgent(long), parseUserAgent(long))
  for (let other = 0; other < 512; other++) parseUserAgent(`${chrome} other/${other}`)
  assert.notEqual(parseUserAgent(chrome), first)
})
