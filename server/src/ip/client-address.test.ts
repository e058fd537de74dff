import assert from 'node:assert/strict'
import { test } from 'node:test'
import { clientAddressBehind, type Sender } from './client-address.ts'

const trustedProxies = '10.0.0.0/8, 2001:db8:ffff::/48'
const textBehind = (settings: Parameters<typeof clientAddressBehind>[0]) => {
  const read = clientAddressBehind(settings)
  return (sender: Sender) => read(sender)?.address.text
}
const behind = textBehind({ trustedProxies, forwardedHeader: 'x-forwarded-for' })
const behindForwarded = textBehind({ trustedProxies, forwardedHeader: 'forwarded' })

const byForwardedFor = (header: string, peer = '10.0.0.1') => behind({ peer, headers: { 'x-forwarded-for': header } })
const byForwarded = (forwarded: string, peer = '10.0.0.1') => behindForwarded({ peer, headers: { forwarded } })

test('ignores headers of a peer that is not a trusted proxy', () => {
  assert.equal(byForwardedFor('198.51.100.1', '203.0.113.9'), '203.0.113.9')
  assert.equal(byForwarded('for=198.51.100.1', '203.0.113.9'), '203.0.113.9')
  const trustsNobody = textBehind({ forwardedHeader: 'x-forwarded-for' })
  assert.equal(trustsNobody({ peer: '127.0.0.1', headers: { 'x-forwarded-for': '198.51.100.1' } }), '127.0.0.1')
})

test('takes the rightmost untrusted address of X-Forwarded-For, and ignores what the client wrote before it', () => {
  assert.equal(byForwardedFor('198.51.100.1'), '198.51.100.1')
  assert.equal(byForwardedFor('1.1.1.1, nonsense, 198.51.100.1, 10.2.3.4'), '198.51.100.1')
  assert.equal(byForwardedFor('198.51.100.1', '::ffff:10.0.0.1'), '198.51.100.1')
  assert.equal(byForwardedFor('2600:1::A, 10.9.9.9', '2001:db8:ffff::1'), '2600:1::a')
  assert.equal(byForwardedFor('::ffff:198.51.100.1'), '198.51.100.1')
  assert.equal(byForwardedFor('10.0.0.3,10.0.0.2'), '10.0.0.3', 'all are trusted: the first of them')
})

test('drops a port after the IP address', () => {
  assert.equal(byForwardedFor('198.51.100.1:4711'), '198.51.100.1')
  assert.equal(byForwardedFor('[2600:1::a]:4711'), '2600:1::a')
  assert.equal(byForwarded('for="198.51.100.1:4711"'), '198.51.100.1')
  assert.equal(byForwarded('for="[2600:1::a]:4711"'), '2600:1::a')
})

