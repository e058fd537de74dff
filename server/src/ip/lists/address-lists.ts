// Which published lists name an address? Many lists flattened into one sorted file: ranges, and the lists that name each.

import { readFileSync } from 'node:fs'
import { crc32 } from 'node:zlib'
import Type, { type Static } from 'typebox'
import { Compile } from 'typebox/compile'
import type { Address } from '../address.ts'
import { crawlerNames } from '../crawlers/crawlers.ts'
import { AddressFileError } from '../files/address-file-error.ts'

/** What a list is of. Several lists of `datacenter` and `abuse` are counted; of the others one is enough. */
export const listKinds = [
  'tor',
  'openProxy',
  'vpnServer',
  'vpnRange',
  'cloud',
  'relay',
  'gateway',
  'datacenter',
  'abuse',
  'crawler',
] as const
export type ListKind = (typeof listKinds)[number]

/** A list that went into the file. */
export const KeptList = Type.Object({
  name: Type.String(),
  kind: Type.Enum(listKinds),
  /** Of the kind `crawler`: whose. */
  crawler: Type.Optional(Type.Enum(crawlerNames)),
  /** When it was fetched, epoch milliseconds. */
  datedMs: Type.Number(),
  /** Addresses and blocks in it. */
  entries: Type.Integer(),
})
export type KeptList = Static<typeof KeptList>

/** An inclusive range of addresses, as numbers; up to 2^32 − 1 for IPv4, 2^128 − 1 for IPv6. */
export interface AddressRange {
  readonly family: 4 | 6
  readonly first: bigint
  readonly last: bigint
}

export interface ListContent extends KeptList {
  readonly ranges: readonly AddressRange[]
}

export interface AddressLists {
  readonly lists: readonly KeptList[]
  readonly sizeBytes: number
  /** The lists that name the address; none for most. */
  find(address: Address): readonly KeptList[]
}

/**
 * Layout, in the machine's own byte order (the file is built where it is read), the head in words:
 * magic, format version, CRC-32 of everything after it, length of the text, rows of IPv4, rows of IPv6, bytes of a combination's number;
 * then the starts of the ranges of IPv4 (a word each), of IPv6 (four words each); the number of each row's combination of lists;
 * JSON about the lists and their combinations, of which there are few however many rows there are.
 */
const magic = 0x4c414652
const formatVersion = 2
const headWords = 7
const checkedFrom = 3 * 4
const About = Compile(
  Type.Object({
    lists: Type.Array(KeptList),
    combinations: Type.Array(Type.Array(Type.Integer({ minimum: 0 }))),
  }),
)

/** The bytes of the file. */
export function encodeAddressLists(lists: readonly ListContent[]): Uint8Array {
  const combinations = new Map([['', 0]])
  const v4 = flatten(lists, 4, combinations)
  const v6 = flatten(lists, 6, combinations)
  const about = Buffer.from(
    JSON.stringify({
      lists: lists.map(({ ranges: _, ...list }) => list),
      combinations: [...combinations.keys()].map((key) => key.split(',').filter(Boolean).map(Number)),
    }),
  )
  const starts = Uint32Array.from([
    ...v4.map(({ start }) => Number(start)),
    ...v6.flatMap(({ start }) => wordsOf(start)),
  ])
  const Numbers = combinations.size > 0xffff ? Uint32Array : Uint16Array
  const numbers = Numbers.from([...v4, ...v6].map(({ combination }) => combination))
  const sizes = Uint32Array.of(about.length, v4.length, v6.length, Numbers.BYTES_PER_ELEMENT)
  const checked = Buffer.concat([bytesOf(sizes), bytesOf(starts), bytesOf(numbers), about])
  return Buffer.concat([bytesOf(Uint32Array.of(magic, formatVersion, crc32(checked))), checked])
}

