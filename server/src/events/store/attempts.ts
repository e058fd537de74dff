// Which attempts were made to deliver events to a receiver?

import type { DeliveryResult } from '@ringfence/contract'
import type { BatchStatement, Queryable } from '../../core/storage/database.ts'
import { padded, paddedSizes } from '../../core/storage/in-sizes.ts'

/** The first receiver after this id that has attempts. */
export async function nextReceiverWithAttempts(database: Queryable, after: string): Promise<string | undefined> {
  const [next] = await database.query<{ id: string }>(
    'select receiver_id as id from event_attempt where receiver_id > $1 order by receiver_id limit 1',
    [after],
  )
  return next?.id
}

/** Deletes at most `limit` attempts of a receiver before this time. @returns how many */
export async function dropAttemptsBefore(
  database: Queryable,
  receiverId: string,
  before: number,
  limit: number,
): Promise<number> {
  const dropped = await database.query(
    `delete from event_attempt where (receiver_id, attempted_at, event_id) in
       (select receiver_id, attempted_at, event_id from event_attempt
         where receiver_id = $1 and attempted_at < $2 limit ${limit})
     returning 1 as dropped`,
    [receiverId, before],
  )
  return dropped.length
}

export interface AttemptRow {
  readonly receiverId: string
  readonly tenantId: string
  readonly eventId: Uint8Array
  readonly type: string
  readonly attemptedAt: number
  readonly result: DeliveryResult
  /** Of the HTTP answer. */
  readonly status: number | null
  readonly durationMs: number
  readonly sealedAnswer: Uint8Array | null
}

const insertText = (count: number) => {
  const rows = Array.from(
    { length: count },
    (_, row) => `(${Array.from({ length: 9 }, (_, column) => `$${row * 9 + column + 1}`).join(', ')})`,
  )
  return `insert into event_attempt (receiver_id, attempted_at, event_id, tenant_id, type, result, status, duration_ms, sealed_answer)
          values ${rows.join(', ')} on conflict (receiver_id, attempted_at, event_id) do nothing`
}
const insertTexts = new Map(paddedSizes.map((size) => [size, insertText(size)]))

/** Of at most `paddedAtOnce` attempts. */
export function attemptsInsert(attempts: readonly AttemptRow[]): BatchStatement {
  const rows = padded(attempts)
  return {
    sql: insertTexts.get(rows.length)!,
    params: rows.flatMap((row) => [
      ...[row.receiverId, row.attemptedAt, row.eventId, row.tenantId, row.type, row.result],
      ...[row.status, row.durationMs, row.sealedAnswer],
    ]),
  }
}

/** Newest first. */
export async function listAttempts(
  database: Queryable,
  { tenantId, receiverId, before, limit }: { tenantId: string; receiverId: string; before: number; limit: number },
): Promise<AttemptRow[]> {
  return database.query<AttemptRow>(
    `select receiver_id as "receiverId", tenant_id as "tenantId", event_id as "eventId", type, attempted_at as "attemptedAt",
            result, status, duration_ms as "durationMs", sealed_answer as "sealedAnswer"
       from event_attempt where receiver_id = $1 and tenant_id = $2 and attempted_at < $3
      order by attempted_at desc, event_id limit $4`,
    [receiverId, tenantId, before, limit],
  )
}
