import assert from 'node:assert/strict'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import fc from 'fast-check'
import { parseAddress } from '../../core/address/address.ts'
import { type ListKind, listKinds } from '../../core/config/ip-data-settings.ts'
import { atEnd } from '../../testing/at-end.ts'
import { encodeAddressLists, type ListContent, readAddressLists } from './address-lists.ts'
import { rangesOfList } from './published-list.ts'

const list = (kind: ListKind, text: string, name: string = kind): ListContent => {
  const ranges = rangesOfList(text)
  return { name, kind, datedMs: 0, entries: ranges.length, ranges }
}

async function fileOf(t: TestContext, lists: readonly ListContent[]): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'ringfence-lists-'))
  atEnd(t, () => rm(folder, { recursive: true }))
  const path = join(folder, 'anonymity.bin')
  await writeFile(path, encodeAddressLists(lists))
  return path
}

test('finds the lists that name an address, a block or a range, in both families', async (t) => {
  const path = await fileOf(t, [
    list('tor', '8.8.8.8\n2001:4860::8888'),
    list('datacenter', '8.8.0.0/16', 'wide'),
    list('datacenter', '8.8.8.0-8.8.8.9\n8.8.8.5', 'narrow'),
    list('relay', '2606:4700::/32,US\n255.255.255.255'),
  ])
  const { find, kindsFor, lists } = readAddressLists(path)
  const on = (address: string) => find(parseAddress(address)!).map(({ name }) => name)
  assert.deepEqual(on('8.8.8.8'), ['tor', 'wide', 'narrow'])
  assert.deepEqual(on('8.8.8.5'), ['wide', 'narrow'], 'a list that names an address twice counts once')
  assert.deepEqual(on('8.8.9.0'), ['wide'])
  assert.deepEqual(on('8.9.0.0'), [])
  assert.deepEqual(on('8.7.255.255'), [])
  assert.deepEqual(on('2001:4860::8888'), ['tor'])
  assert.deepEqual(on('2001:4860::8889'), [])
  assert.deepEqual(on('2606:4700:ffff::1'), ['relay'])
  assert.deepEqual(on('2606:4701::'), [])
  assert.deepEqual(on('255.255.255.255'), ['relay'])
  const kinds = (address: string) => [...kindsFor(parseAddress(address)!, 0)].toSorted()
  assert.deepEqual(kinds('1.1.1.1'), ['datacenter', 'relay', 'tor'])
  assert.deepEqual(kinds('2001::1'), ['relay', 'tor'], 'no list of datacenters has an address of IPv6')
  const later = [...kindsFor(parseAddress('1.1.1.1')!, 2 * 86_400_000)].toSorted()
  assert.deepEqual(later, ['datacenter', 'relay'], 'a list of Tor exits says nothing after a day')
  const before = kindsFor(parseAddress('1.1.1.1')!, -86_400_001)
  assert.equal(before.size, 0, 'a list that is dated in the future says nothing')
  assert.deepEqual(
    lists.map(({ kind, entries }) => [kind, entries]),
    [
      ['tor', 2],
      ['datacenter', 1],
      ['datacenter', 2],
      ['relay', 2],
    ],
  )
})

test('finds the same lists as a search through all ranges', async (t) => {
  const addressText = (n: number) => `11.0.0.${n}`
  const entry = fc
    .tuple(fc.nat(63), fc.nat(63), fc.boolean())
    .map(([a, b, isRange]) =>
      isRange ? `${addressText(Math.min(a, b))}-${addressText(Math.max(a, b))}` : `${addressText(a)}/${26 + (b % 7)}`,
    )
  const anyLists = fc.array(fc.tuple(fc.constantFrom(...listKinds), fc.array(entry, { minLength: 1, maxLength: 6 })), {
    maxLength: 9,
  })
  await fc.assert(
    fc.asyncProperty(anyLists, fc.nat(255), async (kinds, n) => {
      const lists = kinds.map(([kind, entries], index) => list(kind, entries.join('\n'), `${index}`))
      const number = (11n << 24n) + BigInt(n)
      const expected = lists.filter(({ ranges }) => ranges.some(({ first, last }) => first <= number && number <= last))
      const found = readAddressLists(await fileOf(t, lists)).find(parseAddress(addressText(n))!)
      assert.deepEqual(
        found.map(({ name }) => name),
        expected.map(({ name }) => name),
      )
    }),
    { numRuns: 60 },
  )
})

test('stores more combinations of lists than two bytes can number', async (t) => {
  // Each list is one bit of the address, so each of the 2^17 addresses is on a different combination of lists.
  const lists = Array.from({ length: 17 }, (_, bit) => {
    const width = 2 ** bit
    const ranges = Array.from({ length: 2 ** 16 / width }, (_, i) => {
      const first = (11n << 24n) + BigInt((2 * i + 1) * width)
      return { family: 4, first, last: first + BigInt(width - 1) } as const
    })
    return { name: `${bit}`, kind: 'abuse', datedMs: 0, entries: ranges.length, ranges } as const
  })
  const { find } = readAddressLists(await fileOf(t, lists))
  const on = (address: string) => find(parseAddress(address)!).map(({ name }) => Number(name))
  assert.deepEqual(on('11.1.255.255'), [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16])
  assert.deepEqual(on('11.1.0.2'), [1, 16])
  assert.deepEqual(on('11.0.0.0'), [])
})

test('refuses a damaged file and says what to do', async (t) => {
  const path = await fileOf(t, [list('tor', '8.8.8.8')])
  const bytes = encodeAddressLists([list('tor', '8.8.8.8')])
  await writeFile(path, bytes.with(2, bytes[2]! ^ 1))
  assert.throws(
    () => readAddressLists(path),
    /anonymity\.bin is altered: .*Run "ringfence data update" to rebuild it\.$/,
  )
  assert.throws(() => readAddressLists(`${path}.missing`), /cannot be read \(ENOENT\).*data update/s)
})
