import assert from 'node:assert/strict'
import { test } from 'node:test'
import Bowser from 'bowser'
import { parseUserAgent } from './user-agent.ts'

const chrome = 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36'
const hints = { brands: [{ brand: 'DuckDuckGo', version: '140' }], platform: 'Windows', platformVersion: '15.0.0' }

test('reads a user agent as Bowser does, at the first and at later visits, with client hints and without', () => {
  for (const _ of ['first', 'later']) {
    assert.deepEqual(parseUserAgent(chrome), Bowser.parse(chrome))
    assert.deepEqual(parseUserAgent(chrome, hints), Bowser.parse(chrome, hints))
    assert.deepEqual(parseUserAgent(chrome, {}), Bowser.parse(chrome, {}))
  }
  assert.notDeepEqual(parseUserAgent(chrome, hints), parseUserAgent(chrome), 'hints win')
})

test('a user agent that begins like client hints does not get the result of these hints', () => {
  const ofHints = parseUserAgent(chrome, hints)
  const hostile = `${JSON.stringify(hints)} ${chrome}`
  assert.deepEqual(parseUserAgent(hostile), Bowser.parse(hostile))
  assert.notDeepEqual(parseUserAgent(hostile), ofHints)
  assert.deepEqual(parseUserAgent(chrome, hints), ofHints)
})

test('keeps what it read a moment ago, but not what is long or was read long ago', () => {
  const first = parseUserAgent(chrome)
  assert.equal(parseUserAgent(chrome), first)
  const long = `${chrome} ${'x'.repeat(1024)}`
  assert.notEqual(parseUserAgent(long), parseUserAgent(long))
  for (let other = 0; other < 512; other++) parseUserAgent(`${chrome} other/${other}`)
  assert.notEqual(parseUserAgent(chrome), first)
})
