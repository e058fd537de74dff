// Which changes through the admin API were made with an Idempotency-Key, and what was their answer?

import type { Queryable } from '../../core/storage/database.ts'
import { countRows } from '../../core/storage/statement.ts'

export interface AdminCallRow {
  readonly tenantId: string
  readonly keyHash: Uint8Array
  readonly bodyHash: Uint8Array
  /** Null while the change is in progress, or when its answer is not stored. */
  readonly sealed: Uint8Array | null
  readonly endsAt: number
}

export async function findAdminCall(
  database: Queryable,
  { tenantId, keyHash }: Pick<AdminCallRow, 'tenantId' | 'keyHash'>,
): Promise<AdminCallRow | undefined> {
  const [row] = await database.query<AdminCallRow>(
    `select tenant_id as "tenantId", key_hash as "keyHash", body_hash as "bodyHash", sealed, ends_at as "endsAt"
       from admin_call where tenant_id = $1 and key_hash = $2`,
    [tenantId, keyHash],
  )
  return row
}

/** In the transaction of the change. False when another request has claimed the key; one that has ended is replaced. */
export async function claimAdminCall(
  tx: Queryable,
  { tenantId, keyHash, bodyHash, endsAt }: Omit<AdminCallRow, 'sealed'>,
  now: number,
): Promise<boolean> {
  const claimed = await tx.query(
    `insert into admin_call (tenant_id, key_hash, body_hash, ends_at) values ($1, $2, $3, $4)
     on conflict (tenant_id, key_hash) do update set body_hash = excluded.body_hash, ends_at = excluded.ends_at, sealed = null
      where admin_call.ends_at <= $5
     returning 1 as claimed`,
    [tenantId, keyHash, bodyHash, endsAt, now],
  )
  return claimed.length > 0
}

export async function storeAdminAnswer(
  database: Queryable,
  { tenantId, keyHash, sealed }: Pick<AdminCallRow, 'tenantId' | 'keyHash'> & { sealed: Uint8Array },
): Promise<void> {
  await database.query('update admin_call set sealed = $3 where tenant_id = $1 and key_hash = $2', [
    tenantId,
    keyHash,
    sealed,
  ])
}

export async function dropAdminCallsBefore(database: Queryable, at: number): Promise<void> {
  await database.query('delete from admin_call where ends_at < $1', [at])
}

/** Deletes the stored answers of changes through the admin API: any of them may be about the person. @returns how many */
export const forgetAdminAnswers = (tx: Queryable, tenantId: string): Promise<number> =>
  countRows(tx, 'update admin_call set sealed = null where tenant_id = $1 and sealed is not null returning ends_at', [
    tenantId,
  ])