/** Throws an AddressFileError when the file is missing, damaged or of another version. */
export function readAddressLists(path: string): AddressLists {
  let file: Uint8Array<ArrayBuffer>
  try {
    // A copy, so that the words lie at multiples of four bytes whatever buffer Node read into.
    file = new Uint8Array(readFileSync(path))
  } catch (cause) {
    throw refusal(path, `cannot be read (${(cause as NodeJS.ErrnoException).code})`, cause)
  }
  if (file.length < headWords * 4) throw refusal(path, `is cut short (${file.length} bytes)`)
  const [mark, version, checksum, aboutBytes = 0, rows4 = 0, rows6 = 0, numberBytes] = new Uint32Array(
    file.buffer,
    0,
    headWords,
  )
  if (mark !== magic) throw refusal(path, 'is no file of address lists of this kind of machine')
  if (version !== formatVersion) throw refusal(path, `has format ${version}, and this version reads ${formatVersion}`)
  // Of the sizes too: below they are trusted.
  if (crc32(file.subarray(checkedFrom)) !== checksum) throw refusal(path, 'is damaged (its checksum differs)')

  const numbersAt = headWords * 4 + 4 * (rows4 + 4 * rows6)
  const starts4 = new Uint32Array(file.buffer, headWords * 4, rows4)
  const starts6 = new Uint32Array(file.buffer, headWords * 4 + 4 * rows4, 4 * rows6)
  const numbers = new (numberBytes === 4 ? Uint32Array : Uint16Array)(file.buffer, numbersAt, rows4 + rows6)
  const about: unknown = JSON.parse(Buffer.from(file.subarray(file.length - aboutBytes)).toString())
  if (!About.Check(about)) throw refusal(path, 'does not say of which lists it was made')
  const { lists } = about
  const combinations = about.combinations.map((combination) => combination.flatMap((list) => lists[list] ?? []))
  return {
    lists,
    sizeBytes: file.length,
    find({ words }) {
      const isV4 = words.length === 1
      const row = isV4 ? lastAtMost(starts4, 1, words) : lastAtMost(starts6, 4, words)
      return row < 0 ? none : (combinations[numbers[isV4 ? row : rows4 + row]!] ?? none)
    },
  }
}

const none: readonly KeptList[] = []

interface FlatRow {
  readonly start: bigint
  readonly combination: number
}

/**
 * Rows that ascend and touch: from its start to the next row's, the lists of a row's combination name every address.
 * `combinations`: the number of each, by the indices of its lists; those that are not there yet are added.
 */
function flatten(lists: readonly ListContent[], family: 4 | 6, combinations: Map<string, number>): FlatRow[] {
  const borders = lists.flatMap(({ ranges }, list) =>
    merged(ranges.filter((range) => range.family === family)).flatMap(({ first, last }) => [
      { at: first, list, begins: true },
      { at: last + 1n, list, begins: false },
    ]),
  )
  borders.sort((a, b) => (a.at < b.at ? -1 : a.at > b.at ? 1 : 0))
  const open = new Set<number>()
  const rows: FlatRow[] = []
  const end = 1n << (family === 4 ? 32n : 128n)
  for (const [index, { at, list, begins }] of borders.entries()) {
    if (begins) open.add(list)
    else open.delete(list)
    if (borders[index + 1]?.at === at || at === end) continue
    const key = [...open].sort((a, b) => a - b).join(',')
    const combination = combinations.get(key) ?? combinations.size
    combinations.set(key, combination)
    rows.push({ start: at, combination })
  }
  return rows
}

/** The same addresses in ranges that neither overlap nor touch: a list that names an address twice counts once. */
function merged(ranges: readonly AddressRange[]): AddressRange[] {
  const result: AddressRange[] = []
  for (const range of ranges.toSorted((a, b) => (a.first < b.first ? -1 : a.first > b.first ? 1 : 0))) {
    const before = result.at(-1)
    if (before && range.first <= before.last + 1n) {
      if (range.last > before.last) result[result.length - 1] = { ...before, last: range.last }
    } else result.push(range)
  }
  return result
}

/** The last row that begins at or before the address; −1 when all begin after it. */
function lastAtMost(starts: Uint32Array, width: 1 | 4, words: readonly number[]): number {
  let low = 0
  let high = starts.length / width
  while (low < high) {
    const middle = (low + high) >>> 1
    if (isAtMost(starts, middle * width, words)) low = middle + 1
    else high = middle
  }
  return low - 1
}

function isAtMost(starts: Uint32Array, at: number, words: readonly number[]): boolean {
  for (let i = 0; i < words.length; i++) {
    if (starts[at + i]! !== words[i]!) return starts[at + i]! < words[i]!
  }
  return true
}

const wordsOf = (address: bigint) => [96n, 64n, 32n, 0n].map((shift) => Number((address >> shift) & 0xffffffffn))

const bytesOf = (array: Uint32Array | Uint16Array) => new Uint8Array(array.buffer, array.byteOffset, array.byteLength)

function refusal(path: string, reason: string, cause?: unknown): AddressFileError {
  return new AddressFileError(path, reason, 'Run "ringfence data update" to build it anew.', { cause })
}
