// How many messages went to a recipient, IP address, app or range in a period? All servers count together.

import type { BatchStatement, Queryable } from './database.ts'
import { countRows } from './statement.ts'

export interface CountKey {
  tenantId: string
  subjectHash: Uint8Array
  periodStart: number
  periodEnd: number
}

/** Counts one more. A condition: fails when there are `limit` already. */
export const countUpTo = (
  { tenantId, subjectHash, periodStart, periodEnd }: CountKey,
  limit: number,
): BatchStatement => ({
  sql: `insert into message_count (tenant_id, subject_hash, period_start, count, period_end) values ($1, $2, $3, 1, $4)
     on conflict (tenant_id, subject_hash, period_start) do update set count = message_count.count + 1
       where message_count.count < $5
     returning count`,
  params: [tenantId, subjectHash, periodStart, periodEnd, limit],
  required: true,
})

/**
 * Adds `by` to different counts of one tenant, or takes it back, in one statement and in their order.
 * @returns the new counts, in the order of the keys
 */
export async function addToCounts(database: Queryable, keys: readonly CountKey[], by: 1 | -1): Promise<number[]> {
  if (keys.length === 0) return []
  const rows = keys.map((_, row) => `(${[1, 2, 3, 4, 5].map((column) => `$${5 * row + column}`).join(', ')})`)
  const counted = await database.query<StoredCount>(
    `insert into message_count (tenant_id, subject_hash, period_start, count, period_end) values ${rows.join(', ')}
     on conflict (tenant_id, subject_hash, period_start) do update set count = message_count.count + excluded.count
     returning subject_hash as "subjectHash", count`,
    keys.flatMap(({ tenantId, subjectHash, periodStart, periodEnd }) => [
      ...[tenantId, subjectHash, periodStart, by, periodEnd],
    ]),
  )
  return inOrderOf(keys, counted)
}

/** Counts of one tenant, in the order of the keys; 0 where none is stored. */
export async function readCounts(database: Queryable, keys: readonly CountKey[]): Promise<number[]> {
  if (keys.length === 0) return []
  const each = keys.map((_, key) => `(subject_hash = $${2 * key + 2} and period_start = $${2 * key + 3})`)
  const found = await database.query<StoredCount>(
    `select subject_hash as "subjectHash", count from message_count where tenant_id = $1 and (${each.join(' or ')})`,
    [keys[0]!.tenantId, ...keys.flatMap(({ subjectHash, periodStart }) => [subjectHash, periodStart])],
  )
  return inOrderOf(keys, found)
}

interface StoredCount {
  readonly subjectHash: Uint8Array
  readonly count: number
}

const inOrderOf = (keys: readonly CountKey[], counts: readonly StoredCount[]) =>
  keys.map((key) => counts.find(({ subjectHash }) => Buffer.compare(subjectHash, key.subjectHash) === 0)?.count ?? 0)

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
