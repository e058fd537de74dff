// Which messages do the main thread and the writer thread exchange on SQLite? Short ones, since both pay for every byte.

import type { Row, SqlValue } from '../database.ts'
import type { Failure } from './errors.ts'

export interface Write {
  /** The text of a statement, or its number if the writer has received it before. */
  readonly sql: string | number
  readonly params: readonly SentValue[]
  /** The batch of this write is undone when it returns no row. */
  readonly required?: boolean
}

/** Writes that succeed or fail together. */
export type WriteBatch = readonly Write[]

/** Bytes are sent as Latin-1 text, which costs a third; the list distinguishes them from text. */
export type SentValue = Exclude<SqlValue, Uint8Array> | readonly [latin1: string]

export type WriterRequest =
  /** Statements and batches that share one commit but fail separately. */
  | { readonly do: 'group'; readonly writes: readonly (Write | WriteBatch)[] }
  /** One transaction, step by step. */
  | { readonly do: 'begin' | 'commit' | 'rollback' }
  | { readonly do: 'statement'; readonly write: Write }
  /** open: opens the file before the first write. close: closes it and ends the thread. */
  | { readonly do: 'open' | 'close' }
  /** Copies the log into the file and cuts it off. */
  | { readonly do: 'cutLog' }

/** Rows, or a failure. Null means no rows; it is cheaper to send. */
export type WriteResult = Row[] | null | Failure

/** Copies bytes, so the caller may reuse its buffer. */
export const sent = (value: SqlValue): SentValue =>
  value instanceof Uint8Array
    ? [Buffer.from(value.buffer, value.byteOffset, value.byteLength).toString('latin1')]
    : value

export const received = (value: SentValue): SqlValue =>
  typeof value === 'object' && value !== null ? Buffer.from(value[0], 'latin1') : value

/** Replaces texts that were sent before with their numbers, and adds new texts to `known`. */
export function withoutKnownTexts(request: WriterRequest, known: Map<string, number>): WriterRequest {
  const shortened = ({ sql, ...rest }: Write): Write => {
    const number = typeof sql === 'string' ? known.get(sql) : sql
    if (number === undefined) known.set(sql as string, known.size)
    return { sql: number ?? sql, ...rest }
  }
  if (request.do === 'group') {
    return { do: 'group', writes: request.writes.map((one) => ('sql' in one ? shortened(one) : one.map(shortened))) }
  }
  return request.do === 'statement' ? { do: 'statement', write: shortened(request.write) } : request
}
