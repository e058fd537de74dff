// Which operators report the SIM swaps of watched numbers by themselves? One row for each subscription.

import type { Queryable } from '../../core/storage/database.ts'

export interface SubscriptionRow {
  /** 16 bytes. */
  readonly sinkId: Uint8Array
  readonly tenantId: string
  readonly watchId: Uint8Array
  readonly connector: string
  readonly tokenHash: Uint8Array
  readonly subscriptionId: string | null
  readonly expiresAt: number
  readonly dueAt: number
}

/** Of a subscription that belongs to no watch any more. */
export const noWatch = new Uint8Array(0)

const columns = `sink_id as "sinkId", tenant_id as "tenantId", watch_id as "watchId", connector, token_hash as "tokenHash",
  subscription_id as "subscriptionId", expires_at as "expiresAt", due_at as "dueAt"`

export async function insertSubscription(database: Queryable, row: SubscriptionRow): Promise<void> {
  await database.query(
    `insert into watch_subscription
       (sink_id, tenant_id, watch_id, connector, token_hash, subscription_id, expires_at, due_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8)`,
    [row.sinkId, row.tenantId, row.watchId, row.connector, row.tokenHash, row.subscriptionId, row.expiresAt, row.dueAt],
  )
}

/** The operator has accepted it. @returns false when the watch or the row is gone meanwhile */
export async function putSubscriptionId(
  tx: Queryable,
  { sinkId, watchId }: Pick<SubscriptionRow, 'sinkId' | 'watchId'>,
  { subscriptionId, expiresAt, dueAt }: { subscriptionId: string; expiresAt: number; dueAt: number },
): Promise<boolean> {
  const rows = await tx.query(
    `update watch_subscription set subscription_id = $3, expires_at = $4, due_at = $5
      where sink_id = $1 and watch_id = $2 and due_at > 0 returning due_at`,
    [sinkId, watchId, subscriptionId, expiresAt, dueAt],
  )
  return rows.length > 0
}

export async function findSubscription(database: Queryable, sinkId: Uint8Array): Promise<SubscriptionRow | undefined> {
  const [row] = await database.query<SubscriptionRow>(`select ${columns} from watch_subscription where sink_id = $1`, [
    sinkId,
  ])
  return row
}

/** Whether a watch has a subscription at this connector, a server is making one, or the operator refused it a short time ago. */
export async function hasSubscription(
  database: Queryable,
  { tenantId, watchId, connector }: Pick<SubscriptionRow, 'tenantId' | 'watchId' | 'connector'>,
): Promise<boolean> {
  const rows = await database.query(
    'select due_at from watch_subscription where tenant_id = $1 and watch_id = $2 and connector = $3 limit 1',
    [tenantId, watchId, connector],
  )
  return rows.length > 0
}

/** How many watches of a tenant have an operator that reports swaps automatically. */
export async function countSubscribed(database: Queryable, tenantId: string): Promise<number> {
  const [row] = await database.query<{ count: number }>(
    `select cast(count(*) as bigint) as "count" from watch_subscription
      where tenant_id = $1 and subscription_id is not null and watch_id <> $2`,
    [tenantId, noWatch],
  )
  return row!.count
}

export async function deleteSubscription(tx: Queryable, sinkId: Uint8Array): Promise<void> {
  await tx.query('delete from watch_subscription where sink_id = $1', [sinkId])
}

/** Claims subscriptions that are due, until another server may have them. */
export async function claimDueSubscriptions(
  database: Queryable,
  { now, until, limit }: { now: number; until: number; limit: number },
): Promise<SubscriptionRow[]> {
  return database.query<SubscriptionRow>(
    `update watch_subscription set due_at = $1
      where due_at <= $2 and sink_id in
        (select sink_id from watch_subscription where due_at <= $2 order by due_at limit $3)
      returning ${columns}`,
    [until, now, limit],
  )
}

/** The subscriptions of a watch belong to it no more: they are ended, and what their operators still report counts for nothing. */
export async function detachSubscriptions(tx: Queryable, tenantId: string, watchId: Uint8Array): Promise<void> {
  await tx.query('update watch_subscription set due_at = 0, watch_id = $3 where tenant_id = $1 and watch_id = $2', [
    tenantId,
    watchId,
    noWatch,
  ])
}

/** The same for one of them, which a server is ending. */
export async function detachSubscription(tx: Queryable, sinkId: Uint8Array): Promise<void> {
  await tx.query('update watch_subscription set watch_id = $2 where sink_id = $1', [sinkId, noWatch])
}
