// Which operators report the SIM swaps of watched numbers by themselves? One row for each subscription.

import type { Queryable } from '../database.ts'

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

/** The operator has accepted it. */
export async function putSubscriptionId(
  tx: Queryable,
  sinkId: Uint8Array,
  { subscriptionId, expiresAt, dueAt }: { subscriptionId: string; expiresAt: number; dueAt: number },
): Promise<void> {
  await tx.query(
    'update watch_subscription set subscription_id = $2, expires_at = $3, due_at = $4 where sink_id = $1',
    [sinkId, subscriptionId, expiresAt, dueAt],
  )
}

export async function findSubscription(database: Queryable, sinkId: Uint8Array): Promise<SubscriptionRow | undefined> {
  const [row] = await database.query<SubscriptionRow>(`select ${columns} from watch_subscription where sink_id = $1`, [
    sinkId,
  ])
  return row
}

/** Whether a watch has a subscription, or a server is making one. */
export async function hasSubscription(database: Queryable, tenantId: string, watchId: Uint8Array): Promise<boolean> {
  const rows = await database.query(
    'select due_at from watch_subscription where tenant_id = $1 and watch_id = $2 limit 1',
    [tenantId, watchId],
  )
  return rows.length > 0
}

/** How many watches of a tenant have an operator that reports swaps by itself. */
export async function countSubscribed(database: Queryable, tenantId: string): Promise<number> {
  const [row] = await database.query<{ count: number }>(
    `select cast(count(*) as bigint) as "count" from watch_subscription
      where tenant_id = $1 and subscription_id is not null`,
    [tenantId],
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

/** The subscriptions of a watch that was deleted are due: they are ended at the operator. */
export async function endSubscriptionsOf(tx: Queryable, tenantId: string, watchId: Uint8Array): Promise<void> {
  await tx.query('update watch_subscription set due_at = 0 where tenant_id = $1 and watch_id = $2', [tenantId, watchId])
}
