import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { connectionFingerprints, readTcpFingerprint } from './connection-fingerprint.ts'

/** SYNs as HAProxy writes them with ip.fp(3): of Windows 11, iOS and Linux. */
const haproxy = {
  windows: '006089FAF005B40779020103010104',
  apple: '0050B7FFFF05B4473802010301010804',
  linux: '0050A8FAF005B4473F0204080103',
}

test('reads the options and the initial time to live from ip.fp(3) of HAProxy', () => {
  assert.deepEqual(readTcpFingerprint(haproxy.windows), { initialTtl: 128, options: [2, 1, 3, 1, 1, 4] })
  assert.deepEqual(readTcpFingerprint(haproxy.apple), { initialTtl: 64, options: [2, 1, 3, 1, 1, 8, 4] })
  assert.deepEqual(readTcpFingerprint(haproxy.linux.toLowerCase()), { initialTtl: 64, options: [2, 4, 8, 1, 3] })
})

test('returns undefined for other formats', () => {
  for (const text of [
    '',
    'garbage',
    '0050A8FAF005B447', // ip.fp(0): no order
    '0050A8FAF005B4470204080103', // ip.fp(2): no time to live
    '0050A8FAF005B4473F02040801030A000001', // ip.fp(7): an address behind the options
    '0060A8FAF005B4473F0204080103', // a time to live that is not of its class
    '0050A8FAF005B4073F0204080103', // options that are not those of the mask
    '0050A8FAF005B4473F0204080103, 006089FAF005B40779020103010104', // two headers
    '65535_2-1-3-1-1-8-4_1460_6', // a list in decimal, which other tools write
    '00'.repeat(50),
    'Z'.repeat(98),
  ]) {
    assert.equal(readTcpFingerprint(text), undefined, text.slice(0, 60))
  }
  fc.assert(fc.property(fc.string({ maxLength: 200 }), (text) => readTcpFingerprint(text) === undefined))
})

test('reads the configured headers of trusted proxies only', () => {
  const headers = {
    'x-tcp-fp': haproxy.linux,
    'x-ja4': 't13d2014h2_a09f3c656075_14788d8d241b',
    'x-other': haproxy.windows,
  }
  const settings = { trustedProxies: '10.0.0.0/8', tcpFingerprintHeader: 'x-tcp-fp', tlsFingerprintHeader: 'x-ja4' }
  const read = connectionFingerprints(settings)
  const result = { tcp: { initialTtl: 64, options: [2, 4, 8, 1, 3] }, ja4: 't13d2014h2_a09f3c656075_14788d8d241b' }
  assert.deepEqual(read({ peer: '10.0.0.1', headers }), result)
  assert.deepEqual(read({ peer: '::ffff:10.0.0.1', headers }), result)
  assert.equal(read({ peer: '203.0.113.1', headers }), undefined)
  assert.equal(read({ peer: undefined, headers }), undefined)
  assert.equal(read({ peer: '10.0.0.1', headers: {} }), undefined)
  assert.equal(connectionFingerprints({ trustedProxies: '10.0.0.0/8' })({ peer: '10.0.0.1', headers }), undefined)
  assert.equal(connectionFingerprints({ ...settings, trustedProxies: '' })({ peer: '10.0.0.1', headers }), undefined)
  const only = connectionFingerprints({ trustedProxies: '10.0.0.0/8', tlsFingerprintHeader: 'x-ja4' })
  assert.deepEqual(only({ peer: '10.0.0.1', headers }), { ja4: result.ja4 })
  assert.equal(only({ peer: '10.0.0.1', headers: { 'x-ja4': 'a, b' } }), undefined)
})
