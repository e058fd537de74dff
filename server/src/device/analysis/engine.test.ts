import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  areOneSystem,
  builtEngine,
  claimedEngine,
  claimedVersion,
  systemOfPlatform,
  systemOfUserAgent,
} from './engine.ts'

const chromeOnIphone =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) CriOS/149.0.7827.20 Mobile/15E148 Safari/604.1'
const chrome =
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/156.0.0.0 Safari/537.36'
const firefox = 'Mozilla/5.0 (X11; Linux x86_64; rv:153.0) Gecko/20100101 Firefox/153.0'

test('every browser on iOS is WebKit, whatever its name', () => {
  assert.equal(claimedEngine(chromeOnIphone), 'webkit')
  assert.equal(claimedEngine(chrome), 'chromium')
  assert.equal(claimedEngine(firefox), 'firefox')
  assert.equal(claimedEngine('curl/8.9.1'), undefined)
})

test('reads the version of the engine', () => {
  assert.equal(claimedVersion(chrome), 156)
  assert.equal(claimedVersion(firefox), 153)
  assert.equal(claimedVersion(chromeOnIphone), undefined)
})

test('recognises an engine by its built-in behaviour, not by its name', () => {
  const v8 = { isV8: true, nativeTextLength: 34 }
  const other = { isV8: false, nativeTextLength: 38 }
  assert.equal(builtEngine({ userAgent: firefox, engine: v8 }), 'chromium')
  assert.equal(builtEngine({ userAgent: chrome, engine: other }), 'not chromium')
  assert.equal(builtEngine({ userAgent: firefox, engine: other }), 'firefox')
  assert.equal(builtEngine({ userAgent: firefox }), undefined)
})

test('an Android phone that requests desktop pages has one system', () => {
  assert.ok(areOneSystem(systemOfUserAgent('Mozilla/5.0 (Linux; Android 15; K)')!, systemOfPlatform('Linux armv81')!))
  assert.ok(areOneSystem(systemOfUserAgent('Mozilla/5.0 (X11; Linux x86_64)')!, systemOfPlatform('Linux armv81')!))
  assert.ok(!areOneSystem(systemOfUserAgent(chrome)!, systemOfPlatform('Linux x86_64')!))
})
