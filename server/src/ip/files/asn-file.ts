// How are address ranges and the autonomous systems that announce them laid out in asn.bin, and read back?

import { closeSync, fstatSync, openSync, readFileSync, readSync } from 'node:fs'
import { crc32 } from 'node:zlib'
import type { Address } from '../address.ts'
import type { AutonomousSystem } from '../place.ts'
import { AddressFileError } from './address-file-error.ts'

/** An inclusive range of addresses, as words of 32 bits: one each for IPv4, four for IPv6. */
export interface AnnouncedRange extends AutonomousSystem {
  readonly first: readonly number[]
  readonly last: readonly number[]
  readonly name: string
}

export interface AsnSource {
  /** Package and version that the data are from. */
  readonly origin: string
  /** Ascending within each family. Where ranges overlap, the later one begins and the earlier one ends. */
  readonly ranges: Iterable<AnnouncedRange>
}

export interface AsnFile {
  readonly origin: string
  readonly sizeBytes: number
  /** Number of ranges. */
  readonly ranges: number
  /** Who announces the address, and the length of the longest block around it that lies in the announced range. */
  find(address: Address): (AutonomousSystem & { prefixLength: number }) | undefined
}

/**
 * Layout, all words 32 bits in the machine's own byte order (the file is built where it is read):
 *
 *     magic, format version, size of the file, CRC-32 of everything after this word,
 *     number of ranges, rows of IPv4, rows of IPv6, number of systems,
 *     for each family: the starts, then the system of each row; the addresses from `starts[i]` up to `starts[i + 1]` have the
 *     system `systems[i]`; 0 stands for none,
 *     for each system: its AS number, then where its name ends in the names,
 *     the names in UTF-8; the name of system 0 is the origin.
 */
const magic = 0x4e534152
/** To be raised with every change of the layout or of what is built into it, so that older files are built anew. */
const formatVersion = 1
const checkedFrom = 16
const headerBytes = 32

interface Rows {
  /** Words of an address: 1 or 4. */
  readonly width: number
  readonly starts: Uint32Array
  readonly systems: Uint32Array
}

/** The bytes of the file. Throws on ranges that do not ascend. */
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
  const body = Buffer.concat([
    bytesOf([count, v4!.systems.length, v6!.systems.length, names.length]),
    ...[v4!.starts, v4!.systems, v6!.starts, v6!.systems, numbers, nameEnds].map(bytesOf),
    ...encodedNames,
  ])
  return Buffer.concat([bytesOf([magic, formatVersion, checkedFrom + body.length, crc32(body)]), body])
}

/** Throws an AddressFileError when the file is missing, cut short or of another version; reads but its first bytes. */
export function checkAsnFile(path: string): void {
  let file: number
  try {
    file = openSync(path, 'r')
  } catch (cause) {
    throw refusal(path, `cannot be read (${(cause as NodeJS.ErrnoException).code})`, cause)
  }
  try {
    const header = new Uint8Array(headerBytes)
    const bytesRead = readSync(file, header)
    checkHeader(path, header.subarray(0, bytesRead), fstatSync(file).size)
  } finally {
    closeSync(file)
  }
}

/** Reads the file back. Throws as `checkAsnFile`, and when it is damaged. */
export function readAsnFile(path: string): AsnFile {
  checkAsnFile(path)
  // A copy, so that the words lie at multiples of four bytes whatever buffer Node read into.
  const file = new Uint8Array(readFileSync(path))
  const { checksum, ranges, rows4, rows6, systemCount } = checkHeader(path, file, file.length)
  if (crc32(file.subarray(checkedFrom)) !== checksum) throw refusal(path, 'is damaged (its checksum differs)')
  let offset = headerBytes
  const nextWords = (count: number) => {
    const words = new Uint32Array(file.buffer, offset, count)
    offset += words.byteLength
    return words
  }
  const v4: Rows = { width: 1, starts: nextWords(rows4), systems: nextWords(rows4) }
  const v6: Rows = { width: 4, starts: nextWords(4 * rows6), systems: nextWords(rows6) }
  const numbers = nextWords(systemCount)
  const nameEnds = nextWords(systemCount)
  const names = Buffer.from(file.buffer, offset)
  const nameOf = (system: number) => names.toString('utf8', system === 0 ? 0 : nameEnds[system - 1]!, nameEnds[system]!)
  return {
    origin: nameOf(0),
    sizeBytes: file.length,
    ranges,
    find({ words }) {
      const rows = words.length === 1 ? v4 : v6
      const row = lastAtMost(rows, words)
      const system = row < 0 ? 0 : rows.systems[row]!
      if (system === 0) return undefined
      return { asn: numbers[system]!, name: nameOf(system), prefixLength: prefixLengthWithin(rows, row, words) }
    },
  }
}

