// Which persons and devices were erased? One row for each, with its signed receipt.

import type { Queryable } from '../../../core/storage/database.ts'

export interface ErasureRow {
  readonly tenantId: string
  /** 16 bytes. */
  readonly id: Uint8Array
  readonly erasedAt: number
  readonly subjectKind: string
  /** 16 bytes of a keyed hash of the subject. */
  readonly mark: Uint8Array
  readonly sealed: Uint8Array
}

const columns = 'tenant_id as "tenantId", id, erased_at as "erasedAt", subject_kind as "subjectKind", mark, sealed'

/** Repeating it changes nothing. */
export async function insertErasure(tx: Queryable, row: ErasureRow): Promise<void> {
  await tx.query(
    `insert into erasure (tenant_id, id, erased_at, subject_kind, mark, sealed) values ($1, $2, $3, $4, $5, $6)
     on conflict (tenant_id, id) do nothing`,
    [row.tenantId, row.id, row.erasedAt, row.subjectKind, row.mark, row.sealed],
  )
}

export async function findErasure(database: Queryable, tenantId: string, id: Uint8Array): Promise<boolean> {
  const rows = await database.query('select erased_at from erasure where tenant_id = $1 and id = $2', [tenantId, id])
  return rows.length > 0
}

/** Newest first, those with an id below `before`. */
export async function listErasures(
  database: Queryable,
  tenantId: string,
  { before, limit }: { before: Uint8Array; limit: number },
): Promise<ErasureRow[]> {
  return database.query<ErasureRow>(
    `select ${columns} from erasure where tenant_id = $1 and id < $2 order by id desc limit $3`,
    [tenantId, before, limit],
  )
}
