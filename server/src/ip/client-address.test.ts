import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type ClientAddress, clientAddressBehind } from './client-address.ts'

const trustedProxies = '10.0.0.0/8, 2001:db8:ffff::/48'
const behind = clientAddressBehind({ trustedProxies, forwardedHeader: 'x-forwarded-for' })
const behindForwarded = clientAddressBehind({ trustedProxies, forwardedHeader: 'forwarded' })

const byForwardedFor = (header: string, peer = '10.0.0.1') => behind({ peer, headers: { 'x-forwarded-for': header } })
const byForwarded = (forwarded: string, peer = '10.0.0.1') => behindForwarded({ peer, headers: { forwarded } })

test('headers of a peer that is no trusted proxy are ignored', () => {
  assert.equal(byForwardedFor('198.51.100.1', '203.0.113.9'), '203.0.113.9')
  assert.equal(byForwarded('for=198.51.100.1', '203.0.113.9'), '203.0.113.9')
  const trustsNobody = clientAddressBehind({ forwardedHeader: 'x-forwarded-for' })
  assert.equal(trustsNobody({ peer: '127.0.0.1', headers: { 'x-forwarded-for': '198.51.100.1' } }), '127.0.0.1')
})

test('X-Forwarded-For: the rightmost address that is no trusted proxy; what the person put before it is not looked at', () => {
  assert.equal(byForwardedFor('198.51.100.1'), '198.51.100.1')
  assert.equal(byForwardedFor('1.1.1.1, nonsense, 198.51.100.1, 10.2.3.4'), '198.51.100.1')
  assert.equal(byForwardedFor('198.51.100.1', '::ffff:10.0.0.1'), '198.51.100.1')
  assert.equal(byForwardedFor('2600:1::A, 10.9.9.9', '2001:db8:ffff::1'), '2600:1::a')
  assert.equal(byForwardedFor('::ffff:198.51.100.1'), '198.51.100.1')
  assert.equal(byForwardedFor('10.0.0.3,10.0.0.2'), '10.0.0.3', 'all are trusted: the first of them')
})

test('a port beside the address is left out', () => {
  assert.equal(byForwardedFor('198.51.100.1:4711'), '198.51.100.1')
  assert.equal(byForwardedFor('[2600:1::a]:4711'), '2600:1::a')
  assert.equal(byForwarded('for="198.51.100.1:4711"'), '198.51.100.1')
  assert.equal(byForwarded('for="[2600:1::a]:4711"'), '2600:1::a')
})

test('an entry that names no address ends the walk as an untrusted one: the last proxy reached is the answer', () => {
  for (const entry of ['', 'unknown', 'nonsense', '1.2.3', '999.1.1.1', '1.2.3.4:', '[::1', 'a:b', '1.2.3.4 5.6.7.8']) {
    assert.equal(byForwardedFor(`1.1.1.1, ${entry}`), '10.0.0.1', entry)
    assert.equal(byForwardedFor(`1.1.1.1, ${entry}, 10.0.0.2`), '10.0.0.2', entry)
  }
  for (const element of [
    '',
    'for=unknown',
    'for=_hidden',
    'proto=https',
    'for=1.2.3.4;for=5.6.7.8',
    'for="1.2.3.4',
    'xfor=1.2.3.4',
  ]) {
    assert.equal(byForwarded(`for=1.1.1.1, ${element}`), '10.0.0.1', element)
  }
})

test('Forwarded (RFC 7239): any case, other parameters, quotes with commas', () => {
  assert.equal(byForwarded('for=1.1.1.1, For="198.51.100.1";proto=https;by=10.0.0.1'), '198.51.100.1')
  assert.equal(byForwarded('for=198.51.100.1;host="a,b;c", for=10.0.0.2;by="x,y"'), '198.51.100.1')
  assert.equal(byForwarded('proto=http;FOR=198.51.100.1'), '198.51.100.1')
})

test('a quote that a person left open does not swallow what the proxies wrote after it', () => {
  assert.equal(byForwarded('for="1.1.1.1, for=198.51.100.1'), '198.51.100.1')
  assert.equal(byForwarded('for="1.1.1.1, for=198.51.100.1, for="10.0.0.2:80"'), '198.51.100.1')
})

test('what a person put into a quoted value of a proxy, such as the host, is neither an address nor an end', () => {
  assert.equal(byForwarded('for=198.51.100.1;host="x;for=1.1.1.1;y"'), '198.51.100.1')
  assert.equal(byForwarded('for=9.9.9.9, for=198.51.100.1;host="x,for=1.1.1.1"'), '198.51.100.1')
  assert.equal(byForwarded('for=9.9.9.9, for=198.51.100.1;host="a\\"b"'), '198.51.100.1')
  assert.equal(byForwarded('for=9.9.9.9, for=198.51.100.1;host="a\\\\"'), '198.51.100.1')
})

test('the header that the proxies do not write is not read', () => {
  const headers = { 'x-forwarded-for': '198.51.100.1', forwarded: 'for=1.1.1.1' }
  assert.equal(behind({ peer: '10.0.0.1', headers }), '198.51.100.1')
  assert.equal(behindForwarded({ peer: '10.0.0.1', headers }), '1.1.1.1')
  assert.equal(behind({ peer: '10.0.0.1', headers: { forwarded: 'for=1.1.1.1' } }), '10.0.0.1')
})

test('a connection that is gone has no address', () => {
  for (const resolve of [behind, behindForwarded] satisfies ClientAddress[]) {
    assert.equal(
      resolve({ peer: undefined, headers: { 'x-forwarded-for': '1.1.1.1', forwarded: 'for=1.1.1.1' } }),
      undefined,
    )
  }
})

test('trusted proxies that are no blocks, or everyone, are refused by name', () => {
  const open = (list: string) => () => clientAddressBehind({ trustedProxies: list, forwardedHeader: 'forwarded' })
  assert.throws(open('10.0.0.0/8, loopback'), {
    name: 'ConfigurationError',
    message: /^trustedProxies: loopback is no/,
  })
  assert.throws(open('0.0.0.0/0'), { name: 'ConfigurationError', message: /trusts everyone/ })
  assert.throws(open('10.0.0.0/8 ::/0'), { name: 'ConfigurationError', message: /trusts everyone/ })
})

test('a header of the largest size is read within milliseconds', () => {
  const started = process.cpuUsage()
  byForwardedFor('10.0.0.1,'.repeat(1700))
  byForwarded('for="10.0.0.1",'.repeat(1000))
  byForwarded(`for=${'"'.repeat(15_000)}`)
  byForwarded(`${' '.repeat(15_000)}x`)
  byForwarded(`for="${'\\\\'.repeat(7_000)}`)
  byForwarded('a=b;'.repeat(4000))
  const { user, system } = process.cpuUsage(started)
  assert.ok(user + system < 200_000, `${user + system} µs`)
})
