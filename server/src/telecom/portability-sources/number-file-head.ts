// Which metadata does a number file have? The `# key: value` lines above its header row, and its last line.

import Type, { type Static, type TSchema } from 'typebox'
import { Check } from 'typebox/value'
import type { CsvScanner } from './csv-scanner.ts'
import { NumberFileError, quoted } from './number-file-error.ts'
import { NUMBER_RANGE_SYNTAX, parseNumberRange } from './number-ranges.ts'

const HASH = 35
const FIRST_LINE = "the line '# ringfence: ported-numbers 1' or '# ringfence: allocation-ranges 1'"

const TIME = Type.String({ pattern: '^\\d{4}-\\d{2}-\\d{2}(T\\d{2}:\\d{2}(:\\d{2})?Z)?$' })

/** The allowed values of each key, as a schema and in words for error messages. */
const keys = {
  ringfence: {
    schema: Type.Union([Type.Literal('ported-numbers 1'), Type.Literal('allocation-ranges 1')]),
    expected: 'ported-numbers 1 or allocation-ranges 1',
  },
  source: {
    schema: Type.String({ pattern: '^[a-z0-9][a-z0-9-]{0,62}$' }),
    expected: 'a name of lower-case letters, digits and hyphens, at most 63',
  },
  'calling-code': {
    schema: Type.String({ pattern: '^[1-9][0-9]{0,2}$' }),
    expected: 'a country calling code such as 31',
  },
  'as-of': { schema: TIME, expected: 'a date or a time in UTC, such as 2026-10-31 or 2026-10-31T02:00:00Z' },
  contents: {
    schema: Type.Union([Type.Literal('full'), Type.Literal('increment')]),
    expected: 'full or increment',
  },
  follows: { schema: TIME, expected: 'the as-of of the file that this one continues, such as 2026-10-31T02:00:00Z' },
  complete: { schema: Type.String(), expected: `${NUMBER_RANGE_SYNTAX}; several are separated by spaces` },
} satisfies Record<string, { schema: TSchema; expected: string }>

type Key = keyof typeof keys
export type NumberFileKind = 'ported-numbers' | 'allocation-ranges'
export type NumberFileContents = Static<(typeof keys)['contents']['schema']>

export interface NumberFileHead {
  readonly kind: NumberFileKind
  /** Name of the data set. A newer file of the same source replaces or continues the older one. */
  readonly source: string
  readonly callingCode: string
  /** The date of the data, in epoch milliseconds. */
  readonly asOf: number
  readonly contents: NumberFileContents
  /** The `asOf` of the data that an increment continues. */
  readonly follows?: number
  /** Within these prefixes and ranges, an unlisted number is not ported (or not allocated). */
  readonly complete: readonly string[]
  /** Throws a NumberFileError, of this kind, for the line of this key. */
  refuse(key: Key, expected: string, kind?: typeof NumberFileError): never
}

const HEADER_ROWS: Record<NumberFileKind, string> = {
  'ported-numbers': 'number,operator,ported-on,action',
  'allocation-ranges': 'range,operator,line',
}

/** Reads up to the first row. Throws `NumberFileError`. */
export function readNumberFileHead(scanner: CsvScanner): NumberFileHead {
  if (!scanner.fill()) scanner.fail(0, 'an empty file', FIRST_LINE)
  skipByteOrderMark(scanner)
  const metadata = readMetadata(scanner)

  const refuse = (key: Key, expected: string, kind = NumberFileError): never => {
    const { line, column, value } = metadata.get(key)!
    throw new kind(scanner.file, line, column, quoted(value), `${key}: ${expected}`)
  }
  const one = (key: Key): string => {
    const value = metadata.get(key)?.value
    if (value === undefined) {
      scanner.fail(0, quoted(scanner.peekLine()), `a line '# ${key}: …' above it (${keys[key].expected})`)
    }
    return value
  }
  const time = (key: Key): number => utcTimeOf(one(key)) ?? refuse(key, keys[key].expected)

  const kind = one('ringfence').split(' ')[0] as NumberFileKind
  const isIncrement = kind === 'ported-numbers' && one('contents') === 'increment'
  if (kind === 'allocation-ranges' && metadata.has('contents')) {
    refuse('contents', 'no such line, as allocation ranges are always given in full')
  }
  if (!isIncrement && metadata.has('follows')) refuse('follows', 'this line in an increment only')
  if (isIncrement && metadata.has('complete')) refuse('complete', 'this line in a full file only')
  const callingCode = one('calling-code')
  const complete = metadata.get('complete')?.value.split(' ') ?? []
  for (const range of complete) {
    if (!parseNumberRange(range)) refuse('complete', `${quoted(range)} to be ${NUMBER_RANGE_SYNTAX}`)
    if (!isWithin(range, callingCode)) {
      refuse('complete', `${quoted(range)} to begin with the calling code ${callingCode}`)
    }
  }
  const head: NumberFileHead = {
    kind,
    source: one('source'),
    callingCode,
    asOf: time('as-of'),
    contents: isIncrement ? 'increment' : 'full',
    ...(isIncrement && { follows: time('follows') }),
    complete,
    refuse,
  }
  if (head.follows !== undefined && head.follows >= head.asOf) refuse('follows', `a time before ${one('as-of')}`)
  readHeaderRow(scanner, kind)
  return head
}

