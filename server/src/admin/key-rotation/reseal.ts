// How does a row get the new data key? It is opened with the old one and sealed again, slice by slice, from where the last one ended.

import type { Logger } from 'pino'
import type { TenantKeys } from '../../core/crypto/keyring.ts'
import { keyVersionOf } from '../../core/crypto/sealed-text.ts'
import type { Database, SqlValue } from '../../core/storage/database.ts'
import type { SealedColumn } from '../../core/storage/keys/sealed-column.ts'
import { readSealedRows, sealedUpdate } from '../../core/storage/keys/sealed-rows.ts'
import { sealedColumns } from './sealed-columns.ts'

/** Small enough that neither the store nor the event loop is busy for long. A power of two: one batch, see `inFewSizes`. */
const sliceRows = 128

/** Where the next slice begins. */
export interface Position {
  /** Place in `sealedColumns`. */
  readonly column: number
  readonly after: readonly SqlValue[]
}

export const firstPosition: Position = { column: 0, after: leastOf(sealedColumns[0]) }

/** The position as it is stored: bytes become `{ "base64": … }`. */
export const positionText = ({ column, after }: Position): string =>
  JSON.stringify({
    column: nameOf(sealedColumns[column]!),
    after: after.map((value) =>
      value instanceof Uint8Array ? { base64: Buffer.from(value).toString('base64') } : value,
    ),
  })

/** A position of another version of this program, whose column does not exist here, is the first one. */
export function positionOf(text: string): Position {
  const { column, after } = JSON.parse(text) as { column: string; after: (SqlValue | { base64: string })[] }
  const place = sealedColumns.findIndex((one) => nameOf(one) === column)
  if (place === -1) return firstPosition
  return {
    column: place,
    after: after.map((value) =>
      typeof value === 'object' && value !== null && 'base64' in value
        ? new Uint8Array(Buffer.from(value.base64, 'base64'))
        : (value as SqlValue),
    ),
  }
}

/** Which table a stored position is in. */
export const tableAt = (text: string): string => sealedColumns[positionOf(text).column]!.table

export interface Slice {
  readonly rowsRead: number
  readonly rowsResealed: number
  /** Undefined after the last row of the last table. */
  readonly next?: Position
}

/** Seals the next rows of a tenant again. Of rows that change meanwhile, the change stays. */
export async function resealSlice(
  { column: place, after }: Position,
  { tenantId, version, keys }: { tenantId: string; version: number; keys: TenantKeys },
  { database, log }: { database: Database; log: Logger },
): Promise<Slice> {
  const column = sealedColumns[place]!
  const rows = await readSealedRows(database, column, { tenantId, version, after, limit: sliceRows })
  const updates = rows.flatMap((row) => {
    if (row.sealed === null) return []
    const context = column.context(tenantId, row.key)
    let content: Uint8Array
    try {
      content = keys.openBytes(row.sealed, context)
    } catch (error) {
      // Where rows do not name their tenant, it is a row of another one.
      if (column.tenant !== undefined)
        log.warn({ err: error, table: column.table }, 'a row cannot be opened, so it stays as it is')
      return []
    }
    const sealed = keys.seal(content, context)
    if (keyVersionOf(sealed) === version) throw new Error('this server still seals with the old data key')
    return [sealedUpdate(column, tenantId, row, sealed)]
  })
  for (const part of inFewSizes(updates)) await database.batch(part)
  const last = rows.at(-1)
  const isEnd = rows.length < sliceRows || !last
  const next = isEnd ? startOf(place + 1) : { column: place, after: last.key }
  return { rowsRead: rows.length, rowsResealed: updates.length, ...(next && { next }) }
}

/** Parts of 128, 64 … 1 rows. PostgreSQL keeps a statement for each number of rows, on every connection: a megabyte for 128. */
function inFewSizes<T>(all: readonly T[]): T[][] {
  const parts: T[][] = []
  for (let from = 0; from < all.length; ) {
    const size = 2 ** Math.floor(Math.log2(all.length - from))
    parts.push(all.slice(from, from + size))
    from += size
  }
  return parts
}

function startOf(place: number): Position | undefined {
  const column = sealedColumns[place]
  return column && { column: place, after: leastOf(column) }
}

function leastOf(column: SealedColumn | undefined): SqlValue[] {
  return column ? Object.values(column.key) : []
}

const nameOf = ({ table, column }: SealedColumn) => `${table}.${column}`