test('stops at an entry without an IP address and returns the last trusted proxy', () => {
  for (const entry of [
    '_hidden',
    '１.2.3.4',
    '1.2.3.04',
    '0x1.2.3.4',
    '16909060',
    '1.2.3.4%eth0',
    'unknown',
    'nonsense',
    '1.2.3',
    '999.1.1.1',
    '1.2.3.4:',
    '[::1',
    'a:b',
    '1.2.3.4 5.6.7.8',
  ]) {
    assert.equal(byForwardedFor(`1.1.1.1, ${entry}`), '10.0.0.1', entry)
    assert.equal(byForwardedFor(`1.1.1.1, ${entry}, 10.0.0.2`), '10.0.0.2', entry)
  }
  for (const element of [
    'for=""',
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

test('ignores empty elements, which a list may have (RFC 9110, 5.6.1)', () => {
  for (const header of ['198.51.100.1, , 10.0.0.1', '198.51.100.1,', '198.51.100.1,,\t,10.0.0.2, ', ',198.51.100.1'])
    assert.equal(byForwardedFor(header), '198.51.100.1', header)
  assert.equal(byForwarded('for=198.51.100.1, , for=10.0.0.1'), '198.51.100.1')
  assert.equal(byForwarded('for=198.51.100.1,'), '198.51.100.1')
  for (const nothing of ['', ',', ' , ']) assert.equal(byForwardedFor(nothing), '10.0.0.1', 'only the proxy is known')
})

test('has two IP addresses of who comes by NAT64: the IPv4 address counts, the other one allows', () => {
  const settings = { trustedProxies, forwardedHeader: 'x-forwarded-for', nat64Prefixes: '2a00:64::/64' } as const
  const read = clientAddressBehind(settings)
  for (const sent of ['64:ff9b::102:304', '[64:ff9b::1.2.3.4]:4711', '2002:102:304::9', '2a00:64::1:203:400:0']) {
    const { address, connection } = read({ peer: '10.0.0.1', headers: { 'x-forwarded-for': sent } })!
    assert.equal(address.text, '1.2.3.4', sent)
    assert.equal(connection.words.length, 4, sent)
  }
  const proxyBehindNat64 = { peer: '64:ff9b::a00:1', headers: { 'x-forwarded-for': '198.51.100.1' } }
  assert.equal(read(proxyBehindNat64)!.connection.text, '64:ff9b::a00:1', 'no proxy is trusted by what it contains')
})

test('reads Forwarded (RFC 7239) in any case, with other parameters and with commas in quotes', () => {
  assert.equal(byForwarded('for=1.1.1.1, For="198.51.100.1";proto=https;by=10.0.0.1'), '198.51.100.1')
  assert.equal(byForwarded('for=198.51.100.1;host="a,b;c", for=10.0.0.2;by="x,y"'), '198.51.100.1')
  assert.equal(byForwarded('proto=http;FOR=198.51.100.1'), '198.51.100.1')
})

test('reads what proxies wrote after a quote that the client left open', () => {
  assert.equal(byForwarded('for="1.1.1.1, for=198.51.100.1'), '198.51.100.1')
  assert.equal(byForwarded('for="1.1.1.1, for=198.51.100.1, for="10.0.0.2:80"'), '198.51.100.1')
})

test('ignores addresses and separators that a client put into a quoted value of a proxy', () => {
  assert.equal(byForwarded('for=198.51.100.1;host="x;for=1.1.1.1;y"'), '198.51.100.1')
  assert.equal(byForwarded('for=9.9.9.9, for=198.51.100.1;host="x,for=1.1.1.1"'), '198.51.100.1')
  assert.equal(byForwarded('for=9.9.9.9, for=198.51.100.1;host="a\\"b"'), '198.51.100.1')
  assert.equal(byForwarded('for=9.9.9.9, for=198.51.100.1;host="a\\\\"'), '198.51.100.1')
})

test('ignores the header that the proxies do not write', () => {
  const headers = { 'x-forwarded-for': '198.51.100.1', forwarded: 'for=1.1.1.1' }
  assert.equal(behind({ peer: '10.0.0.1', headers }), '198.51.100.1')
  assert.equal(behindForwarded({ peer: '10.0.0.1', headers }), '1.1.1.1')
  assert.equal(behind({ peer: '10.0.0.1', headers: { forwarded: 'for=1.1.1.1' } }), '10.0.0.1')
})

test('returns undefined for a closed connection', () => {
  for (const resolve of [behind, behindForwarded]) {
    assert.equal(
      resolve({ peer: undefined, headers: { 'x-forwarded-for': '1.1.1.1', forwarded: 'for=1.1.1.1' } }),
      undefined,
    )
  }
})

test('refuses trusted proxies that are not blocks, or trust everyone, and names the entry', () => {
  const open = (list: string) => () => clientAddressBehind({ trustedProxies: list, forwardedHeader: 'forwarded' })
  assert.throws(open('10.0.0.0/8, loopback'), {
    name: 'ConfigurationError',
    message: /^trustedProxies: loopback is not/,
  })
  assert.throws(open('0.0.0.0/0'), { name: 'ConfigurationError', message: /trusts everyone/ })
  assert.throws(open('10.0.0.0/8 ::/0'), { name: 'ConfigurationError', message: /trusts everyone/ })
})

/** Headers of about this many bytes, each hard for a parser that backtracks. */
const hardHeaders: Record<string, (bytes: number) => unknown> = {
  'many trusted proxies': (bytes) => byForwardedFor('10.0.0.1,'.repeat(bytes / 9)),
  'many quoted proxies': (bytes) => byForwarded('for="10.0.0.1",'.repeat(bytes / 15)),
  'only quotes': (bytes) => byForwarded(`for=${'"'.repeat(bytes)}`),
  'only spaces': (bytes) => byForwarded(`${' '.repeat(bytes)}x`),
  'only backslashes': (bytes) => byForwarded(`for="${'\\\\'.repeat(bytes / 2)}`),
  'many parameters': (bytes) => byForwarded('a=b;'.repeat(bytes / 4)),
}
for (const [what, read] of Object.entries(hardHeaders)) {
  // 16 times the bytes take about 16 times as long; with quadratic time it would be 256 times. The best of many runs has no
  // interruption in it, however busy the machine is.
  test(`reads a header in time proportional to its length: ${what}`, () => {
    const [short, long] = [4_000, 64_000].map((bytes) => bestMs(() => read(bytes)))
    assert.ok(long! < 90 * Math.max(short!, 0.001), `${short} ms for 4 KB, ${long} ms for 64 KB`)
  })
}

function bestMs(work: () => unknown): number {
  let best = Number.POSITIVE_INFINITY
  for (let run = 0; run < 30; run++) {
    const startedAt = performance.now()
    work()
    best = Math.min(best, performance.now() - startedAt)
  }
  return best
}
