// What happened? Each event once, whoever receives it.

import type { EventSubjectHashes } from '../../core/event-recorder.ts'
import type { BatchStatement, Database, Queryable, SqlValue } from '../../core/storage/database.ts'
import { tenantHash } from '../../core/storage/short-keys.ts'

export interface EventRow extends EventSubjectHashes {
  readonly tenantId: string
  /** 16 bytes of a UUIDv7. */
  readonly id: Uint8Array
  readonly type: string
  readonly occurredAt: number
  readonly outcome: string | null
  readonly orderKey: Uint8Array
  /** JSON of the data (events/sealed-event.ts). */
  readonly sealed: Uint8Array
}

export const eventInsert = (event: EventRow): BatchStatement => ({
  sql: `insert into event (tenant_hash, id, type, occurred_at, outcome, user_hash, number_hash, device_hash, ip_hash,
                           email_hash, request_hash, order_key, sealed)
        values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13)`,
  params: [
    tenantHash(event.tenantId),
    event.id,
    event.type,
    event.occurredAt,
    event.outcome,
    event.userHash,
    event.numberHash,
    event.deviceHash,
    event.ipHash,
    event.emailHash,
    event.requestHash,
    event.orderKey,
    event.sealed,
  ],
})

/** What happened with one device happened with another one. */
export const eventsMove = (tenantId: string, from: Uint8Array, to: Uint8Array): BatchStatement => ({
  sql: 'update event set device_hash = $3 where device_hash = $2 and tenant_hash = $1',
  params: [tenantHash(tenantId), from, to],
})

/** What a receiver needs of an event. */
export type StoredEvent = Pick<EventRow, 'id' | 'type' | 'occurredAt' | 'orderKey' | 'sealed'>

const columns = 'id, type, occurred_at as "occurredAt", order_key as "orderKey", sealed'

export async function findEvent(
  database: Queryable,
  tenantId: string,
  id: Uint8Array,
): Promise<StoredEvent | undefined> {
  const [event] = await database.query<StoredEvent>(`select ${columns} from event where tenant_hash = $1 and id = $2`, [
    tenantHash(tenantId),
    id,
  ])
  return event
}

/** Events that are read together. */
export const eventsAtOnce = 100

/** Those of at most `eventsAtOnce` events that exist, in any order. */
export async function findEvents(
  database: Queryable,
  tenantId: string,
  ids: readonly Uint8Array[],
): Promise<StoredEvent[]> {
  if (ids.length === 0) return []
  // The last one is repeated, so that there is one text to prepare.
  const params = Array.from({ length: eventsAtOnce }, (_, i) => ids[Math.min(i, ids.length - 1)]!)
  return database.query<StoredEvent>(
    `select ${columns} from event where tenant_hash = $1 and id in (${params.map((_, i) => `$${i + 2}`).join(', ')})`,
    [tenantHash(tenantId), ...params],
  )
}

/** The events after `after` and before `before`, ids of 16 bytes, in order. */
export async function listEvents(
  database: Queryable,
  tenantId: string,
  { after, before, limit }: { after: Uint8Array; before: Uint8Array; limit: number },
): Promise<StoredEvent[]> {
  return database.query<StoredEvent>(
    `select ${columns} from event where tenant_hash = $1 and id > $2 and id < $3 order by id limit $4`,
    [tenantHash(tenantId), after, before, limit] satisfies SqlValue[],
  )
}

/** Deletes at most `limit` events of a tenant with an id below this one; on PostgreSQL, days go whole (days.ts). @returns how many */
export async function dropEventsBefore(
  database: Database,
  tenantId: string,
  before: Uint8Array,
  limit: number,
): Promise<number> {
  const table = database.engine === 'postgres' ? 'event_other' : 'event'
  const dropped = await database.query(
    `delete from ${table} where (tenant_hash, id) in
       (select tenant_hash, id from ${table} where tenant_hash = $1 and id < $2 limit ${limit})
     returning 1 as dropped`,
    [tenantHash(tenantId), before],
  )
  return dropped.length
}
