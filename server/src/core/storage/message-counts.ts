// How many messages went to a recipient, IP address, app or range in a period? All servers count together.

import type { Queryable } from './database.ts'
import { countRows } from './statement.ts'

export interface CountKey {
  tenantId: string
  subjectHash: Uint8Array
  periodStart: number
}

/** Adds `by` to a count, or takes one back. @returns the new count */
export async function addToCount(
  database: Queryable,
  { tenantId, subjectHash, periodStart }: CountKey,
  endsAt: number,
  by: 1 | -1,
): Promise<number> {
  const [counted] = await database.query<{ count: number }>(
    `insert into message_count (tenant_id, subject_hash, period_start, count, period_end) values ($1, $2, $3, $4, $5)
     on conflict (tenant_id, subject_hash, period_start) do update set count = message_count.count + excluded.count
     returning count`,
    [tenantId, subjectHash, periodStart, by, endsAt],
  )
  return counted!.count
}

/** How many were counted; 0 when none were. */
export async function readCount(
  database: Queryable,
  { tenantId, subjectHash, periodStart }: CountKey,
): Promise<number> {
  const [found] = await database.query<{ count: number }>(
    'select count from message_count where tenant_id = $1 and subject_hash = $2 and period_start = $3',
    [tenantId, subjectHash, periodStart],
  )
  return found?.count ?? 0
}

/** Deletes at most `limit` counts of periods that have ended. @returns how many */
export async function dropCountsBefore(database: Queryable, now: number, limit: number): Promise<number> {
  const dropped = await database.query(
    `delete from message_count where (tenant_id, subject_hash, period_start) in
       (select tenant_id, subject_hash, period_start from message_count where period_end <= $1 limit ${limit})
     returning count`,
    [now],
  )
  return dropped.length
}

/** Deletes how many messages went to a subject. @returns how many periods */
export const deleteMessageCounts = (tx: Queryable, tenantId: string, subjectHash: Uint8Array): Promise<number> =>
  countRows(tx, 'delete from message_count where tenant_id = $1 and subject_hash = $2 returning count', [
    tenantId,
    subjectHash,
  ])
