// What are the lines of a batch, and their results? A row has a hundred of them.

import type { BatchStatement, Queryable } from '../../core/storage/database.ts'

export interface PartKey {
  readonly tenantId: string
  readonly batchId: Uint8Array
  readonly part: number
}

export interface PartRow extends PartKey {
  /** Changes when a number in it is erased. */
  readonly version: number
  readonly isDone: number
  readonly asked: Uint8Array | null
  readonly sealed: Uint8Array
  readonly sealedResult: Uint8Array | null
}

const columns = `tenant_id as "tenantId", batch_id as "batchId", part, version, is_done as "isDone", asked, sealed,
  sealed_result as "sealedResult"`

export const partInsert = (
  { tenantId, batchId, part }: PartKey,
  { firstLine, sealed }: { firstLine: number; sealed: Uint8Array },
): BatchStatement => ({
  sql: `insert into telecom_batch_part (tenant_id, batch_id, part, first_line, version, is_done, sealed)
        values ($1, $2, $3, $4, 0, 0, $5)`,
  params: [tenantId, batchId, part, firstLine, sealed],
})

/** The part that has this line, or would have it. */
export async function partOfLine(
  database: Queryable,
  { tenantId, batchId }: Pick<PartKey, 'tenantId' | 'batchId'>,
  line: number,
): Promise<number> {
  const [found] = await database.query<{ part: number }>(
    `select part from telecom_batch_part
      where tenant_id = $1 and batch_id = $2 and first_line <= $3 order by part desc limit 1`,
    [tenantId, batchId, line],
  )
  return found?.part ?? 0
}

/** From `from` on, in their order. */
export async function readParts(
  database: Queryable,
  { tenantId, batchId, from, limit }: { tenantId: string; batchId: Uint8Array; from: number; limit: number },
): Promise<PartRow[]> {
  return database.query<PartRow>(
    `select ${columns} from telecom_batch_part
      where tenant_id = $1 and batch_id = $2 and part >= $3 order by part limit $4`,
    [tenantId, batchId, from, limit],
  )
}

/** The next part of any batch of the tenant after this one. */
export async function partAfter(
  database: Queryable,
  tenantId: string,
  after: Pick<PartKey, 'batchId' | 'part'>,
): Promise<PartRow | undefined> {
  const [row] = await database.query<PartRow>(
    `select ${columns} from telecom_batch_part
      where tenant_id = $1 and (batch_id, part) > ($2, $3) order by batch_id, part limit 1`,
    [tenantId, after.batchId, after.part],
  )
  return row
}

type Written = PartKey & Pick<PartRow, 'version'>

/** Writes what is known until now: which lines may be asked, and the results of others. */
export const progressStatement = (
  { tenantId, batchId, part, version }: Written,
  { asked, sealedResult }: { asked: Uint8Array; sealedResult: Uint8Array | null },
): BatchStatement => ({
  sql: `update telecom_batch_part set asked = $5, sealed_result = $6
         where tenant_id = $1 and batch_id = $2 and part = $3 and version = $4 returning part`,
  params: [tenantId, batchId, part, version, asked, sealedResult],
  required: true,
})

export const doneStatement = (
  { tenantId, batchId, part, version }: Written,
  sealedResult: Uint8Array,
): BatchStatement => ({
  sql: `update telecom_batch_part set is_done = 1, asked = null, sealed_result = $5
         where tenant_id = $1 and batch_id = $2 and part = $3 and version = $4 returning part`,
  params: [tenantId, batchId, part, version, sealedResult],
  required: true,
})

/** Replaces both texts of a part in which a number was erased. @returns false when it has changed meanwhile */
export async function replacePart(
  database: Queryable,
  row: Pick<PartRow, keyof PartKey | 'version' | 'sealed' | 'sealedResult'> & { readonly before: Uint8Array | null },
): Promise<boolean> {
  const { tenantId, batchId, part, version, sealed, sealedResult, before } = row
  const rows = await database.query(
    `update telecom_batch_part set version = version + 1, sealed = $5, sealed_result = $6
      where tenant_id = $1 and batch_id = $2 and part = $3 and version = $4
        and coalesce(sealed_result, $8) = coalesce($7, $8) returning part`,
    [tenantId, batchId, part, version, sealed, sealedResult, before, new Uint8Array(0)],
  )
  return rows.length > 0
}
