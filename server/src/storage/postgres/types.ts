// How does a value of PostgreSQL become one that both engines return alike?

import type { CustomTypesConfig } from 'pg'
import type { SqlValue } from '../database.ts'

/** By object identifier of the type, as `select oid, typname from pg_type` lists them. */
const readers = new Map<number, (text: string) => SqlValue>([
  [16, (bool) => (bool === 't' ? 1 : 0)],
  [17, bytes],
  [20, safeNumber], // bigint
  [21, Number], // smallint
  [23, Number], // integer
  [26, Number], // oid
  [700, Number], // real
  [701, Number], // double precision
  [1700, safeNumber], // numeric, which is what sum(bigint) gives
])

/** Everything else is text as PostgreSQL writes it: no Date, no parsed JSON. */
export const postgresTypes: CustomTypesConfig = {
  getTypeParser: (oid: number) => readers.get(oid) ?? ((text: string) => text),
}

/** SQLite refuses to read a larger one too, rather than to return another number. */
function safeNumber(text: string): number {
  const value = Number(text)
  if (Number.isInteger(value) && !Number.isSafeInteger(value)) {
    throw new RangeError(`Value is too large to be represented as a JavaScript number: ${text}`)
  }
  return value
}

/** bytea is written as `\x` and hexadecimal digits. */
function bytes(text: string): Uint8Array {
  const buffer = Buffer.from(text.slice(2), 'hex')
  return new Uint8Array(buffer.buffer, buffer.byteOffset, buffer.byteLength)
}
