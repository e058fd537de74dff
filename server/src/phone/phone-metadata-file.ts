// Which carrier, place and time zones belong to a number prefix? phone-metadata.bin: how it is built, and how a look-up reads it.

import Type, { type Static } from 'typebox'
import { lastAtMost } from '../core/files/sorted-search.ts'
import { encodeStoredFile, readStoredFile, type StoredFormat } from '../core/files/stored-file.ts'
import { compileOnUse } from '../core/json/compile-on-use.ts'

/** The text of all numbers that begin with a prefix (with calling code, without plus sign): "33156" → "Paris". */
export type TextByPrefix = ReadonlyMap<string, string>

export interface PhoneMetadataSource {
  /** Package and version of the source. */
  readonly origin: string
  readonly carriers: TextByPrefix
  readonly places: TextByPrefix
  /** Names joined by "&". */
  readonly timeZones: TextByPrefix
}

/** A look-up table: the numbers from `starts[i]` up to `starts[i + 1]` have the text `texts[values[i]]`; 0 means none. */
export interface PrefixTable {
  readonly starts: Uint32Array
  readonly values: Uint32Array
}

export interface PhoneMetadataFile {
  readonly origin: string
  /** Decodes a text of a table. */
  textAt(position: number): string
  readonly carriers: PrefixTable
  readonly places: PrefixTable
  readonly timeZones: PrefixTable
}

/**
 * Columns in words of 32 bits: the starts and the values of each table, then the end of each text in the texts. The texts follow in
 * UTF-8. Text 0 is the origin.
 */
const Head = Type.Object({
  carriers: Type.Integer({ minimum: 0 }),
  places: Type.Integer({ minimum: 0 }),
  timeZones: Type.Integer({ minimum: 0 }),
  texts: Type.Integer({ minimum: 1 }),
})
const headCheck = compileOnUse(Head)

const format: StoredFormat<Static<typeof Head>> = {
  magic: 'RFPHONES',
  version: 2,
  isHead: (value): value is Static<typeof Head> => headCheck.Check(value),
  remedy: 'Install Ringfence again; in a clone, run "npm run prepare".',
}

/** The longest prefix in Google's data has nine digits, and the key of nine digits fits in 32 bits. */
const keyDigits = 9

/**
 * Orders numbers and prefixes as a dictionary does: the first nine digits as a number of base 11, where 0 means "no further
 * digit". So "12" comes before "120", and a short number never matches a longer prefix.
 */
export function keyOf(digits: string): number {
  let key = 0
  for (let i = 0; i < keyDigits; i++) key = key * 11 + (i < digits.length ? digits.charCodeAt(i) - 47 : 0)
  return key
}

/** Finds the longest prefix of the number. Returns the position of its text, or 0 for none. */
export function valueAt({ starts, values }: PrefixTable, key: number): number {
  const row = lastAtMost(starts, key)
  return row < 0 ? 0 : values[row]!
}

/** The bytes of the file. Throws for data that the format cannot hold. */
export function encodePhoneMetadata(source: PhoneMetadataSource): Uint8Array {
  const texts = [source.origin]
  const positions = new Map<string, number>()
  const intern = (text: string) => {
    const known = positions.get(text)
    if (known !== undefined) return known
    if (text === '') throw new Error('Phone metadata cannot hold the text ""')
    positions.set(text, texts.length)
    return texts.push(text) - 1
  }
  const [carriers, places, timeZones] = [source.carriers, source.places, source.timeZones].map((prefixes) =>
    tableOf(prefixes, intern),
  ) as [PrefixTable, PrefixTable, PrefixTable]
  const words = [carriers, places, timeZones].flatMap(({ starts, values }) => [starts, values])
  const encoded = texts.map((text) => Buffer.from(text))
  let end = 0
  const ends = Uint32Array.from(encoded, ({ length }) => {
    end += length
    return end
  })
  return encodeStoredFile(format, [...words, ends, ...encoded], {
    carriers: carriers.starts.length,
    places: places.starts.length,
    timeZones: timeZones.starts.length,
    texts: texts.length,
  })
}

/** Reads the file into memory. Throws a DataFileError when it is missing, truncated, altered or of another version. */
export function readPhoneMetadata(path: string): PhoneMetadataFile {
  const { index, indexBytes, head } = readStoredFile(path, format)
  let offset = 0
  const nextWords = (count: number) => {
    const words = new Uint32Array(index, offset, count)
    offset += words.byteLength
    return words
  }
  const nextTable = (rows: number): PrefixTable => ({ starts: nextWords(rows), values: nextWords(rows) })
  const carriers = nextTable(head.carriers)
  const places = nextTable(head.places)
  const timeZones = nextTable(head.timeZones)
  const ends = nextWords(head.texts)
  // Decoded when they are read: as strings, all of them would take four times the file.
  const texts = Buffer.from(index, offset, indexBytes - offset)
  const textAt = (position: number) => texts.toString('utf8', position === 0 ? 0 : ends[position - 1], ends[position])
  return { origin: textAt(0), textAt, carriers, places, timeZones }
}

/** Flattens nested prefixes into adjacent ranges, so that one binary search finds the longest prefix. */
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
  /** The ranges around the current position, the innermost last. */
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
