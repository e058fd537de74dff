// What does a line of a batch say? A phone number and other columns, as CSV or NDJSON, or what is wrong with it.

import { type BatchFormat, batchLimits } from '@ringfence/contract'
import { Refusal } from '../../core/errors.ts'
import { fieldsOf, withoutApostrophe } from '../../core/files/csv-line.ts'
import type { IncomingLine } from './incoming-lines.ts'

export interface ReadLine {
  readonly phoneNumber: string
  /** In the order of `columns`; null where the line has none. */
  readonly values: readonly (string | null)[]
}

export interface LineReader {
  /** Beside the phone number; NDJSON may have more of them in later lines. */
  readonly columns: readonly string[]
  /** The line, or what is wrong with it; undefined for the header. Refuses with `batchInvalid` when no line can be read. */
  read(line: IncomingLine): ReadLine | string | undefined
}

/** `reserved`: names of columns that the results have. */
export const lineReader = (format: BatchFormat, reserved: ReadonlySet<string>): LineReader =>
  format === 'csv' ? csvReader(reserved) : ndjsonReader(reserved)

const isPhoneNumber = (name: string) => /^phone[ _-]?number$/i.test(name)

function csvReader(reserved: ReadonlySet<string>): LineReader {
  let columns: string[] = []
  let head: { separator: string; names: readonly string[]; number: number } | undefined
  return {
    get columns() {
      return columns
    },
    read({ text, mistake }) {
      if (!head) {
        if (mistake !== undefined) throw new Refusal('batchInvalid', { mistake: `line 1: ${mistake}` })
        head = headOf(text)
        columns = head.names.filter((_, place) => place !== head!.number)
        refuseColumns(columns, reserved)
        return undefined
      }
      if (mistake !== undefined) return mistake
      const fields = fieldsOf(text, head.separator)
      if (typeof fields === 'string') return fields
      const { names, number } = head
      if (fields.length !== names.length) return `the line has ${fields.length} columns; the header has ${names.length}`
      const phoneNumber = withoutApostrophe(fields[number]!).trim()
      if (phoneNumber === '') return 'the line has no phone number'
      return { phoneNumber, values: fields.filter((_, place) => place !== number).map(withoutApostrophe) }
    },
  }
}

function headOf(text: string) {
  for (const separator of [',', ';', '\t']) {
    const fields = fieldsOf(text, separator)
    if (typeof fields === 'string') continue
    const names = fields.map((name) => name.trim())
    const number = names.findIndex(isPhoneNumber)
    if (number >= 0) return { separator, names, number }
  }
  throw new Refusal('batchInvalid', {
    mistake: 'the first line of CSV must name its columns, one of them phoneNumber',
  })
}

function ndjsonReader(reserved: ReadonlySet<string>): LineReader {
  const columns: string[] = []
  return {
    columns,
    read({ text, mistake }) {
      if (mistake !== undefined) return mistake
      const parsed = parsedLine(text)
      if (typeof parsed !== 'object' || parsed === null || Array.isArray(parsed)) {
        return 'the line is not a JSON object such as {"phoneNumber":"917020141726"}'
      }
      const { phoneNumber, ...others } = parsed as Record<string, unknown>
      if (typeof phoneNumber !== 'string' || phoneNumber.trim() === '')
        return 'phoneNumber is missing, or is not a text in quotes'
      const values: (string | null)[] = []
      for (const [name, value] of Object.entries(others)) {
        const text = asText(value)
        if (text === undefined)
          return `${JSON.stringify(name.slice(0, 40))} is not a text, a safe number, true, false or null`
        let place = columns.indexOf(name)
        if (place < 0) {
          const wrong = wrongColumns([...columns, name], reserved)
          if (wrong !== undefined) return wrong
          place = columns.push(name) - 1
        }
        values[place] = text
      }
      return { phoneNumber: phoneNumber.trim(), values: Array.from(values, (value) => value ?? null) }
    },
  }
}

function parsedLine(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Null for null; undefined for what is not returned as it was sent. */
function asText(value: unknown): string | null | undefined {
  if (value === null || typeof value === 'string') return value
  if (typeof value === 'boolean') return String(value)
  return typeof value === 'number' && (!Number.isInteger(value) || Number.isSafeInteger(value))
    ? String(value)
    : undefined
}

function refuseColumns(columns: readonly string[], reserved: ReadonlySet<string>): void {
  const mistake = wrongColumns(columns, reserved)
  if (mistake !== undefined) throw new Refusal('batchInvalid', { mistake })
}

function wrongColumns(columns: readonly string[], reserved: ReadonlySet<string>): string | undefined {
  if (columns.length > batchLimits.columns)
    return `there are more than ${batchLimits.columns} columns beside phoneNumber`
  for (const [place, name] of columns.entries()) {
    if (name === '' || name.length > batchLimits.columnName)
      return `a column must have a name of 1 to ${batchLimits.columnName} characters`
    if (name === '__proto__' || reserved.has(name) || isPhoneNumber(name))
      return `a column must not be named ${name}, as one of the results is`
    if (columns.indexOf(name) !== place) return `two columns are named ${name}`
  }
  return undefined
}
