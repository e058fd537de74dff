// What is in the audit log of a tenant? Lines in the order of their numbers, each with the hash that links it to the line before.

import type { Queryable } from '../../core/storage/database.ts'

export interface AuditLineRow {
  readonly tenantId: string
  /** From 1, without gaps. */
  readonly number: number
  readonly at: number
  readonly actor: string
  readonly action: string
  readonly contentHash: Uint8Array
  /** Null in no line that this service wrote. When details were erased it has what is left; `contentHash` stays. */
  readonly sealed: Uint8Array | null
  readonly hash: Uint8Array
}

const columns = 'tenant_id as "tenantId", number, at, actor, action, content_hash as "contentHash", sealed, hash'

export async function lastAuditLine(
  database: Queryable,
  tenantId: string,
): Promise<Pick<AuditLineRow, 'number' | 'hash'> | undefined> {
  const [row] = await database.query<Pick<AuditLineRow, 'number' | 'hash'>>(
    'select number, hash from audit_line where tenant_id = $1 order by number desc limit 1',
    [tenantId],
  )
  return row
}

export async function insertAuditLine(tx: Queryable, row: AuditLineRow): Promise<void> {
  await tx.query(
    `insert into audit_line (tenant_id, number, at, actor, action, content_hash, sealed, hash)
     values ($1, $2, $3, $4, $5, $6, $7, $8)`,
    [row.tenantId, row.number, row.at, row.actor, row.action, row.contentHash, row.sealed, row.hash],
  )
}

/** Where the log of a tenant ends: a keyed hash shows whether somebody else wrote it. */
export interface AuditHeadRow {
  readonly tenantId: string
  readonly number: number
  readonly hash: Uint8Array
}

export async function putAuditHead(tx: Queryable, { tenantId, number, hash }: AuditHeadRow): Promise<void> {
  await tx.query(
    `insert into audit_head (tenant_id, number, hash) values ($1, $2, $3)
     on conflict (tenant_id) do update set number = excluded.number, hash = excluded.hash`,
    [tenantId, number, hash],
  )
}

export async function findAuditHead(database: Queryable, tenantId: string): Promise<AuditHeadRow | undefined> {
  const [row] = await database.query<AuditHeadRow>(
    'select tenant_id as "tenantId", number, hash from audit_head where tenant_id = $1',
    [tenantId],
  )
  return row
}

/** Replaces the details of a line as it was read, when the person in them is erased. @returns 0 when another has replaced them since */
export async function replaceDetails(
  database: Queryable,
  { tenantId, number, sealed: before }: Pick<AuditLineRow, 'tenantId' | 'number' | 'sealed'>,
  sealed: Uint8Array,
): Promise<number> {
  const rows = await database.query(
    'update audit_line set sealed = $3 where tenant_id = $1 and number = $2 and sealed = $4 returning number',
    [tenantId, number, sealed, before],
  )
  return rows.length
}

export interface AuditFilter {
  readonly tenantId: string
  /** Only lines below this number. */
  readonly before: number
  /** Only lines above this number. */
  readonly after?: number
  readonly actor?: string | undefined
  readonly action?: string | undefined
  /** Epoch milliseconds: not before, and before. */
  readonly from?: number | undefined
  readonly to?: number | undefined
}

/** Newest first. */
export async function findAuditLines(
  database: Queryable,
  { tenantId, before, after = 0, actor = '', action = '', from = 0, to = Number.MAX_SAFE_INTEGER }: AuditFilter,
  limit: number,
): Promise<AuditLineRow[]> {
  return database.query<AuditLineRow>(
    `select ${columns} from audit_line
      where tenant_id = $1 and number < $2 and ($3 = '' or actor = $3) and ($4 = '' or action = $4)
        and at >= $5 and at < $6 and number > $8
      order by number desc limit $7`,
    [tenantId, before, actor, action, from, to, limit, after],
  )
}

/** In their order. */
export async function auditLinesAfter(
  database: Queryable,
  { tenantId, after, limit }: { tenantId: string; after: number; limit: number },
): Promise<AuditLineRow[]> {
  return database.query<AuditLineRow>(
    `select ${columns} from audit_line where tenant_id = $1 and number > $2 order by number limit $3`,
    [tenantId, after, limit],
  )
}
