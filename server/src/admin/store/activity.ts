// How often did what happen at a tenant? Counts by minute and hour, made from the event log, each event once.

import type { BatchStatement, Queryable } from '../../core/storage/database.ts'
import { lowestIdAt } from '../../core/storage/ids/event-id.ts'
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

/** Up to where a tenant's log is folded, and what a rebuild counts again. */
export interface Progress {
  readonly countedTo: Uint8Array
  /** Rises with each erasure. */
  readonly turn: number
  /** A rebuild counts only what belongs to this time or later, up to the event `rebuiltTo`. */
  readonly rebuiltFrom: number
  readonly rebuiltTo: Uint8Array | null
}

/** Undefined before the first count. */
export async function activityProgressOf(database: Queryable, tenantId: string): Promise<Progress | undefined> {
  const [row] = await database.query<{ -readonly [Field in keyof Progress]: Progress[Field] }>(
    `select counted_to as "countedTo", turn, rebuilt_from as "rebuiltFrom", rebuilt_to as "rebuiltTo"
       from activity_progress where tenant_hash = $1`,
    [tenantHash(tenantId)],
  )
  return row && { ...row, turn: Number(row.turn), rebuiltFrom: Number(row.rebuiltFrom) }
}

/** The last event that was counted; undefined before the first count. */
export const activityCountedTo = async (database: Queryable, tenantId: string): Promise<Uint8Array | undefined> =>
  (await activityProgressOf(database, tenantId))?.countedTo

/** A condition: fails when another server has counted since `before`, or somebody was erased. */
export const activityProgress = (
  tenantId: string,
  { before, to }: { readonly before: Progress | undefined; readonly to: Uint8Array },
): BatchStatement =>
  before
    ? {
        sql: `update activity_progress set counted_to = $3
               where tenant_hash = $1 and counted_to = $2 and turn = $4 returning 1 as stored`,
        params: [tenantHash(tenantId), before.countedTo, to, before.turn],
        required: true,
      }
    : {
        sql: `insert into activity_progress (tenant_hash, counted_to) values ($1, $2)
              on conflict (tenant_hash) do nothing returning 1 as stored`,
        params: [tenantHash(tenantId), to],
        required: true,
      }

/** A page of events that was read before this is not counted. @param tenant the hash of its id */
export async function nextTurn(tx: Queryable, tenant: Uint8Array): Promise<void> {
  await tx.query('update activity_progress set turn = turn + 1 where tenant_hash = $1', [tenant])
}

/** Forgets what the log can say again: it is folded from this time on, epoch milliseconds. `to`: with this event the rebuild ends. */
export const rebuildFrom = (tenantId: string, from: number, to: Uint8Array): BatchStatement[] => [
  ...['activity_count', 'performance_count'].map((table) => ({
    sql: `delete from ${table} where tenant_hash = $1 and starts_at >= $2`,
    params: [tenantHash(tenantId), from],
  })),
  { sql: 'delete from folded_label where tenant_hash = $1 and decided_at >= $2', params: [tenantHash(tenantId), from] },
  ...['entity', 'entity_link'].map((table) => ({
    sql: `delete from ${table} where tenant_hash = $1`,
    params: [tenantHash(tenantId)],
  })),
  {
    sql: `insert into activity_progress (tenant_hash, counted_to, rebuilt_from, rebuilt_to) values ($1, $2, $3, $4)
          on conflict (tenant_hash) do update set counted_to = excluded.counted_to, turn = activity_progress.turn + 1,
            rebuilt_from = excluded.rebuilt_from, rebuilt_to = excluded.rebuilt_to`,
    params: [tenantHash(tenantId), lowestIdAt(from), from, to],
  },
]

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
