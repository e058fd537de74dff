import assert from 'node:assert/strict'
import { test } from 'node:test'
import { asOrigin } from './package.ts'

test('accepts an origin of scheme, host and port as a browser sends it, and the port * only on this machine', () => {
  assert.equal(asOrigin('https://Shop.example/'), 'https://shop.example')
  assert.equal(asOrigin('https://shop.example:443'), 'https://shop.example')
  assert.equal(asOrigin('http://shop.example:8080'), 'http://shop.example:8080')
  assert.equal(asOrigin('http://localhost:*'), 'http://localhost:*')
  assert.equal(asOrigin('http://127.0.0.1:*'), 'http://127.0.0.1:*')
  assert.equal(asOrigin('http://[::1]:8080'), 'http://[::1]:8080')
  assert.equal(asOrigin('https://bücher_1.example'), 'https://xn--bcher_1-n2a.example')
  for (const wrong of [
    '*',
    'null',
    'shop.example',
    'https://shop.example/path',
    'https://shop.example?x',
    'https://shop.example/#x',
    'https://user@shop.example',
    'https://*.shop.example',
    'https://shop.example:*',
    'ftp://shop.example',
    'javascript:alert(1)',
    'http://localhost:*/',
    'https://$(reboot).example',
    'https://a;b.example',
    "https://a'b.example",
    'https://`a`.example',
    'https://a&b.example',
  ]) {
    assert.equal(asOrigin(wrong), undefined, wrong)
  }
})
