// Which phone numbers does a tenant watch, and which of them are due? One row for each; a server claims those that it polls.

import type { Queryable } from '../../core/storage/database.ts'
import { detachSubscriptions } from './watch-subscriptions.ts'

export interface WatchRow {
  readonly tenantId: string
  /** 16 bytes. */
  readonly id: Uint8Array
  readonly numberHash: Uint8Array
  /** Names separated by commas. */
  readonly checks: string
  readonly createdAt: number
  readonly expiresAt: number
  readonly dueAt: number
  readonly sealed: Uint8Array
}

const columns = `tenant_id as "tenantId", id, number_hash as "numberHash", checks, created_at as "createdAt",
  expires_at as "expiresAt", due_at as "dueAt", sealed`

/** A watch that has not ended. */
export async function findWatch(
  database: Queryable,
  tenantId: string,
  id: Uint8Array,
  now: number,
): Promise<WatchRow | undefined> {
  const [row] = await database.query<WatchRow>(
    `select ${columns} from number_watch where tenant_id = $1 and id = $2 and expires_at > $3`,
    [tenantId, id, now],
  )
  return row
}

/** Also one that has ended and is not deleted yet. */
export async function findWatchOfNumber(
  database: Queryable,
  tenantId: string,
  numberHash: Uint8Array,
): Promise<WatchRow | undefined> {
  const [row] = await database.query<WatchRow>(
    `select ${columns} from number_watch where tenant_id = $1 and number_hash = $2`,
    [tenantId, numberHash],
  )
  return row
}

/** Watches that have not ended, in the order of their ids, those after `after`. */
export async function listWatchRows(
  database: Queryable,
  tenantId: string,
  { after, limit, now }: { after: Uint8Array; limit: number; now: number },
): Promise<WatchRow[]> {
  return database.query<WatchRow>(
    `select ${columns} from number_watch where tenant_id = $1 and id > $2 and expires_at > $3 order by id limit $4`,
    [tenantId, after, now, limit],
  )
}

export async function insertWatch(tx: Queryable, row: WatchRow): Promise<void> {
  const { tenantId, id, numberHash, checks, createdAt, expiresAt, dueAt, sealed } = row
  await tx.query(
    `insert into number_watch (tenant_id, id, number_hash, checks, created_at, expires_at, due_at, sealed)
     values ($1, $2, $3, $4, $5, $6, $7, $8)`,
    [tenantId, id, numberHash, checks, createdAt, expiresAt, dueAt, sealed],
  )
}

/** Writes a changed watch. A server that polls it now notices that it lost its claim. */
export async function updateWatch(tx: Queryable, row: WatchRow): Promise<void> {
  await tx.query(
    `update number_watch set checks = $3, expires_at = $4, due_at = $5, sealed = $6, claim = null
      where tenant_id = $1 and id = $2`,
    [row.tenantId, row.id, row.checks, row.expiresAt, row.dueAt, row.sealed],
  )
}

/** @returns whether it existed */
export async function deleteWatchRow(tx: Queryable, tenantId: string, id: Uint8Array): Promise<boolean> {
  const rows = await tx.query('delete from number_watch where tenant_id = $1 and id = $2 returning created_at', [
    tenantId,
    id,
  ])
  return rows.length > 0
}

/** @returns how many */
export async function deleteWatchOfNumber(tx: Queryable, tenantId: string, numberHash: Uint8Array): Promise<number> {
  const rows = await tx.query('delete from number_watch where tenant_id = $1 and number_hash = $2 returning id', [
    tenantId,
    numberHash,
  ])
  for (const { id } of rows) await detachSubscriptions(tx, tenantId, id as Uint8Array)
  return rows.length
}

/** How many watches have each set of checks. */
export async function countWatches(
  database: Queryable,
  tenantId: string,
): Promise<{ checks: string; count: number }[]> {
  return database.query(
    'select checks, cast(count(*) as bigint) as "count" from number_watch where tenant_id = $1 group by checks',
    [tenantId],
  )
}

/** How many watches a tenant has, also those that have just ended. */
export async function numberOfWatches(database: Queryable, tenantId: string): Promise<number> {
  const [row] = await database.query<{ count: number }>(
    'select cast(count(*) as bigint) as "count" from number_watch where tenant_id = $1',
    [tenantId],
  )
  return row!.count
}

