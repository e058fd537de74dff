// Which network operator announces each range of IP addresses? asn.bin: how it is built, and how a look-up reads it.

import Type from 'typebox'
import type { Address } from '../../core/address/address.ts'
import { checkStoredFile, encodeStoredFile, readStoredFile, type StoredFormat } from '../../core/files/stored-file.ts'
import { compileOnUse } from '../../core/json/compile-on-use.ts'
import type { AutonomousSystem } from '../place.ts'
import { compareAddresses, lastRangeFrom } from '../sorted-addresses.ts'

/** An inclusive range of IP addresses, in words of 32 bits: one for IPv4, four for IPv6. */
export interface AnnouncedRange extends AutonomousSystem {
  readonly first: readonly number[]
  readonly last: readonly number[]
  readonly name: string
}

export interface AsnSource {
  /** Package and version of the source. */
  readonly origin: string
  /** Ascending within each family. Where ranges overlap, the earlier one ends and the later one begins. */
  readonly ranges: Iterable<AnnouncedRange>
}

export interface AsnFile {
  readonly origin: string
  readonly sizeBytes: number
  /** The number of ranges. */
  readonly ranges: number
  /** The announcing network operator, and the length of the longest block around the address within the announced range. */
  find(address: Address): (AutonomousSystem & { prefixLength: number }) | undefined
  /** Its number alone: no text is made. */
  asnOf(address: Address): number | undefined
}

/**
 * Columns in words of 32 bits:
 * - for each family the starts of its rows, then the system of each row. The addresses from `starts[i]` up to `starts[i + 1]`
 *   belong to the system `systems[i]`; 0 means none.
 * - for each system its AS number
 * - for each system the end of its name in the names
 *
 * The names follow in UTF-8. The name of system 0 is the origin.
 */
const AsnHead = compileOnUse(
  Type.Object({
    ranges: Type.Integer({ minimum: 0 }),
    rows4: Type.Integer({ minimum: 0 }),
    rows6: Type.Integer({ minimum: 0 }),
    systems: Type.Integer({ minimum: 1 }),
  }),
)
interface AsnHead {
  ranges: number
  rows4: number
  rows6: number
  systems: number
}

const format: StoredFormat<AsnHead> = {
  magic: 'RFASNETS',
  version: 1,
  isHead: (value): value is AsnHead => AsnHead.Check(value),
  remedy: 'Install Ringfence again; in a clone, run "npm run prepare".',
}

interface Rows {
  /** Words of an address. */
  readonly width: number
  readonly starts: Uint32Array
  readonly systems: Uint32Array
}

/** The bytes of the file. Throws when the ranges do not ascend. */
export function encodeAsnFile({ origin, ranges }: AsnSource): Uint8Array {
  const families = [growingRows(1), growingRows(4)] as const
  const numbers = [0]
  const names = [origin]
  const known = new Map<string, number>()
  let count = 0
  for (const { first, last, asn, name } of ranges) {
    const key = `${asn} ${name}`
    let system = known.get(key)
    if (system === undefined) {
      system = names.push(name) - 1
      numbers.push(asn)
      known.set(key, system)
    }
    families[first.length === 1 ? 0 : 1].add(first, last, system)
    count++
  }
  const encodedNames = names.map((name) => Buffer.from(name))
  let end = 0
  const nameEnds = encodedNames.map((name) => {
    end += name.length
    return end
  })
  const [v4, v6] = families.map((family) => family.rows())
  return encodeStoredFile(
    format,
    [
      v4!.starts,
      v4!.systems,
      v6!.starts,
      v6!.systems,
      Uint32Array.from(numbers),
      Uint32Array.from(nameEnds),
      ...encodedNames,
    ],
    { ranges: count, rows4: v4!.systems.length, rows6: v6!.systems.length, systems: names.length },
  )
}

/** Throws a DataFileError when the file is missing, truncated or of another version. Reads the footer only. */
export const checkAsnFile = (path: string): void => checkStoredFile(path, format)

