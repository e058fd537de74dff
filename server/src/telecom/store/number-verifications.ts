// Which Number Verifications are in progress? Each is completed once, by the client that began it.

import type { Queryable } from '../../core/storage/database.ts'
import { countRows } from '../../core/storage/statement.ts'

export interface NumberVerificationRow {
  readonly idHash: Uint8Array
  readonly tenantId: string
  readonly clientId: string
  readonly numberHash: Uint8Array
  readonly stateHash: Uint8Array
  readonly expiresAt: number
  readonly usedAt: number | null
  readonly sealed: Uint8Array
}

const columns = `id_hash as "idHash", tenant_id as "tenantId", client_id as "clientId", number_hash as "numberHash",
  state_hash as "stateHash", expires_at as "expiresAt", used_at as "usedAt", sealed`

export async function insertVerification(database: Queryable, row: NumberVerificationRow): Promise<void> {
  await database.query(
    `insert into number_verification (id_hash, tenant_id, client_id, number_hash, state_hash, expires_at, used_at, sealed)
     values ($1, $2, $3, $4, $5, $6, $7, $8)`,
    [row.idHash, row.tenantId, row.clientId, row.numberHash, row.stateHash, row.expiresAt, row.usedAt, row.sealed],
  )
}

export async function findVerification(
  database: Queryable,
  idHash: Uint8Array,
): Promise<NumberVerificationRow | undefined> {
  const [row] = await database.query<NumberVerificationRow>(
    `select ${columns} from number_verification where id_hash = $1`,
    [idHash],
  )
  return row
}

/** Uses it up. One of several simultaneous callers, on any server, gets true. */
export async function claimVerification(database: Queryable, idHash: Uint8Array, now: number): Promise<boolean> {
  const claimed = await database.query(
    `update number_verification set used_at = $2 where id_hash = $1 and used_at is null and expires_at > $2
     returning id_hash`,
    [idHash, now],
  )
  return claimed.length === 1
}

/** Deletes at most `limit` that expired before this time. @returns how many */
export async function dropVerificationsBefore(database: Queryable, before: number, limit: number): Promise<number> {
  const dropped = await database.query(
    `delete from number_verification
      where id_hash in (select id_hash from number_verification where expires_at <= $1 limit ${limit})
     returning id_hash`,
    [before],
  )
  return dropped.length
}

/** Deletes the Number Verifications of a number that are in progress. @returns how many */
export const deleteVerifications = (tx: Queryable, tenantId: string, numberHash: Uint8Array): Promise<number> =>
  countRows(tx, 'delete from number_verification where tenant_id = $1 and number_hash = $2 returning id_hash', [
    tenantId,
    numberHash,
  ])
