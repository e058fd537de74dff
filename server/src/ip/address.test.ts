import assert from 'node:assert/strict'
import { isIP, SocketAddress } from 'node:net'
import { test } from 'node:test'
import fc from 'fast-check'
import { cidrOf, parseAddress } from './address.ts'
import { addressBlocks } from './address-blocks.ts'
import { isPublic } from './public-address.ts'

test('writes IP addresses as in RFC 5952, IPv4-mapped ones as IPv4, and drops zones', () => {
  const spellings = {
    '8.8.8.8': '8.8.8.8',
    '::ffff:8.8.8.8': '8.8.8.8',
    '::FFFF:0808:0808': '8.8.8.8',
    '2001:DB8:0:0:0:0:0:1': '2001:db8::1',
    '2001:db8:0:1:1:1:1:1': '2001:db8:0:1:1:1:1:1',
    '2001:0:0:1:0:0:0:1': '2001:0:0:1::1',
    '2001:db8::1:0:0:1': '2001:db8::1:0:0:1',
    '64:ff9b::192.0.2.33': '64:ff9b::c000:221',
    'fe80::1%eth0': 'fe80::1',
    '::': '::',
    '::1': '::1',
    '1::': '1::',
  }
  for (const [given, expected] of Object.entries(spellings)) assert.equal(parseAddress(given)?.text, expected, given)
})

test('writes every IPv6 address like the operating system, and reads it back unchanged', () => {
  const group = fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 0xffff }))
  fc.assert(
    fc.property(fc.array(group, { minLength: 8, maxLength: 8 }), (groups) => {
      const given = groups.map((value) => value.toString(16)).join(':')
      const address = parseAddress(given)!
      const byNode = new SocketAddress({ address: given, family: 'ipv6' }).address
      // inet_ntop writes the last 32 bits dotted where the first 96 are those of IPv4.
      if (!byNode.includes('.')) assert.equal(address.text, byNode)
      assert.deepEqual(parseAddress(address.text), address)
    }),
  )
})

test('reads exactly the texts that Node reads as an IP address', () => {
  const part = fc.constantFrom(
    '',
    '0',
    '1',
    'db8',
    'FFFF',
    '12345',
    'g',
    '8.8.8.8',
    '1.2.3',
    '256.1.1.1',
    '%',
    '%eth0',
    '%é',
    '.',
  )
  const text = fc.array(fc.tuple(part, fc.constantFrom(':', ':', ':', '::', '')), { maxLength: 10 })
  fc.assert(
    fc.property(text, fc.nat(12), (parts, at) => {
      const whole = parts.flat().join('')
      for (const each of [whole, whole.replace(/:$/, ''), whole.slice(0, at) + whole.slice(at + 1)]) {
        assert.equal(parseAddress(each) !== undefined, isIP(each) !== 0, each)
      }
    }),
    { numRuns: 3000 },
  )
})

test('rejects texts that are not IP addresses, also shorthands and octal notation', () => {
  for (const text of [
    '',
    '127.1',
    '0x7f.0.0.1',
    '010.0.0.1',
    '256.1.1.1',
    '1.2.3.4.5',
    '1::2::3',
    '::g',
    ' 8.8.8.8',
    '8.8.8.8:53',
  ]) {
    assert.equal(parseAddress(text), undefined, text)
  }
})

test('writes the block around an address', () => {
  const block = (address: string, prefixLength: number) => cidrOf(parseAddress(address)!, prefixLength)
  assert.equal(block('8.8.8.8', 24), '8.8.8.0/24')
  assert.equal(block('255.255.255.255', 32), '255.255.255.255/32')
  assert.equal(block('255.255.255.255', 0), '0.0.0.0/0')
  assert.equal(block('2001:4860:4860::8888', 42), '2001:4860:4840::/42')
  assert.equal(block('ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff', 65), 'ffff:ffff:ffff:ffff:8000::/65')
})

test('treats private, loopback, link-local, CGNAT, documentation and reserved addresses as not public, and their neighbours as public', () => {
  const inside =
    '0.1.2.3 10.0.0.1 100.64.0.1 100.127.255.255 127.0.0.1 169.254.1.1 172.16.0.1 172.31.255.255 192.0.2.1 192.168.1.1 198.18.0.1 198.19.255.255 203.0.113.9 224.0.0.1 255.255.255.255 :: ::1 ::ffff:10.0.0.1 64:ff9b::1 100::1 2001::1 2001:db8::1 2002::1 3fff::1 4000::1 fc00::1 fd12::1 fe80::1 ff02::1'
  const outside =
    '1.1.1.1 9.255.255.255 11.0.0.0 100.63.255.255 100.128.0.0 172.15.255.255 172.32.0.0 192.169.0.0 198.17.255.255 198.20.0.0 223.255.255.255 ::ffff:8.8.8.8 2001:200::1 2003::1 2606:4700::1111 2a00::1'
  for (const text of inside.split(' ')) assert.equal(isPublic(parseAddress(text)!), false, text)
  for (const text of outside.split(' ')) assert.equal(isPublic(parseAddress(text)!), true, text)
})

test('accepts blocks of both families in one list, and never matches IPv4 with an IPv6 block', () => {
  const blocks = addressBlocks('10.0.0.0/8, 192.0.2.7\n::/1 2001:db8::/32')
  const contains = (text: string) => blocks.contains(parseAddress(text)!)
  assert.deepEqual(['10.9.9.9', '192.0.2.7', '::ffff:10.0.0.1', '2001:db8::5'].map(contains), [true, true, true, true])
  assert.deepEqual(['11.0.0.1', '192.0.2.8', 'ff00::1'].map(contains), [false, false, false])
  for (const entry of [
    '10/8',
    '10.0.0.0/33',
    '10.0.0.0/',
    '10.0.0.0/8/8',
    'localhost',
    'fe80::1%eth0',
    '::ffff:10.0.0.0/104',
    '2001:db8::/129',
  ]) {
    assert.throws(
      () => addressBlocks(`192.0.2.7 ${entry}`),
      new RegExp(`${entry} is not an IP address or a block`.replace('/', '\\/')),
      entry,
    )
  }
})
