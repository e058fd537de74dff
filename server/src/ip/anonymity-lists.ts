// Which published lists is an address on? Many lists flattened into one sorted file: ranges, and a word of bits for each.

import { readFileSync } from 'node:fs'
import { crc32 } from 'node:zlib'
import Type, { type Static } from 'typebox'
import { Compile } from 'typebox/compile'
import type { Address } from './address.ts'
import { AddressFileError } from './address-file-error.ts'

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
] as const
export type ListKind = (typeof listKinds)[number]

/** A list that went into the file. */
export const KeptList = Type.Object({
  name: Type.String(),
  kind: Type.Enum(listKinds),
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

/** The lists that an address is on, by kind; `datacenter` and `abuse` are numbers of lists, at most 7. */
export type Listing = Readonly<Record<ListKind, number>>

export interface AnonymityLists {
  readonly lists: readonly KeptList[]
  readonly sizeBytes: number
  /** Undefined for an address that is on none. */
  find(address: Address): Listing | undefined
}

const most = 7
/** Bits of the word: one for each kind that is on or off, three for each that is counted. */
const shiftOf = Object.fromEntries(
  listKinds.map((kind, index) => [kind, kind === 'abuse' ? index + 2 : index]),
) as Record<ListKind, number>
const isCounted = (kind: ListKind) => kind === 'datacenter' || kind === 'abuse'

/**
 * Layout, in the machine's own byte order (the file is built where it is read):
 * five words: magic, format version, CRC-32 of everything after the head, length of the text, rows of IPv4; then rows of IPv6;
 * the starts of the ranges of IPv4 (a word each), of IPv6 (four words each); the bits of each row, 16 of them; JSON about the lists.
 */
const magic = 0x4c414652
const formatVersion = 1
const headWords = 6
const KeptLists = Compile(Type.Array(KeptList))

/** The bytes of the file. */
export function encodeAnonymityLists(lists: readonly ListContent[]): Uint8Array {
  const v4 = flatten(lists, 4)
  const v6 = flatten(lists, 6)
  const about = Buffer.from(JSON.stringify(lists.map(({ ranges: _, ...list }) => list)))
  const starts = Uint32Array.from([
    ...v4.map(({ start }) => Number(start)),
    ...v6.flatMap(({ start }) => wordsOf(start)),
  ])
  const bits = Uint16Array.from([...v4, ...v6].map((row) => row.bits))
  const body = Buffer.concat([bytesOf(starts), bytesOf(bits), about])
  const head = Uint32Array.of(magic, formatVersion, crc32(body), about.length, v4.length, v6.length)
  return Buffer.concat([bytesOf(head), body])
}

/** Throws an AddressFileError when the file is missing, damaged or of another version. */
export function readAnonymityLists(path: string): AnonymityLists {
  let file: Uint8Array<ArrayBuffer>
  try {
    // A copy, so that the words lie at multiples of four bytes whatever buffer Node read into.
    file = new Uint8Array(readFileSync(path))
  } catch (cause) {
    throw refusal(path, `cannot be read (${(cause as NodeJS.ErrnoException).code})`, cause)
  }
  if (file.length < headWords * 4) throw refusal(path, `is cut short (${file.length} bytes)`)
  const [mark, version, checksum, aboutBytes = 0, rows4 = 0, rows6 = 0] = new Uint32Array(file.buffer, 0, headWords)
  if (mark !== magic) throw refusal(path, 'is no file of address lists of this kind of machine')
  if (version !== formatVersion) throw refusal(path, `has format ${version}, and this version reads ${formatVersion}`)
  if (crc32(file.subarray(headWords * 4)) !== checksum) throw refusal(path, 'is damaged (its checksum differs)')

  const bitsAt = headWords * 4 + 4 * (rows4 + 4 * rows6)
  const aboutAt = bitsAt + 2 * (rows4 + rows6)
  const starts4 = new Uint32Array(file.buffer, headWords * 4, rows4)
  const starts6 = new Uint32Array(file.buffer, headWords * 4 + 4 * rows4, 4 * rows6)
  const bits = new Uint16Array(file.buffer, bitsAt, rows4 + rows6)
  const lists: unknown = JSON.parse(Buffer.from(file.subarray(aboutAt, aboutAt + aboutBytes)).toString())
  if (!KeptLists.Check(lists)) throw refusal(path, 'does not say of which lists it was made')
  return {
    lists,
    sizeBytes: file.length,
    find({ words }) {
      const row = words.length === 1 ? lastAtMost(starts4, 1, words) : lastAtMost(starts6, 4, words)
      const found = row < 0 ? 0 : bits[words.length === 1 ? row : rows4 + row]!
      return found === 0 ? undefined : listingOf(found)
    },
  }
}

function listingOf(bits: number): Listing {
  const of = (kind: ListKind) => (bits >>> shiftOf[kind]) & (isCounted(kind) ? most : 1)
  return {
    tor: of('tor'),
    openProxy: of('openProxy'),
    vpnServer: of('vpnServer'),
    vpnRange: of('vpnRange'),
    cloud: of('cloud'),
    relay: of('relay'),
    gateway: of('gateway'),
    datacenter: of('datacenter'),
    abuse: of('abuse'),
  }
}

interface FlatRow {
  readonly start: bigint
  readonly bits: number
}

/** Rows that ascend and touch: from its start to the next row's, a row's bits hold. */
function flatten(lists: readonly ListContent[], family: 4 | 6): FlatRow[] {
  const borders = lists.flatMap(({ ranges }, list) =>
    merged(ranges.filter((range) => range.family === family)).flatMap(({ first, last }) => [
      { at: first, list, step: 1 },
      { at: last + 1n, list, step: -1 },
    ]),
  )
  borders.sort((a, b) => (a.at < b.at ? -1 : a.at > b.at ? 1 : 0))
  const count = Object.fromEntries(listKinds.map((kind) => [kind, 0])) as Record<ListKind, number>
  const rows: FlatRow[] = []
  const end = 1n << (family === 4 ? 32n : 128n)
  for (const [index, { at, list, step }] of borders.entries()) {
    count[lists[list]!.kind] += step
    if (borders[index + 1]?.at === at || at === end) continue
    const bits = bitsOf(count)
    if (bits !== (rows.at(-1)?.bits ?? 0)) rows.push({ start: at, bits })
  }
  return rows
}

function bitsOf(count: Readonly<Record<ListKind, number>>): number {
  return listKinds.reduce(
    (bits, kind) => bits | (Math.min(count[kind], isCounted(kind) ? most : 1) << shiftOf[kind]),
    0,
  )
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
