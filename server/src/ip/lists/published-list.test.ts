import assert from 'node:assert/strict'
import { test } from 'node:test'
import { rangesOfList } from './published-list.ts'

const count = (text: string) => rangesOfList(text).length

test('reads lists as lines, CSV, with comments, and as JSON', () => {
  assert.equal(count('# Tor exits\n8.8.8.8\r\n9.9.9.9 # one more\n\n2001:db8::1\n'), 3)
  assert.equal(count('172.224.226.0/27,GB,GB-EN,London,\n2a02:26f7:b000::/64,SE,,,'), 2)
  assert.equal(count('ip,port\r\n8.8.8.8,3128\r\n9.9.9.9,8080\r\n'), 2)
  assert.equal(count('"address"\n8.8.8.8\n'), 1)
  assert.equal(count('; Spamhaus\n1.10.16.0/20 ; SBL256894'), 1)
  assert.equal(count('{"createDate":"2026-01-01","prefixes":[{"ip_prefix":"3.2.34.0/26","region":"af-south-1"}]}'), 1)
  assert.equal(count('[{"addresses":["::ffff:8.8.8.8"]}]'), 1)
})

test('reads lists of proxies, which name ports', () => {
  assert.deepEqual(rangesOfList('8.8.8.8:3128\nsocks5://9.9.9.9:1080\n'), rangesOfList('8.8.8.8\n9.9.9.9\n'))
  assert.deepEqual(rangesOfList('http://[2001:db8::1]:8080'), rangesOfList('2001:db8::1'))
  assert.throws(() => rangesOfList('8.8.8.8:port'), /names no IP address/)
})

test('refuses an implausible list with the reason', () => {
  for (const [text, reason] of [
    ['', /names no IP address/],
    ['<!doctype html><title>404</title>', /names no IP address/],
    ['{"prefixes":', /not valid JSON/],
    ['{}', /names no IP address/],
    ['0.0.0.0/0', /a block of \/0, which is too wide/],
    ['::/0', /too wide/],
    ['1.0.0.0-99.0.0.0', /too wide/],
    ['8.8.8.8\nsorry\nwe have\nmoved', /3 of 4 lines are not IP addresses/],
    ['moved to another place\n8.8.8.8', /1 of 2 lines are not IP addresses/],
    ['ip,port\n', /names no IP address/],
    ['9.9.9.9-8.8.8.8', /names no IP address/],
    ['8.8.8.8/33', /names no IP address/],
  ] as const) {
    assert.throws(() => rangesOfList(text), reason, text)
  }
  assert.throws(() => rangesOfList(`${'['.repeat(200_000)}`), /not valid JSON/)
})
