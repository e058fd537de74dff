import assert from 'node:assert/strict'
import { BlockList } from 'node:net'
import { test } from 'node:test'
import fc from 'fast-check'
import { parseAddress } from './address.ts'
import { multipleOf, type NetworkLimit, networksOf, quotaOf, sharerOf } from './network-tree.ts'

const namesOf = (text: string, asn?: number) => networksOf(parseAddress(text), asn).map(({ name }) => name)

test('names the networks around an address, the smallest first', () => {
  assert.deepEqual(namesOf('2001:db8:1:234::5', 64500), [
    '2001:db8:1:234::/64',
    '2001:db8:1:200::/56',
    '2001:db8:1::/48',
    'AS64500',
  ])
  assert.deepEqual(namesOf('192.0.2.7', 64500), ['192.0.2.7', '192.0.2.0/24', 'AS64500'])
  assert.deepEqual(namesOf('64:ff9b::192.0.2.7'), ['192.0.2.7', '192.0.2.0/24'], 'an IPv4 address inside IPv6')
  assert.deepEqual(networksOf(undefined), [{ level: 'subscriber', name: '' }])
})

const group = fc.integer({ min: 0, max: 0xffff }).map((value) => value.toString(16))
const ipv6 = fc.array(group, { minLength: 8, maxLength: 8 }).map((groups) => ['2a00', ...groups.slice(1)].join(':'))
/** By Node, whose reading is not ours. */
function contains(network: string, text: string): boolean {
  const [start, length] = network.split('/')
  const family = text.includes(':') ? 'ipv6' : 'ipv4'
  const block = new BlockList()
  block.addSubnet(start!, Number(length ?? 32), family)
  return block.check(text, family)
}

test('each network lies in the next larger one, and each larger one may have as much or more', () => {
  fc.assert(
    fc.property(fc.oneof(ipv6, fc.ipV4()), (text) => {
      const address = parseAddress(text)!
      const networks = networksOf(address)
      for (const { name } of networks) assert.ok(contains(name, text), name)
      for (const [i, { name }] of networks.slice(1).entries()) {
        const smaller = networks[i]!.name
        assert.ok(contains(name, smaller.replace(/\/.*/, '')), `${smaller} in ${name}`)
      }
      for (const limit of ['guesses', 'traffic'] satisfies NetworkLimit[]) {
        const quotas = networksOf(address, 64500).map(({ level }) => multipleOf(limit, level))
        assert.deepEqual(
          quotas,
          quotas.toSorted((a, b) => a - b),
        )
      }
    }),
  )
})

test('two addresses share all networks exactly when one subscriber has both', () => {
  fc.assert(
    fc.property(ipv6, ipv6, fc.nat(127), (one, other, keep) => {
      const bits = (text: string) =>
        parseAddress(text)!
          .words.map((word) => word.toString(2).padStart(32, '0'))
          .join('')
      const mixed = bits(one).slice(0, keep) + bits(other).slice(keep)
      const text = mixed
        .match(/.{16}/g)!
        .map((each) => Number.parseInt(each, 2).toString(16))
        .join(':')
      const common = [64, 56, 48].map((length) => mixed.slice(0, length) === bits(one).slice(0, length))
      const [a, b] = [namesOf(one), namesOf(text)]
      assert.deepEqual(
        a.map((name, i) => name === b[i]),
        common,
      )
    }),
  )
})

test('a quota is a whole number, and never less than that of one subscriber', () => {
  assert.deepEqual(
    [quotaOf('guesses', '/48', 300), quotaOf('guesses', '/48', 1), quotaOf('traffic', '/48', 50)],
    [450, 2, 150],
  )
})

test('all addresses of a /48 share three turns, each /64 always the same one, and no other /48 has them', () => {
  fc.assert(
    fc.property(
      fc.array(group, { minLength: 3, maxLength: 3 }),
      fc.array(ipv6, { minLength: 1, maxLength: 50 }),
      (site, others) => {
        const prefix = ['2a01', ...site.slice(1)]
        const sharers = others.map((other) =>
          sharerOf(parseAddress([...prefix, ...other.split(':').slice(3)].join(':'))),
        )
        assert.ok(new Set(sharers).size <= 3)
        const one = [...prefix, ...others[0]!.split(':').slice(3)]
        const neighbour = [...one.slice(0, 4), 'ffff', '1', '2', '3'].join(':')
        assert.equal(sharerOf(parseAddress(neighbour)), sharers[0])
        assert.ok(!sharers.includes(sharerOf(parseAddress(['2a02', ...one.slice(1)].join(':')))))
      },
    ),
  )
  assert.equal(sharerOf(parseAddress('192.0.2.7')), '192.0.2.7')
  assert.equal(sharerOf(parseAddress('::ffff:192.0.2.7')), '192.0.2.7')
  assert.equal(sharerOf(undefined), '')
})
