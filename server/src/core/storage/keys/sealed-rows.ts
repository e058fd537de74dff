// Which rows are sealed with which version of a data key? Reads and replaces sealed texts of any table, in slices.

import type { BatchStatement, Queryable, Row, SqlValue } from '../database.ts'
import { tenantHash } from '../short-keys.ts'

export interface SealedTable {
  readonly table: string
  readonly column: string
  /** The column with the tenant, and what it contains; absent where rows do not name their tenant. */
  readonly tenant?: 'tenant_id' | 'tenant_hash'
  /** The primary key without the tenant, and a value below all others of each column. */
  readonly key: Readonly<Record<string, SqlValue>>
}

export interface SealedRow {
  /** The values of the primary key, in the order of `key`. */
  readonly key: readonly SqlValue[]
  /** Null when the text is missing or has another version. */
  readonly sealed: Uint8Array | null
}

interface SliceOfRows {
  readonly tenantId: string
  readonly after: readonly SqlValue[]
  readonly limit: number
}

/** The next rows after `after`, in the order of the key. */
export function readSealedRows(
  database: Queryable,
  table: SealedTable,
  { version, ...slice }: SliceOfRows & { readonly version: number },
): Promise<SealedRow[]> {
  return read(
    database,
    table,
    slice,
    (place) => `case when substr(${table.column}, 1, 1) = ${place} then ${table.column} end`,
    [Uint8Array.of(version)],
  )
}

/** As `readSealedRows`, whichever version sealed them. */
export const readEverySealedRow = (database: Queryable, table: SealedTable, slice: SliceOfRows): Promise<SealedRow[]> =>
  read(database, table, slice, () => table.column, [])

/** A table with one row for each tenant has no other key. */
async function read(
  database: Queryable,
  { table, tenant, key }: SealedTable,
  { tenantId, after, limit }: SliceOfRows,
  sealedText: (place: string) => string,
  params: readonly SqlValue[],
): Promise<SealedRow[]> {
  const names = Object.keys(key)
  const list = names.join(', ')
  const next = names.length + params.length + 1
  const conditions = [
    ...(names.length > 0 ? [`(${list}) > (${names.map((_, i) => `$${i + 1}`).join(', ')})`] : []),
    ...(tenant === undefined ? [] : [`${tenant} = $${next + 1}`]),
  ]
  const rows = await database.query<Row>(
    `select ${[...names, `${sealedText(`$${names.length + 1}`)} as sealed_text`].join(', ')} from ${table}
      where ${conditions.join(' and ')} ${names.length > 0 ? `order by ${list}` : ''} limit $${next}`,
    [...after, ...params, limit, ...tenantValues(tenant, tenantId)],
  )
  return rows.map((row) => ({
    key: names.map((name) => row[name]!),
    sealed: row.sealed_text as Uint8Array | null,
  }))
}

/** Replaces a text. Does nothing when the row has changed since it was read. */
export function sealedUpdate(
  { table, column, tenant, key }: SealedTable,
  tenantId: string,
  row: SealedRow,
  sealed: Uint8Array,
): BatchStatement {
  const names = Object.keys(key)
  const conditions = names.map((name, i) => `${name} = $${i + 3}`)
  if (tenant !== undefined) conditions.push(`${tenant} = $${names.length + 3}`)
  return {
    sql: `update ${table} set ${column} = $1 where ${column} = $2 and ${conditions.join(' and ')}`,
    params: [sealed, row.sealed, ...row.key, ...tenantValues(tenant, tenantId)],
  }
}

const tenantValues = (tenant: SealedTable['tenant'], tenantId: string): SqlValue[] =>
  tenant === undefined ? [] : [tenant === 'tenant_id' ? tenantId : tenantHash(tenantId)]