/** The first tenant after this one that watches numbers, and when its first check is due. */
export async function nextTenantWatching(
  database: Queryable,
  after: string,
): Promise<{ tenantId: string; dueAt: number } | undefined> {
  const [next] = await database.query<{ tenantId: string; dueAt: number }>(
    `select tenant_id as "tenantId", due_at as "dueAt" from number_watch
      where tenant_id > $1 order by tenant_id, due_at limit 1`,
    [after],
  )
  return next
}

/**
 * Claims watches that are due, those that wait longest first. Until `until` no other server claims them; then their server has died.
 */
export async function claimDueWatches(
  database: Queryable,
  {
    tenantId,
    claim,
    now,
    until,
    limit,
  }: { tenantId: string; claim: Uint8Array; now: number; until: number; limit: number },
): Promise<WatchRow[]> {
  // The second condition on due_at is for PostgreSQL: a server that waited for the row sees that another one has it.
  return database.query<WatchRow>(
    `update number_watch set claim = $1, due_at = $2
      where tenant_id = $3 and due_at <= $4 and (tenant_id, id) in
        (select tenant_id, id from number_watch where tenant_id = $3 and due_at <= $4 and expires_at > $4
          order by due_at, id limit $5)
      returning ${columns}`,
    [claim, until, tenantId, now, limit],
  )
}

/** After a clock that was set back: the watches that are due later than `until` are due now. */
export async function pullWatchesForward(
  database: Queryable,
  { now, until }: { now: number; until: number },
): Promise<void> {
  await database.query('update number_watch set due_at = $1, claim = null where due_at > $2', [now, until])
}

/** A claimed watch as it is now. Undefined when it was deleted, changed, or is claimed by another server. */
export async function findClaimed(
  tx: Queryable,
  { tenantId, id }: Pick<WatchRow, 'tenantId' | 'id'>,
  claim: Uint8Array,
): Promise<WatchRow | undefined> {
  const [row] = await tx.query<WatchRow>(
    `select ${columns} from number_watch where tenant_id = $1 and id = $2 and claim = $3`,
    [tenantId, id, claim],
  )
  return row
}

/** Deletes at most `limit` watches that have ended. @returns how many */
export async function dropEndedWatches(database: Queryable, now: number, limit: number): Promise<number> {
  const dropped = await database.query(
    `delete from number_watch where (tenant_id, id) in
       (select tenant_id, id from number_watch where expires_at <= $1 limit ${limit})
     returning 1 as dropped`,
    [now],
  )
  return dropped.length
}

interface RequestsOfDay {
  readonly tenantId: string
  readonly day: number
  readonly count: number
}

/** Counts requests of the day. @returns false, and counts nothing, when that would be more than `most` */
export async function takeWatchRequests(
  database: Queryable,
  { tenantId, day, most, count }: RequestsOfDay & { readonly most: number },
): Promise<boolean> {
  if (count > most) return false
  const rows = await database.query(
    `insert into watch_request_count (tenant_id, day, used) values ($1, $2, $3)
     on conflict (tenant_id, day) do update set used = watch_request_count.used + $3
       where watch_request_count.used + $3 <= $4
     returning used`,
    [tenantId, day, count, most],
  )
  return rows.length > 0
}

/** Requests that were counted and not sent. */
export async function giveBackWatchRequests(
  database: Queryable,
  { tenantId, day, count }: RequestsOfDay,
): Promise<void> {
  await database.query('update watch_request_count set used = used - $3 where tenant_id = $1 and day = $2', [
    tenantId,
    day,
    count,
  ])
}

export async function watchRequestsOf(database: Queryable, tenantId: string, day: number): Promise<number> {
  const [row] = await database.query<{ used: number }>(
    'select used from watch_request_count where tenant_id = $1 and day = $2',
    [tenantId, day],
  )
  return row?.used ?? 0
}

export async function dropWatchRequestsBefore(database: Queryable, day: number): Promise<void> {
  await database.query('delete from watch_request_count where day < $1', [day])
}
