// How often did what happen at a tenant? Counts by minute and hour, made from the event log, each event once.

import type { BatchStatement, Queryable } from '../../core/storage/database.ts'
import { tenantHash } from '../../core/storage/short-keys.ts'

export type ActivityKind = 'action' | 'reason' | 'rule' | 'started' | 'completed' | 'failed' | 'refused'
export type ActivitySpan = 'minute' | 'hour'

export interface ActivityCount {
  readonly span: ActivitySpan
  /** Epoch milliseconds. */
  readonly startsAt: number
  readonly kind: ActivityKind
  readonly name: string
  readonly amount: number
}

/** The last event that was counted; undefined before the first count. */
export async function activityCountedTo(database: Queryable, tenantId: string): Promise<Uint8Array | undefined> {
  const [row] = await database.query<{ countedTo: Uint8Array }>(
    'select counted_to as "countedTo" from activity_progress where tenant_hash = $1',
    [tenantHash(tenantId)],
  )
  return row?.countedTo
}

/** A condition: fails when another server has counted since `before`. */
export const activityProgress = (
  tenantId: string,
  { before, to }: { readonly before: Uint8Array | undefined; readonly to: Uint8Array },
): BatchStatement =>
  before
    ? {
        sql: 'update activity_progress set counted_to = $3 where tenant_hash = $1 and counted_to = $2 returning 1 as stored',
        params: [tenantHash(tenantId), before, to],
        required: true,
      }
    : {
        sql: `insert into activity_progress (tenant_hash, counted_to) values ($1, $2)
              on conflict (tenant_hash) do nothing returning 1 as stored`,
        params: [tenantHash(tenantId), to],
        required: true,
      }

const columns = 6

/** Each count has another key. */
export const activityAdd = (tenantId: string, counts: readonly ActivityCount[]): BatchStatement => ({
  sql: `insert into activity_count (tenant_hash, span, starts_at, kind, name, amount) values ${counts
    .map(
      (_, row) => `(${Array.from({ length: columns }, (__, column) => `$${row * columns + column + 1}`).join(', ')})`,
    )
    .join(', ')}
    on conflict (tenant_hash, span, starts_at, kind, name) do update set amount = activity_count.amount + excluded.amount`,
  params: counts.flatMap(({ span, startsAt, kind, name, amount }) => [
    ...[tenantHash(tenantId), span, startsAt, kind, name, amount],
  ]),
})

export interface ActivityRange {
  readonly tenantId: string
  readonly span: ActivitySpan
  readonly from: number
  readonly to: number
}

/** The sum of each kind and name. */
export async function activityTotals(
  database: Queryable,
  { tenantId, span, from, to }: ActivityRange,
): Promise<{ kind: ActivityKind; name: string; amount: number }[]> {
  return database.query(
    `select kind, name, cast(sum(amount) as bigint) as amount from activity_count
      where tenant_hash = $1 and span = $2 and starts_at >= $3 and starts_at < $4 group by kind, name`,
    [tenantHash(tenantId), span, from, to],
  )
}

/** Decisions by action, for each minute or hour with any. */
export async function activityOfActions(
  database: Queryable,
  { tenantId, span, from, to }: ActivityRange,
): Promise<{ startsAt: number; name: string; amount: number }[]> {
  return database.query(
    `select starts_at as "startsAt", name, amount from activity_count
      where tenant_hash = $1 and span = $2 and starts_at >= $3 and starts_at < $4 and kind = 'action'
      order by starts_at`,
    [tenantHash(tenantId), span, from, to],
  )
}

/** Deletes at most `limit` counts from before this time. @returns how many */
export async function dropActivityBefore(
  database: Queryable,
  span: ActivitySpan,
  before: number,
  limit: number,
): Promise<number> {
  const dropped = await database.query(
    `delete from activity_count where (tenant_hash, span, starts_at, kind, name) in
       (select tenant_hash, span, starts_at, kind, name from activity_count where span = $1 and starts_at < $2 limit ${limit})
     returning 1 as dropped`,
    [span, before],
  )
  return dropped.length
}

/** Forgets every count of a tenant: they are made again from the event log. */
export const activityForgotten = (tenantId: string): BatchStatement[] =>
  ['activity_count', 'activity_progress'].map((table) => ({
    sql: `delete from ${table} where tenant_hash = $1`,
    params: [tenantHash(tenantId)],
  }))