/** Whether all numbers of a prefix or range begin with the calling code. */
export function isWithin(range: string, callingCode: string): boolean {
  return range.split('-').every((number) => number.startsWith(callingCode))
}

/** Whether the next line is the last one: `# rows: N`. Throws when the count is wrong. */
export function atEndOfRows(scanner: CsvScanner, rows: number): boolean {
  if (scanner.peek() !== HASH) return false
  if (scanner.peekLine() !== `# rows: ${rows}`) {
    scanner.fail(0, quoted(scanner.peekLine()), `'# rows: ${rows}', the number of rows above`)
  }
  scanner.nextLine()
  if (scanner.position < scanner.end || scanner.fill()) {
    scanner.fail(0, quoted(scanner.peekLine()), "the end of the file after the line '# rows: …'")
  }
  return true
}

/** Throws for a file that ends without its last line. */
export function failCutOff(scanner: CsvScanner, rows: number): never {
  return scanner.fail(
    0,
    'the end of the file',
    `a last line '# rows: ${rows}'; without it the file may have been cut off`,
  )
}

interface MetadataLine {
  readonly value: string
  readonly line: number
  readonly column: number
}

function readMetadata(scanner: CsvScanner): Map<Key, MetadataLine> {
  const metadata = new Map<Key, MetadataLine>()
  while ((scanner.position < scanner.end || scanner.fill()) && scanner.peek() === HASH) {
    const text = scanner.peekLine()
    const [, before = '', key = '', value = ''] = /^(# ([a-z-]+): )(.*)$/.exec(text) ?? []
    if (!isKey(key)) {
      scanner.fail(0, quoted(text), `'# key: value' with one of the keys ${Object.keys(keys).join(', ')}`)
    }
    if (metadata.size === 0 && key !== 'ringfence') scanner.fail(0, quoted(text), "the line '# ringfence: …' first")
    const known = metadata.get(key)
    if (known && key !== 'complete') scanner.fail(0, quoted(text), `one line '# ${key}: …'`)
    if (!Check(keys[key].schema, value)) scanner.fail(before.length, quoted(value), `${key}: ${keys[key].expected}`)
    metadata.set(key, {
      value: known ? `${known.value} ${value}` : value,
      line: scanner.line,
      column: before.length + 1,
    })
    scanner.nextLine()
  }
  if (metadata.size === 0) scanner.fail(0, quoted(scanner.peekLine()), FIRST_LINE)
  if (scanner.position >= scanner.end) scanner.fail(0, 'the end of the file', 'the header row')
  return metadata
}

function isKey(key: string): key is Key {
  return Object.hasOwn(keys, key)
}

function readHeaderRow(scanner: CsvScanner, kind: NumberFileKind): void {
  const row = scanner.peekLine()
  if (row !== HEADER_ROWS[kind]) scanner.fail(0, quoted(row), `the header row '${HEADER_ROWS[kind]}'`)
  scanner.nextLine()
}

function skipByteOrderMark(scanner: CsvScanner): void {
  if (scanner.bytes[0] !== 0xef || scanner.bytes[1] !== 0xbb || scanner.bytes[2] !== 0xbf) return
  scanner.position = 3
  scanner.lineStart = 3
}

/** A date or a time in UTC as epoch milliseconds; undefined for another form, and for a day or an hour that does not exist. */
export function utcTimeOf(text: string): number | undefined {
  const time = Check(TIME, text) ? Date.parse(text) : Number.NaN
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(text.replace('Z', '')) ? time : undefined
}
