// How are carrier, place and time zones by number prefix laid out in phone-metadata.bin, and read back?

import { readFileSync } from 'node:fs'
import { crc32 } from 'node:zlib'

/** What the numbers that begin with each prefix (calling code included, no plus sign) have in common: "33156" → "Paris". */
export type TextByPrefix = ReadonlyMap<string, string>

export interface PhoneMetadataSource {
  /** Package and version that the data is from. */
  readonly origin: string
  readonly carriers: TextByPrefix
  readonly places: TextByPrefix
  /** Names joined by "&". */
  readonly timeZones: TextByPrefix
}

/** A look-up table: the numbers from `starts[i]` up to `starts[i + 1]` have the text `texts[values[i]]`; 0 stands for none. */
export interface PrefixTable {
  readonly starts: Uint32Array
  readonly values: Uint32Array
}

export interface PhoneMetadataFile {
  readonly origin: string
  readonly texts: readonly string[]
  readonly carriers: PrefixTable
  readonly places: PrefixTable
  readonly timeZones: PrefixTable
}

/**
 * Layout, all words 32 bits in the machine's own byte order (the file is built where it is read):
 *
 *     magic, format version, size of the file, CRC-32 of everything after this word,
 *     rows of carriers, of places, of time zones,
 *     for each of the three: its starts, then its values,
 *     the texts in UTF-8, separated by line feeds; text 0 is the origin.
 */
const magic = 0x4d485052
/** To be raised with every change of the layout or of what is built into it, so that older files are built anew. */
const formatVersion = 1
const checkedFrom = 16
const headerBytes = 28

/** Prefixes end up to here in Google's data, and the key of so many digits fits in 32 bits. */
const keyDigits = 9

/**
 * The place of a number among all numbers and prefixes, in dictionary order: its first nine digits as a number of base 11,
 * in which 0 stands for "no further digit". So "12" comes before "120" and a number that ends early is not taken for a longer one.
 */
export function keyOf(digits: string): number {
  let key = 0
  for (let i = 0; i < keyDigits; i++) key = key * 11 + (i < digits.length ? digits.charCodeAt(i) - 47 : 0)
  return key
}

/** The text of the longest prefix of the number that the table has, as a position in the texts; 0 for none. */
export function valueAt({ starts, values }: PrefixTable, key: number): number {
  let low = 0
  let high = starts.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if (starts[middle]! <= key) low = middle + 1
    else high = middle
  }
  return low === 0 ? 0 : values[low - 1]!
}

/** The bytes of the file. Throws on data that the format cannot hold. */
export function encodePhoneMetadata(source: PhoneMetadataSource): Uint8Array {
  const texts = [source.origin]
  const positions = new Map<string, number>()
  const intern = (text: string) => {
    const known = positions.get(text)
    if (known !== undefined) return known
    if (text === '' || text.includes('\n'))
      throw new Error(`Phone metadata cannot hold the text ${JSON.stringify(text)}`)
    positions.set(text, texts.length)
    return texts.push(text) - 1
  }
  const tables = [source.carriers, source.places, source.timeZones].map((prefixes) => tableOf(prefixes, intern))
  const words = tables.flatMap(({ starts, values }) => [starts, values])
  const body = Buffer.concat([
    bytesOf(Uint32Array.from(tables, ({ starts }) => starts.length)),
    ...words.map(bytesOf),
    Buffer.from(texts.join('\n')),
  ])
  const header = Uint32Array.of(magic, formatVersion, checkedFrom + body.length, crc32(body))
  return Buffer.concat([bytesOf(header), body])
}

/**
 * Reads the file back. Throws with the reason and the remedy when it is missing, cut short, damaged or of another version.
 */
export function readPhoneMetadata(path: string): PhoneMetadataFile {
  const refuse = (reason: string, options?: ErrorOptions) =>
    new Error(`The phone metadata file ${path} ${reason}. Run "npm run prepare" to build it anew.`, options)
  let file: Uint8Array<ArrayBuffer>
  try {
    // A copy, so that the words lie at multiples of four bytes whatever buffer Node read into.
    file = new Uint8Array(readFileSync(path))
  } catch (cause) {
    throw refuse('cannot be read', { cause })
  }
  if (file.length < headerBytes) throw refuse(`is cut short (${file.length} bytes)`)
  const [mark, version, size, checksum, ...rows] = new Uint32Array(file.buffer, 0, headerBytes / 4)
  if (mark !== magic) throw refuse('is not a phone metadata file of this kind of machine')
  if (version !== formatVersion) throw refuse(`has format ${version}, and this version reads format ${formatVersion}`)
  if (size !== file.length) throw refuse(`has ${file.length} bytes instead of ${size}`)
  if (crc32(file.subarray(checkedFrom)) !== checksum) throw refuse('is damaged (its checksum differs)')
  let offset = headerBytes
  const nextWords = (count: number) => {
    const words = new Uint32Array(file.buffer, offset, count)
    offset += words.byteLength
    return words
  }
  const [carriers, places, timeZones] = rows.map((count) => ({ starts: nextWords(count), values: nextWords(count) }))
  const texts = new TextDecoder().decode(file.subarray(offset)).split('\n')
  return { origin: texts[0]!, texts, carriers: carriers!, places: places!, timeZones: timeZones! }
}

/** Turns nested prefixes into ranges that lie side by side, so that one binary search finds the longest prefix. */
function tableOf(prefixes: TextByPrefix, intern: (text: string) => number): PrefixTable {
  const starts: number[] = []
  const values: number[] = []
  const begin = (start: number, value: number) => {
    if (starts.at(-1) === start) {
      starts.pop()
      values.pop()
    }
    if ((values.at(-1) ?? 0) === value) return
    starts.push(start)
    values.push(value)
  }
  const ranges = [...prefixes].map(([prefix, text]) => ({ ...rangeOf(prefix), value: intern(text) }))
  ranges.sort((a, b) => a.start - b.start)
  /** The ranges around the place that the sweep has reached, the innermost last. */
  const open: typeof ranges = []
  const closeUpTo = (key: number) => {
    for (let inner = open.at(-1); inner && inner.end <= key; inner = open.at(-1)) {
      open.pop()
      begin(inner.end, open.at(-1)?.value ?? 0)
    }
  }
  for (const range of ranges) {
    closeUpTo(range.start)
    begin(range.start, range.value)
    open.push(range)
  }
  closeUpTo(Number.POSITIVE_INFINITY)
  return { starts: Uint32Array.from(starts), values: Uint32Array.from(values) }
}

function rangeOf(prefix: string): { start: number; end: number } {
  if (!/^[0-9]{1,9}$/.test(prefix)) throw new Error(`Phone metadata cannot hold the prefix ${JSON.stringify(prefix)}`)
  const start = keyOf(prefix)
  return { start, end: start + 11 ** (keyDigits - prefix.length) }
}

function bytesOf(words: Uint32Array): Uint8Array {
  return new Uint8Array(words.buffer, words.byteOffset, words.byteLength)
}
