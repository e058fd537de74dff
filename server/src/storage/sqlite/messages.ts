// What do the main thread and the thread that writes say to each other on SQLite? Little, as each of them pays for every byte.

import type { Row, SqlValue } from '../database.ts'
import type { Failure } from './errors.ts'

export interface Write {
  /** The text of a statement that is new to the writer; of one that it has had, how many texts came before. */
  readonly sql: string | number
  readonly params: readonly SentValue[]
}

/** Bytes go as Latin-1 text, in a list so that they are told from text: as bytes they would cost three times as much. */
export type SentValue = Exclude<SqlValue, Uint8Array> | readonly [latin1: string]

export type WriterRequest =
  /** Statements that share one commit and fail each alone. */
  | { readonly do: 'group'; readonly writes: readonly Write[] }
  /** One transaction, step by step. */
  | { readonly do: 'begin' | 'commit' | 'rollback' }
  | { readonly do: 'statement'; readonly write: Write }
  /** Opens the file now instead of at the first write; closes it and ends the thread. */
  | { readonly do: 'open' | 'close' }

/** Rows, or why there are none. Null stands for no rows and is cheaper to send. */
export type Outcome = Row[] | null | Failure

/** A copy: the caller may use its bytes again. */
export const sent = (value: SqlValue): SentValue =>
  value instanceof Uint8Array
    ? [Buffer.from(value.buffer, value.byteOffset, value.byteLength).toString('latin1')]
    : value

export const received = (value: SentValue): SqlValue =>
  typeof value === 'object' && value !== null ? Buffer.from(value[0], 'latin1') : value

/** The request with numbers in place of the texts that were sent before, which it remembers those of. */
export function withoutKnownTexts(request: WriterRequest, known: Map<string, number>): WriterRequest {
  const shortened = ({ sql, params }: Write): Write => {
    const number = typeof sql === 'string' ? known.get(sql) : sql
    if (number === undefined) known.set(sql as string, known.size)
    return { sql: number ?? sql, params }
  }
  if (request.do === 'group') return { do: 'group', writes: request.writes.map(shortened) }
  return request.do === 'statement' ? { do: 'statement', write: shortened(request.write) } : request
}
