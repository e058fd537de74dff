import assert from 'node:assert/strict'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import fc from 'fast-check'
import { parseAddress } from '../address.ts'
import { encodeAddressLists, type ListContent, type ListKind, listKinds, readAddressLists } from './address-lists.ts'
import { rangesOfList } from './published-list.ts'

const list = (kind: ListKind, text: string, name: string = kind): ListContent => {
  const ranges = rangesOfList(text)
  return { name, kind, datedMs: 0, entries: ranges.length, ranges }
}

async function fileOf(t: TestContext, lists: readonly ListContent[]): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'ringfence-lists-'))
  t.after(() => rm(folder, { recursive: true }))
  const path = join(folder, 'anonymity.bin')
  await writeFile(path, encodeAddressLists(lists))
  return path
}

test('an address is on the lists that name it, by address, block or range, in either family', async (t) => {
  const path = await fileOf(t, [
    list('tor', '8.8.8.8\n2001:4860::8888'),
    list('datacenter', '8.8.0.0/16', 'wide'),
    list('datacenter', '8.8.8.0-8.8.8.9\n8.8.8.5', 'narrow'),
    list('relay', '2606:4700::/32,US\n255.255.255.255'),
  ])
  const { find, lists } = readAddressLists(path)
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

test('the file says what the lists say, whatever they are', async (t) => {
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

test('more combinations of lists than two bytes can number are numbered by four', async (t) => {
  // Each list names a bit of the address: 2^17 addresses, each on lists of its own.
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

test('a corrupt or truncated file is refused with the reason', async (t) => {
  const path = await fileOf(t, [list('tor', '8.8.8.8')])
  const whole = encodeAddressLists([list('tor', '8.8.8.8')])
  for (const [content, reason] of [
    [whole.subarray(0, 10), /is cut short \(10 bytes\)/],
    [whole.subarray(0, whole.length - 1), /is damaged/],
    [whole.map((byte, at) => (at === 17 ? byte ^ 1 : byte)), /is damaged/],
    [whole.map((byte, at) => (at === 30 ? byte ^ 1 : byte)), /is damaged/],
    [whole.map((byte, at) => (at === 0 ? byte ^ 1 : byte)), /is no file of address lists/],
    [whole.map((byte, at) => (at === 4 ? byte ^ 8 : byte)), /has format 10/],
  ] as const) {
    await writeFile(path, content)
    assert.throws(() => readAddressLists(path), reason)
  }
  assert.throws(() => readAddressLists(`${path}.missing`), /cannot be read \(ENOENT\).*data update/s)
})
