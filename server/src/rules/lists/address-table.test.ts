import assert from 'node:assert/strict'
import { BlockList } from 'node:net'
import { test } from 'node:test'
import fc from 'fast-check'
import { parseAddress } from '../../core/address/address.ts'
import { AddressTable } from './address-table.ts'
import { never } from './hash-table.ts'
import { networkText, rangeOf } from './kinds.ts'

const times = { from: 1, until: never }
const tableOf = (...ranges: string[]) => {
  const table = new AddressTable()
  for (const range of ranges) table.put(rangeOf(range)!, times)
  return table
}
const has = (table: AddressTable, address: string) => table.has(parseAddress(address)!, 5)

test('contains addresses and ranges of both families, up to their edges', () => {
  const table = tableOf('203.0.113.7', '10.0.0.0/8', '192.0.2.128/25', '2001:db8::/33', '2001:db9::1', '2001:dba::/100')
  const inside = ['203.0.113.7', '10.0.0.0', '10.255.255.255', '192.0.2.128', '192.0.2.255', '::ffff:10.1.2.3']
  const inside6 = ['2001:db8::', '2001:db8:7fff:ffff:ffff:ffff:ffff:ffff', '2001:db9::1', '2001:dba::fff:ffff']
  const outside = ['203.0.113.6', '203.0.113.8', '9.255.255.255', '11.0.0.0', '192.0.2.127']
  const outside6 = ['2001:db8:8000::', '2001:db7:ffff::', '2001:db9::2', '2001:dba::1000:0', '::a00:1']
  for (const address of [...inside, ...inside6]) assert.equal(has(table, address), true, address)
  for (const address of [...outside, ...outside6]) assert.equal(has(table, address), false, address)
  assert.equal(has(tableOf('0.0.0.0/0'), '198.51.100.1'), true)
  assert.equal(has(tableOf('0.0.0.0/0'), '2001:db8::1'), false)
  assert.equal(has(tableOf('::/0'), '2001:db8::1'), true)
})

const v4 = fc.tuple(fc.constantFrom(10, 11, 192), fc.nat(255), fc.constantFrom(0, 128, 255), fc.nat(255))
const address4 = v4.map((bytes) => bytes.join('.'))
const address6 = fc
  .array(fc.constantFrom(0, 1, 0x8000, 0xffff), { minLength: 7, maxLength: 7 })
  .map((groups) => ['2001', ...groups.map((group) => group.toString(16))].join(':'))

for (const [family, address, width] of [
  ['ipv4', address4, 32],
  ['ipv6', address6, 128],
] as const) {
  test(`agrees with the block list of Node about any ranges and addresses (${family})`, () => {
    const range = fc.record({ text: address, length: fc.nat(width) })
    fc.assert(
      fc.property(fc.array(range, { maxLength: 20 }), fc.array(address, { maxLength: 20 }), (ranges, others) => {
        const table = new AddressTable()
        const blocks = new BlockList()
        const kept = ranges.filter((_, i) => i % 3 !== 2)
        for (const { text, length } of ranges) table.put({ address: parseAddress(text)!, length }, times)
        const networks = new Set(kept.map(({ text, length }) => networkText(parseAddress(text)!, length)))
        for (const each of ranges) {
          const range = { address: parseAddress(each.text)!, length: each.length }
          if (!networks.has(networkText(range.address, each.length))) table.remove(range)
        }
        for (const { text, length } of kept) blocks.addSubnet(parseAddress(text)!.text, length, family)
        for (const text of [...others, ...ranges.map((each) => each.text)]) {
          assert.equal(has(table, text), blocks.check(parseAddress(text)!.text, family), text)
        }
        assert.equal(table.size, networks.size)
      }),
    )
  })
}

test('neither an expired range nor a removed one contains an address', () => {
  const table = tableOf('10.0.0.0/8', '10.1.0.0/16')
  table.put(rangeOf('10.0.0.0/8')!, { from: 1, until: 5 })
  table.remove(rangeOf('10.1.0.0/16')!)
  assert.equal(has(table, '10.1.2.3'), false)
  const address = parseAddress('10.1.2.3')!
  assert.deepEqual(
    [0, 1, 4, 5].map((at) => table.hadAt(address, at)),
    [false, true, true, false],
  )
})

test('a hundred thousand neighbours take 30 bytes each', () => {
  const table = new AddressTable()
  for (let i = 0; i < 100_000; i++) {
    const text = `10.${i >> 16}.${(i >> 8) & 255}.${i & 255}`
    table.put({ address: parseAddress(text)!, length: 32 }, times)
  }
  assert.ok(table.bytes < 30 * 100_000, String(table.bytes))
  assert.equal(has(table, '10.1.134.159'), true)
  assert.equal(has(table, '10.1.134.160'), false)
})
