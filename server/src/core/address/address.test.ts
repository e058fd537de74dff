import assert from 'node:assert/strict'
import { isIP, SocketAddress } from 'node:net'
import { test } from 'node:test'
import fc from 'fast-check'
import { cidrOf, parseAddress, parseConnectionAddress, subscriberNetwork } from './address.ts'
import { addressBlocks } from './address-blocks.ts'
import { nat64Prefixes } from './nat64-prefixes.ts'
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
    '64:ff9b::192.0.2.33': '192.0.2.33',
    '64:ff9b:1::192.0.2.33': '64:ff9b:1::c000:221',
    '2002:c000:221::5': '192.0.2.33',
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
      if (!byNode.includes('.') && address.words.length === 4) assert.equal(address.text, byNode)
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
    '0.1.2.3 10.0.0.1 100.64.0.1 100.127.255.255 127.0.0.1 169.254.1.1 172.16.0.1 172.31.255.255 192.0.2.1 192.168.1.1 198.18.0.1 198.19.255.255 203.0.113.9 224.0.0.1 255.255.255.255 :: ::1 ::ffff:10.0.0.1 64:ff9b::1 64:ff9b::7f00:1 64:ff9b::a9fe:a9fe 2002:7f00:1:: 2002:a00:1::9 64:ff9b:1::808:808 ::8.8.8.8 2001:0:808:808:: 100::1 2001::1 2001:db8::1 2002::1 3fff::1 4000::1 fc00::1 fd12::1 fe80::1 ff02::1'
  const outside =
    '1.1.1.1 9.255.255.255 11.0.0.0 100.63.255.255 100.128.0.0 172.15.255.255 172.32.0.0 192.169.0.0 198.17.255.255 198.20.0.0 223.255.255.255 ::ffff:8.8.8.8 64:ff9b::8.8.8.8 2002:808:808::1 2001:200::1 2003::1 2606:4700::1111 2a00::1'
  for (const text of inside.split(' ')) assert.equal(isPublic(parseAddress(text)!), false, text)
  for (const text of outside.split(' ')) assert.equal(isPublic(parseAddress(text)!), true, text)
})

test('accepts blocks of both families in one list, and never matches IPv4 with an IPv6 block', () => {
  const blocks = addressBlocks('10.0.0.0/8, 192.0.2.7\n::/1 2001:db8::/32')
  const contains = (text: string) => blocks.contains(parseConnectionAddress(text)!)
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

const word = fc.nat(0xffffffff)
const dottedOf = (ipv4: number) => [24, 16, 8, 0].map((shift) => (ipv4 >>> shift) & 255).join('.')
const ipv6Of = (bytes: readonly number[]) =>
  Array.from({ length: 8 }, (_, i) => ((bytes[2 * i]! << 8) | bytes[2 * i + 1]!).toString(16)).join(':')

test('reads each form of an IPv4 address inside IPv6 as that IPv4 address', () => {
  fc.assert(
    fc.property(word, fc.array(fc.nat(255), { minLength: 16, maxLength: 16 }), (ipv4, rest) => {
      const bytes = [24, 16, 8, 0].map((shift) => (ipv4 >>> shift) & 255)
      const expected = dottedOf(ipv4)
      const read = (each: readonly number[], nat64: Parameters<typeof parseAddress>[1] = []) =>
        parseAddress(ipv6Of(each), nat64)?.text
      assert.equal(read([...Array(10).fill(0), 255, 255, ...bytes]), expected, 'IPv4-mapped')
      assert.equal(read([0, 0x64, 0xff, 0x9b, ...Array(8).fill(0), ...bytes]), expected, 'NAT64')
      assert.equal(read([0x20, 0x02, ...bytes, ...rest.slice(6)]), expected, '6to4')
      for (const length of [32, 40, 48, 56, 64, 96] as const) {
        const prefix = [0x2a, 0, ...rest.slice(2, length / 8)]
        if (length === 96) prefix[8] = 0
        const [nat64] = nat64Prefixes({ nat64Prefixes: `${ipv6Of([...prefix, ...Array(16).fill(0)])}/${length}` })
        const body = [...prefix, ...bytes]
        // Bits 64 to 71 are zero (RFC 6052, 2.2).
        const whole =
          length === 96 ? body : [...body.slice(0, 8), 0, ...body.slice(8), ...Array(4).fill(0)].slice(0, 16)
        assert.equal(read(whole, [nat64!]), expected, `a prefix of ${length} bits`)
        assert.equal(parseConnectionAddress(ipv6Of(whole))!.words.length, 4, 'the connection stays IPv6')
      }
    }),
  )
})

test('takes no IPv4 address from where the client chooses the bits, or from a prefix that nobody named', () => {
  for (const text of [
    '2a00::5efe:1.2.3.4',
    '2a00:64::1.2.3.4',
    '64:ff9b:1::1.2.3.4',
    '2001:0:102:304::1',
    '::1.2.3.4',
    '::ffff:0:1.2.3.4',
  ])
    assert.equal(parseAddress(text)!.words.length, 4, text)
})

test('never gives one network to IPv6 addresses of different /64 networks', () => {
  const native = fc.tuple(fc.integer({ min: 0x2003_0000, max: 0x3fff_ffff }), word, word, word)
  const read = (words: readonly number[]) =>
    parseAddress(words.map((each) => `${(each >>> 16).toString(16)}:${(each & 0xffff).toString(16)}`).join(':'))!
  fc.assert(
    fc.property(native, native, (a, b) => {
      const isSame = a[0] === b[0] && a[1] === b[1]
      assert.equal(subscriberNetwork(read(a)) === subscriberNetwork(read(b)), isSame)
    }),
  )
})

test('refuses a NAT64 prefix that RFC 6052 does not know, and names it', () => {
  for (const entry of ['2001:db8::/33', '10.0.0.0/8', '2001:db8::', '2001:db8::/', 'nat64/96', '::ffff:0:0/96'])
    assert.throws(() => nat64Prefixes({ nat64Prefixes: `64:ff9b:1::/96, ${entry}` }), {
      name: 'ConfigurationError',
      message: new RegExp(`^nat64Prefixes: ${entry} is not an IPv6 prefix of 32, 40`),
    })
})
