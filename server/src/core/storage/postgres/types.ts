// How does a value of PostgreSQL become the value that SQLite would return?

import type { CustomTypesConfig } from 'pg'
import type { SqlValue } from '../database.ts'

/** By the object identifier of the type: `select oid, typname from pg_type`. */
const readers = new Map<number, (text: string) => SqlValue>([
  [16, (bool) => (bool === 't' ? 1 : 0)],
  [17, bytes],
  [20, safeNumber], // bigint
  [21, Number], // smallint
  [23, Number], // integer
  [26, Number], // oid
  [700, Number], // real
  [701, Number], // double precision
  [1700, safeNumber], // numeric, the type of sum(bigint)
])

/** Other types are returned as text: no Date, no parsed JSON. */
export const postgresTypes: CustomTypesConfig = {
  getTypeParser: (oid: number) => readers.get(oid) ?? ((text: string) => text),
}

/** A larger number is an error, as on SQLite. */
function safeNumber(text: string): number {
  const value = Number(text)
  if (Number.isInteger(value) && !Number.isSafeInteger(value)) {
    throw new RangeError(`Value is too large to be represented as a JavaScript number: ${text}`)
  }
  return value
}

/** bytea is `\x` and hexadecimal digits. */
function bytes(text: string): Uint8Array {
  const buffer = Buffer.from(text.slice(2), 'hex')
  return new Uint8Array(buffer.buffer, buffer.byteOffset, buffer.byteLength)
}
