// What is in a file of entries? One value in a line, or CSV with a head: value, and optionally expires and note.

import { type ListKind, listCaps } from '@ringfence/contract'
import { fieldsOf, withoutApostrophe } from '../../core/files/csv-line.ts'
import { longestLine, textLines } from '../../core/files/text-lines.ts'
import { momentIn } from '../../core/json/existing-date.ts'
import { kindsOfLists, mistakeOf } from './kinds.ts'
import type { NewEntry } from './lists.ts'

/** A line of a file. */
export type FileLine = {
  /** From 1. */
  readonly line: number
  /** Bytes of the file up to its end. */
  readonly bytes: number
} & ({ readonly entry: NewEntry } | { readonly mistake: string })

/** An entry that expires before it is stored would stop an import. */
const soonMs = 60_000

/**
 * The entries of a file and what is wrong with its other lines. Empty lines, and lines that begin with #, are left out. `now` tells
 * which entries have expired. @throws Error of the file system
 */
export async function* linesOf(
  source: AsyncIterable<Uint8Array>,
  kind: ListKind,
  now: () => number,
): AsyncGenerator<FileLine> {
  let columns: Columns | undefined
  for await (const { text, line, bytes } of textLines(source)) {
    const trimmed = text.trim()
    if (trimmed === '' || trimmed.startsWith('#')) continue
    if (text.length > longestLine) {
      yield { line, bytes, mistake: `more than ${longestLine} characters` }
      continue
    }
    if (!columns) {
      columns = columnsOf(trimmed)
      if (columns.isHead) continue
    }
    const read = entryOf(text, columns, kind, now())
    yield typeof read === 'string' ? { line, bytes, mistake: read } : { line, bytes, entry: read }
  }
}

interface Columns {
  /** Whether the first line is a head, and so the file CSV. */
  readonly isHead: boolean
  readonly separator?: ',' | ';' | '\t'
  readonly value: number
  readonly expires: number
  readonly note: number
}

const plain: Columns = { isHead: false, value: 0, expires: -1, note: -1 }

/** A head names the columns: `value,expires,note`, in any order, with any others. */
function columnsOf(first: string): Columns {
  for (const separator of [',', ';', '\t'] as const) {
    const names = first.split(separator).map((name) =>
      name
        .trim()
        .replace(/^"(.*)"$/, '$1')
        .toLowerCase(),
    )
    const value = names.indexOf('value')
    if (value < 0) continue
    const expires = names.findIndex((name) => name === 'expires' || name === 'expiresat')
    return { isHead: true, separator, value, expires, note: names.indexOf('note') }
  }
  return plain
}

function entryOf(text: string, columns: Columns, kind: ListKind, now: number): NewEntry | string {
  const read = columns.separator === undefined ? [text] : fieldsOf(text, columns.separator)
  if (typeof read === 'string') return read
  const fields = columns.separator === undefined ? read : read.map(withoutApostrophe)
  const value = (fields[columns.value] ?? '').trim()
  if (value === '') return 'there is no value'
  if (kindsOfLists[kind].entry(value) === undefined) {
    return `${JSON.stringify(value.slice(0, 40))} is not of this list, which ${mistakeOf(kind, value)}`
  }
  const note = (fields[columns.note] ?? '').trim()
  if (note.length > listCaps.noteLength) return `the note has more than ${listCaps.noteLength} characters`
  // biome-ignore lint/suspicious/noControlCharactersInRegex: terminals would run them
  if (/[\u0000-\u001f\u007f-\u009f]/.test(note)) return 'the note has control characters'
  const when = (fields[columns.expires] ?? '').trim()
  const expiresAt = momentIn(when)
  if (when !== '' && expiresAt === undefined) {
    return `${JSON.stringify(when.slice(0, 40))} is not a date, such as 2027-01-31 or 2027-01-31T12:00:00Z`
  }
  if (expiresAt !== undefined && expiresAt <= now + soonMs) return `it expired at ${when.slice(0, 40)}, or is about to`
  return { value, ...(note !== '' && { note }), ...(expiresAt !== undefined && { expiresAt }) }
}