function checkHeader(path: string, file: Uint8Array<ArrayBuffer>, sizeBytes: number) {
  if (file.length < headerBytes) throw refusal(path, `is cut short (${sizeBytes} bytes)`)
  const [mark, version, size, checksum, ranges = 0, rows4 = 0, rows6 = 0, systemCount = 0] = new Uint32Array(
    file.buffer,
    0,
    headerBytes / 4,
  )
  if (mark !== magic) throw refusal(path, 'is not an ASN file of this kind of machine')
  if (version !== formatVersion)
    throw refusal(path, `has format ${version}, and this version reads format ${formatVersion}`)
  if (size !== sizeBytes) throw refusal(path, `has ${sizeBytes} bytes instead of ${size}`)
  return { checksum, ranges, rows4, rows6, systemCount }
}

function refusal(path: string, reason: string, cause?: unknown): AddressFileError {
  return new AddressFileError(path, reason, 'Run "npm run prepare" to build it anew.', { cause })
}

/** Rows that grow by one range after the other; the space between two ranges becomes a row without a system. */
function growingRows(width: 1 | 4) {
  const starts: number[] = []
  const systems: number[] = []
  /** The first address after the last range; undefined when that reached the end of all addresses. */
  let next: Uint32Array | undefined
  const begin = (start: ArrayLike<number>, system: number) => {
    starts.push(...Array.from(start))
    systems.push(system)
  }
  return {
    add(first: readonly number[], last: readonly number[], system: number) {
      const previous = starts.slice(-width)
      if ((previous.length > 0 && compare(first, previous) <= 0) || compare(last, first) < 0) {
        throw new Error(`The ranges do not ascend at ${first.join(' ')}`)
      }
      if (next && compare(next, first) < 0) begin(next, 0)
      begin(first, system)
      next = neighbour(last, 1)
    },
    rows(): Rows {
      if (next) begin(next, 0)
      return { width, starts: Uint32Array.from(starts), systems: Uint32Array.from(systems) }
    },
  }
}

/** The last row that begins at or before the address; −1 when all begin after it. */
function lastAtMost({ width, starts, systems }: Rows, words: readonly number[]): number {
  let low = 0
  let high = systems.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if (compare(words, starts, middle * width) >= 0) low = middle + 1
    else high = middle
  }
  return low - 1
}

/** A block around the address lies in its row unless it reaches the address before the row or the first one of the next row. */
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

/** The address one after (1) or one before (−1); undefined beyond the first and the last of all. */
function neighbour(words: ArrayLike<number>, step: 1 | -1): Uint32Array | undefined {
  const result = Uint32Array.from(words)
  const turn = step === 1 ? 0xffffffff : 0
  for (let i = words.length - 1; i >= 0; i--) {
    result[i]! += step // wraps around
    if (words[i] !== turn) return result
  }
  return undefined
}

/** Negative when `a` is the lower address; `b` stands from `at` on. */
function compare(a: ArrayLike<number>, b: ArrayLike<number>, at = 0): number {
  for (let i = 0; i < a.length; i++) {
    const difference = a[i]! - b[at + i]!
    if (difference !== 0) return difference
  }
  return 0
}

function bytesOf(words: ArrayLike<number>): Uint8Array {
  const array = words instanceof Uint32Array ? words : Uint32Array.from(words)
  return new Uint8Array(array.buffer, array.byteOffset, array.byteLength)
}
