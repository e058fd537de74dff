// Which decisions are about a user, phone number, email address or device? Read along one index, newest first.

import type { Queryable } from '../../core/storage/database.ts'
import { dfrIdBytes, tenantHash } from '../../core/storage/short-keys.ts'
import { uuidBytes } from '../../core/storage/uuid.ts'
import {
  type DecisionSubjectHashes,
  decisionColumns,
  decisionOf,
  type FoundRow,
  type StoredDecision,
} from './decisions.ts'

const columnOf = {
  userHash: 'user_hash',
  numberHash: 'number_hash',
  emailHash: 'email_hash',
  deviceHash: 'device_hash',
  mailboxHash: 'mailbox_hash',
} as const satisfies Record<keyof DecisionSubjectHashes, string>

export interface DecisionsOfSubject {
  readonly tenantId: string
  readonly subject: keyof DecisionSubjectHashes
  readonly hash: Uint8Array
  /** Epoch milliseconds: older ones have expired. */
  readonly since: number
  /** A decision id: only earlier ones. */
  readonly before?: string
}

/** At most `limit` decisions. Those that versions before this column wrote are not found. */
export async function decisionsOfSubject(
  database: Queryable,
  { tenantId, subject, hash, since, before = 'ffffffff-ffff-ffff-ffff-ffffffffffff' }: DecisionsOfSubject,
  limit: number,
): Promise<StoredDecision[]> {
  const rows = await database.query<FoundRow>(
    `select ${decisionColumns} from decision
      where ${columnOf[subject]} = $1 and decision_id < $2 and tenant_hash = $3 and decided_at > $4
      order by decision_id desc limit $5`,
    [hash, uuidBytes(before), tenantHash(tenantId), since, limit],
  )
  return rows.map((row) => decisionOf(row, tenantId))
}

/** The decisions about a device with this report of it, newest first. */
export async function decisionsOfReport(
  database: Queryable,
  {
    tenantId,
    deviceHash,
    dfrId,
    since,
  }: { readonly tenantId: string; readonly deviceHash: Uint8Array; readonly dfrId: string; readonly since: number },
  limit: number,
): Promise<StoredDecision[]> {
  const rows = await database.query<FoundRow>(
    `select ${decisionColumns} from decision
      where device_hash = $1 and tenant_hash = $2 and dfr_id = $3 and decided_at > $4
      order by decision_id desc limit $5`,
    [deviceHash, tenantHash(tenantId), dfrIdBytes(dfrId), since, limit],
  )
  return rows.map((row) => decisionOf(row, tenantId))
}
