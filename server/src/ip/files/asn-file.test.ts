import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import fc from 'fast-check'
import { cidrOf, parseAddress } from '../../core/address/address.ts'
import { type AnnouncedRange, encodeAsnFile, readAsnFile } from './asn-file.ts'

const range = (first: string, last: string, asn: number, name = `AS ${asn}`): AnnouncedRange => ({
  first: parseAddress(first)!.words,
  last: parseAddress(last)!.words,
  asn,
  name,
})

/** Writes the ranges to a file for `use`. */
function withFile<T>(ranges: readonly AnnouncedRange[], use: (path: string, bytes: Uint8Array) => T): T {
  const folder = mkdtempSync(join(tmpdir(), 'ringfence-asn-'))
  try {
    const bytes = encodeAsnFile({ origin: 'a package 1.2.3', ranges })
    writeFileSync(join(folder, 'asn.bin'), bytes)
    return use(join(folder, 'asn.bin'), bytes)
  } finally {
    rmSync(folder, { recursive: true })
  }
}

function finder(ranges: readonly AnnouncedRange[]) {
  const file = withFile(ranges, readAsnFile)
  return (text: string) => {
    const address = parseAddress(text)!
    const found = file.find(address)
    assert.equal(file.asnOf(address), found?.asn)
    return found && [found.asn, found.name, cidrOf(address, found.prefixLength)].join(' ')
  }
}

test('returns the longest block around an address within the announced range', () => {
  const find = finder([
    range('0.0.0.0', '0.255.255.255', 1),
    range('8.8.4.0', '8.8.4.255', 15169, 'Google "LLC"'),
    range('8.8.8.0', '8.8.10.255', 15169, 'Google "LLC"'),
    range('8.8.11.0', '8.8.11.0', 3),
    range('255.255.255.255', '255.255.255.255', 4),
    range('2001:200::', '2001:200:1b9:ffff:ffff:ffff:ffff:ffff', 2500, 'WIDE'),
    range('2001:200:1ba::', '2001:200:1ba:ffff:ffff:ffff:ffff:ffff', 24047),
    range('ffff::', 'ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff', 5),
  ])
  assert.equal(find('0.0.0.0'), '1 AS 1 0.0.0.0/8')
  assert.equal(find('8.8.3.255'), undefined)
  assert.equal(find('8.8.4.4'), '15169 Google "LLC" 8.8.4.0/24')
  assert.equal(find('8.8.8.8'), '15169 Google "LLC" 8.8.8.0/23')
  assert.equal(find('8.8.10.1'), '15169 Google "LLC" 8.8.10.0/24')
  assert.equal(find('8.8.11.0'), '3 AS 3 8.8.11.0/32')
  assert.equal(find('8.8.11.1'), undefined)
  assert.equal(find('255.255.255.255'), '4 AS 4 255.255.255.255/32')
  assert.equal(find('2001:1ff:ffff::'), undefined)
  assert.equal(find('2001:200::1'), '2500 WIDE 2001:200::/40')
  assert.equal(find('2001:200:1b9:ffff::'), '2500 WIDE 2001:200:1b8::/47')
  assert.equal(find('2001:200:1ba::5'), '24047 AS 24047 2001:200:1ba::/48')
  assert.equal(find('2001:200:1bb::'), undefined)
  assert.equal(find('ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff'), '5 AS 5 ffff::/16')
})

test('ends a range where an overlapping later one begins', () => {
  const find = finder([range('1.0.0.0', '1.0.1.255', 1), range('1.0.1.0', '1.0.2.255', 2)])
  assert.equal(find('1.0.0.255'), '1 AS 1 1.0.0.0/24')
  assert.equal(find('1.0.1.0'), '2 AS 2 1.0.1.0/24')
})

test('finds the same range as a search through the whole list', () => {
  const word = fc.integer({ min: 0, max: 0xffff }).map((value) => value * 0x10001) // so that ranges touch
  fc.assert(
    fc.property(fc.uniqueArray(word, { minLength: 2, maxLength: 40 }), word, (bounds, address) => {
      const sorted = bounds.toSorted((a, b) => a - b)
      const ranges = sorted.flatMap((first, i) =>
        i % 2 === 0 && sorted[i + 1] !== undefined
          ? [{ first: [first], last: [sorted[i + 1]! - 1], asn: i + 1, name: `${i}` }]
          : [],
      )
      const file = withFile(ranges, readAsnFile)
      const expected = ranges.find(({ first, last }) => first[0]! <= address && address <= last[0]!)
      const found = file.find({ text: '', words: [address] })
      assert.equal(found?.asn, expected?.asn)
      if (!found || !expected) return
      const size = 2 ** (32 - found.prefixLength)
      const blockFits = (length: number) => {
        const start = Math.floor(address / length) * length
        return start >= expected.first[0]! && start + length - 1 <= expected.last[0]!
      }
      assert.ok(blockFits(size) && !blockFits(size * 2))
    }),
    { numRuns: 50 },
  )
})

test('refuses ranges that do not ascend', () => {
  const encode = (...ranges: AnnouncedRange[]) => encodeAsnFile({ origin: 'x', ranges })
  assert.throws(() => encode(range('1.0.0.0', '1.0.0.9', 1), range('1.0.0.0', '1.0.0.9', 2)), /do not ascend/)
  assert.throws(() => encode(range('1.0.0.9', '1.0.0.0', 1)), /do not ascend/)
})

test('refuses a damaged file and says what to do', () => {
  withFile([range('1.0.0.0', '1.0.0.9', 1)], (path, bytes) => {
    writeFileSync(path, bytes.with(0, bytes[0]! ^ 1))
    assert.throws(() => readAsnFile(path), {
      name: 'DataFileError',
      message: /asn\.bin is altered: .*in a clone, run "npm run prepare"\.$/,
    })
    rmSync(path)
    assert.throws(() => readAsnFile(path), /cannot be read \(ENOENT\)/)
  })
})