/** Reads the file into memory. Throws a DataFileError when it cannot be used. */
export function readAsnFile(path: string): AsnFile {
  const { sizeBytes, index, head } = readStoredFile(path, format)
  let offset = 0
  const nextWords = (count: number) => {
    const words = new Uint32Array(index, offset, count)
    offset += words.byteLength
    return words
  }
  const v4: Rows = { width: 1, starts: nextWords(head.rows4), systems: nextWords(head.rows4) }
  const v6: Rows = { width: 4, starts: nextWords(4 * head.rows6), systems: nextWords(head.rows6) }
  const numbers = nextWords(head.systems)
  const nameEnds = nextWords(head.systems)
  const names = Buffer.from(index, offset)
  const nameOf = (system: number) => names.toString('utf8', system === 0 ? 0 : nameEnds[system - 1]!, nameEnds[system]!)
  const rowsOf = (words: readonly number[]) => (words.length === 1 ? v4 : v6)
  const systemIn = ({ systems }: Rows, row: number) => (row < 0 ? 0 : systems[row]!)
  return {
    origin: nameOf(0),
    sizeBytes,
    ranges: head.ranges,
    find({ words }) {
      const rows = rowsOf(words)
      const row = lastRangeFrom(rows.starts, words)
      const system = systemIn(rows, row)
      if (system === 0) return undefined
      return { asn: numbers[system]!, name: nameOf(system), prefixLength: prefixLengthWithin(rows, row, words) }
    },
    asnOf({ words }) {
      const rows = rowsOf(words)
      return numbers[systemIn(rows, lastRangeFrom(rows.starts, words))] || undefined
    },
  }
}

/** Rows that grow range by range. The space between two ranges becomes a row without a system. */
function growingRows(width: 1 | 4) {
  const starts: number[] = []
  const systems: number[] = []
  /** The first address after the last range; undefined when the last range ends at the highest address. */
  let next: Uint32Array | undefined
  const begin = (start: ArrayLike<number>, system: number) => {
    starts.push(...Array.from(start))
    systems.push(system)
  }
  return {
    add(first: readonly number[], last: readonly number[], system: number) {
      const previous = starts.slice(-width)
      if ((previous.length > 0 && compareAddresses(first, previous) <= 0) || compareAddresses(last, first) < 0) {
        throw new Error(`The ranges do not ascend at ${first.join(' ')}`)
      }
      if (next && compareAddresses(next, first) < 0) begin(next, 0)
      begin(first, system)
      next = neighbour(last, 1)
    },
    rows(): Rows {
      if (next) begin(next, 0)
      return { width, starts: Uint32Array.from(starts), systems: Uint32Array.from(systems) }
    },
  }
}

/** A block around the address lies in its row unless it reaches the address before the row or the start of the next row. */
function prefixLengthWithin({ width, starts }: Rows, row: number, words: readonly number[]): number {
  const at = (index: number) => starts.subarray(index * width, (index + 1) * width)
  const before = neighbour(at(row), -1)
  const after = (row + 1) * width < starts.length ? at(row + 1) : undefined
  return Math.max(before ? commonBits(words, before) + 1 : 0, after ? commonBits(words, after) + 1 : 0)
}

function commonBits(a: readonly number[], b: ArrayLike<number>): number {
  let at = 0
  while (a[at] === b[at] && at < a.length - 1) at++
  return 32 * at + Math.clz32(a[at]! ^ b[at]!)
}

/** The next address (1) or the previous one (−1); undefined before the first and after the last address. */
function neighbour(words: ArrayLike<number>, step: 1 | -1): Uint32Array | undefined {
  const result = Uint32Array.from(words)
  const limit = step === 1 ? 0xffffffff : 0
  for (let i = words.length - 1; i >= 0; i--) {
    result[i]! += step // wraps around
    if (words[i] !== limit) return result
  }
  return undefined
}
