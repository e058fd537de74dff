// Which published lists name an IP address? All lists in one sorted file: ranges, and the lists that name each range.

import Type, { type Static } from 'typebox'
import type { Address } from '../../core/address/address.ts'
import { crawlerNames, type ListKind, listKinds } from '../../core/config/ip-data-settings.ts'
import { encodeStoredFile, readStoredFile, type StoredFormat } from '../../core/files/stored-file.ts'
import { compileOnUse } from '../../core/json/compile-on-use.ts'
import { lastRangeFrom } from '../sorted-addresses.ts'
import { isOutdated } from './list-age.ts'

/** A list in the file. */
export const StoredList = Type.Object({
  name: Type.String(),
  kind: Type.Enum(listKinds),
  /** The crawler, for the kind `crawler`. */
  crawler: Type.Optional(Type.Enum(crawlerNames)),
  /** When it was fetched, in epoch milliseconds. */
  datedMs: Type.Number(),
  /** The number of addresses and blocks. */
  entries: Type.Integer(),
})
export type StoredList = Static<typeof StoredList>

/** An inclusive range of IP addresses, as numbers: up to 2^32 − 1 for IPv4, 2^128 − 1 for IPv6. */
export interface AddressRange {
  readonly family: 4 | 6
  readonly first: bigint
  readonly last: bigint
}

export interface ListContent extends StoredList {
  readonly ranges: readonly AddressRange[]
}

export interface AddressLists {
  readonly lists: readonly StoredList[]
  readonly sizeBytes: number
  /** The lists that name the address; for most addresses none. */
  find(address: Address): readonly StoredList[]
  /** What lists can say of such an address: the kinds of current ones with addresses of its family. Any other kind is not known. */
  kindsFor(address: Address, now: number): ReadonlySet<ListKind>
}

/**
 * Columns: the starts of the ranges of IPv4 (a word each), of IPv6 (four words each), then the number of each row's combination
 * of lists. There are few combinations, however many rows there are.
 */
const Head = Type.Object({
  rows4: Type.Integer({ minimum: 0 }),
  rows6: Type.Integer({ minimum: 0 }),
  /** Bytes of the number of a combination. */
  numberBytes: Type.Union([Type.Literal(2), Type.Literal(4)]),
  lists: Type.Array(StoredList),
  /** Each by the indices of its lists. */
  combinations: Type.Array(Type.Array(Type.Integer({ minimum: 0 }))),
})
const headCheck = compileOnUse(Head)

const format: StoredFormat<Static<typeof Head>> = {
  magic: 'RFIPLIST',
  version: 1,
  isHead: (value): value is Static<typeof Head> => headCheck.Check(value),
  remedy: 'Run "ringfence data update" to rebuild it.',
}

/** The bytes of the file. */
export function encodeAddressLists(lists: readonly ListContent[]): Uint8Array {
  const combinations = new Map([['', 0]])
  const v4 = flatten(lists, 4, combinations)
  const v6 = flatten(lists, 6, combinations)
  const starts = Uint32Array.from([
    ...v4.map(({ start }) => Number(start)),
    ...v6.flatMap(({ start }) => wordsOf(start)),
  ])
  const Numbers = combinations.size > 0xffff ? Uint32Array : Uint16Array
  const numbers = Numbers.from([...v4, ...v6].map(({ combination }) => combination))
  return encodeStoredFile(format, [starts, numbers], {
    rows4: v4.length,
    rows6: v6.length,
    numberBytes: Numbers.BYTES_PER_ELEMENT === 4 ? 4 : 2,
    lists: lists.map(({ ranges: _, ...list }) => list),
    combinations: [...combinations.keys()].map((key) => key.split(',').filter(Boolean).map(Number)),
  })
}

/** Reads the file into memory. Throws a DataFileError when it is missing, damaged or of another version. */
export function readAddressLists(path: string): AddressLists {
  const { sizeBytes, index, head } = readStoredFile(path, format)
  const { rows4, rows6, lists } = head
  const starts4 = new Uint32Array(index, 0, rows4)
  const starts6 = new Uint32Array(index, 4 * rows4, 4 * rows6)
  const numbers = new (head.numberBytes === 4 ? Uint32Array : Uint16Array)(
    index,
    4 * (rows4 + 4 * rows6),
    rows4 + rows6,
  )
  const combinations = head.combinations.map((combination) => combination.flatMap((list) => lists[list] ?? []))
  const listsIn = (rows: typeof numbers): readonly StoredList[] => [
    ...new Set([...new Set(rows)].flatMap((number) => combinations[number] ?? none)),
  ]
  const [lists4, lists6] = [listsIn(numbers.subarray(0, rows4)), listsIn(numbers.subarray(rows4))]
  return {
    lists,
    sizeBytes,
    find({ words }) {
      const isV4 = words.length === 1
      const row = lastRangeFrom(isV4 ? starts4 : starts6, words)
      return row < 0 ? none : (combinations[numbers[isV4 ? row : rows4 + row]!] ?? none)
    },
    kindsFor({ words }, now) {
      const current = (words.length === 1 ? lists4 : lists6).filter((list) => !isOutdated(list, now))
      return new Set(current.map(({ kind }) => kind))
    },
  }
}

const none: readonly StoredList[] = []

interface FlatRow {
  readonly start: bigint
  readonly combination: number
}

/**
 * Ascending rows without gaps. The lists of a row's combination name every address from its start to the start of the next row.
 *
 * @param combinations number of each combination by the indices of its lists; new combinations are added
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

/** Joins ranges that overlap or touch: a list that names an address twice counts once. */
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

const wordsOf = (address: bigint) => [96n, 64n, 32n, 0n].map((shift) => Number((address >> shift) & 0xffffffffn))
