// Which events has a receiver not accepted yet? Written in the transaction of the event, so that none is lost or overtaken.

import type { BatchStatement, Queryable } from '../../core/storage/database.ts'
import { padded, paddedSizes } from '../../core/storage/in-sizes.ts'
import { tenantHash } from '../../core/storage/short-keys.ts'
import type { StoredEvent } from './events.ts'

/** `dueAt` of the deliveries of a stream: then its position alone orders a delivery, whatever the clocks of servers say. */
export const dueInOrder = 0

export interface NewDelivery {
  readonly tenantId: string
  readonly eventId: Uint8Array
  readonly orderKey: Uint8Array
  readonly dueAt: number
}

const insertText = (count: number) => {
  const rows = Array.from(
    { length: count },
    (_, row) => `(${[1, 2, 3, 4, 5].map((column) => `$${row * 5 + column}`).join(', ')})`,
  )
  return `insert into event_delivery (receiver_id, tenant_id, event_id, order_key, due_at) values ${rows.join(', ')}`
}
const insertOfOne = insertText(1)

/** The deliveries of one receiver, in their order: one statement, as those of a batch have no order. */
export function deliveriesInsert(receiverId: string, deliveries: readonly NewDelivery[]): BatchStatement {
  return {
    sql: deliveries.length === 1 ? insertOfOne : insertText(deliveries.length),
    params: deliveries.flatMap(({ tenantId, eventId, orderKey, dueAt }) => [
      receiverId,
      tenantId,
      eventId,
      orderKey,
      dueAt,
    ]),
  }
}

/** The first receiver after this id that has deliveries, and the tenant of one. A stream of the configuration has events of all tenants. */
export async function nextReceiverWaiting(
  database: Queryable,
  after: string,
): Promise<{ receiverId: string; tenantId: string } | undefined> {
  const [next] = await database.query<{ receiverId: string; tenantId: string }>(
    `select receiver_id as "receiverId", tenant_id as "tenantId" from event_delivery
      where receiver_id > $1 order by receiver_id limit 1`,
    [after],
  )
  return next
}

/** Deletes at most `limit` deliveries of a receiver that were due before this time. @returns how many */
export async function dropDeliveriesDueBefore(
  database: Queryable,
  receiverId: string,
  before: number,
  limit: number,
): Promise<number> {
  const dropped = await database.query(
    `delete from event_delivery where (receiver_id, order_key, position, event_id) in
       (select receiver_id, order_key, position, event_id from event_delivery
         where receiver_id = $1 and due_at < $2 limit ${limit})
     returning 1 as dropped`,
    [receiverId, before],
  )
  return dropped.length
}

/** Deletes at most `limit` deliveries of a stream that were written before this time. @returns how many */
export async function dropStreamDeliveriesBefore(
  database: Queryable,
  receiverId: string,
  before: number,
  limit: number,
): Promise<number> {
  const dropped = await database.query(
    `delete from event_delivery where (receiver_id, order_key, position, event_id) in
       (select receiver_id, order_key, position, event_id from event_delivery
         where receiver_id = $1 and due_at = ${dueInOrder} and position < $2 limit ${limit})
     returning 1 as dropped`,
    [receiverId, before * 1000],
  )
  return dropped.length
}

/** Identifies a delivery. */
export interface DeliveryKey {
  readonly receiverId: string
  readonly orderKey: Uint8Array
  readonly position: number
  readonly eventId: Uint8Array
}

export interface DeliveryRow extends DeliveryKey {
  readonly tenantId: string
  readonly dueAt: number
  readonly attempts: number
  readonly failingSince: number | null
}

const columns = `receiver_id as "receiverId", order_key as "orderKey", position, event_id as "eventId",
  tenant_id as "tenantId", due_at as "dueAt", attempts, failing_since as "failingSince"`

/** Deliveries that are due, whether or not an earlier one of their order key is waiting. */
export async function dueDeliveries(
  database: Queryable,
  receiverId: string,
  now: number,
  limit: number,
): Promise<DeliveryRow[]> {
  return database.query<DeliveryRow>(
    `select ${columns} from event_delivery where receiver_id = $1 and due_at <= $2
      order by due_at, position, event_id limit $3`,
    [receiverId, now, limit],
  )
}

/** The first deliveries of a stream, in order. */
export async function firstOfStream(database: Queryable, receiverId: string, limit: number): Promise<DeliveryRow[]> {
  return database.query<DeliveryRow>(
    `select ${columns} from event_delivery where receiver_id = $1 and due_at = ${dueInOrder}
      order by position, event_id limit $2`,
    [receiverId, limit],
  )
}

/** A delivery with its event. */
export interface WaitingDelivery extends DeliveryRow {
  /** Undefined when it was deleted. */
  readonly event: StoredEvent | undefined
}

/** Order keys that are read together. */
export const keysAtOnce = 8
/** Of each key. */
const rowsOfKey = 10
const noKey = new Uint8Array(0)
const firstOfKeys = Array.from(
  { length: keysAtOnce },
  (_, key) =>
    `select * from (select * from event_delivery where receiver_id = $1 and order_key = $${key + 3}
       order by position, event_id limit ${rowsOfKey}) as of_key_${key}`,
).join(' union all ')

/** The first deliveries of at most `keysAtOnce` order keys with their events, those of each key in order. One statement. */
export async function deliveriesOfKeys(
  database: Queryable,
  { receiverId, tenantId }: Pick<DeliveryRow, 'receiverId' | 'tenantId'>,
  orderKeys: readonly Uint8Array[],
): Promise<WaitingDelivery[]> {
  const keys = Array.from({ length: keysAtOnce }, (_, i) => orderKeys[i] ?? noKey)
  const rows = await database.query<DeliveryRow & { [Name in keyof StoredEvent]: StoredEvent[Name] | null }>(
    `select waiting.receiver_id as "receiverId", waiting.order_key as "orderKey", waiting.position,
            waiting.event_id as "eventId", waiting.tenant_id as "tenantId", waiting.due_at as "dueAt", waiting.attempts,
            waiting.failing_since as "failingSince",
            event.id, event.type, event.occurred_at as "occurredAt", event.sealed
       from (${firstOfKeys}) as waiting left join event on event.tenant_hash = $2 and event.id = waiting.event_id`,
    [receiverId, tenantHash(tenantId), ...keys],
  )
  return rows
    .map(({ id, type, occurredAt, sealed, ...row }) => ({
      ...row,
      event: id === null ? undefined : ({ id, type, occurredAt, orderKey: row.orderKey, sealed } as StoredEvent),
    }))
    .sort((a, b) => a.position - b.position || Buffer.compare(a.eventId, b.eventId))
}

/** The first delivery of the next order key after this one; undefined after the last key. */
export async function firstOfNextKey(
  database: Queryable,
  receiverId: string,
  after: Uint8Array,
): Promise<DeliveryRow | undefined> {
  const [first] = await database.query<DeliveryRow>(
    `select ${columns} from event_delivery where receiver_id = $1 and order_key > $2
      order by order_key, position, event_id limit 1`,
    [receiverId, after],
  )
  return first
}

const deleteText = (count: number) => {
  const those = Array.from({ length: count }, (_, row) => {
    const [receiver, key, position, event] = [1, 2, 3, 4].map((column) => `$${row * 4 + column}`)
    return `(receiver_id = ${receiver} and order_key = ${key} and position = ${position} and event_id = ${event})`
  })
  return `delete from event_delivery where ${those.join(' or ')}`
}
const deleteTexts = new Map(paddedSizes.map((size) => [size, deleteText(size)]))

/** Of at most `paddedAtOnce` deliveries. */
export function deliveriesDelete(deliveries: readonly DeliveryKey[]): BatchStatement {
  const rows = padded(deliveries)
  return {
    sql: deleteTexts.get(rows.length)!,
    params: rows.flatMap(({ receiverId, orderKey, position, eventId }) => [receiverId, orderKey, position, eventId]),
  }
}

export const deliveryDelete = (delivery: DeliveryKey): BatchStatement => deliveriesDelete([delivery])

/** An attempt has failed: it, and what waits behind it, is due later. */
export const deliveryFailure = (
  { receiverId, orderKey, position, eventId }: DeliveryKey,
  { failedAt, dueAt }: { failedAt: number; dueAt: number },
): BatchStatement => ({
  sql: `update event_delivery
           set due_at = $5,
               attempts = case when position = $3 and event_id = $4 then attempts + 1 else attempts end,
               failing_since = case when position = $3 and event_id = $4 then coalesce(failing_since, $6) else failing_since end
         where receiver_id = $1 and order_key = $2`,
  params: [receiverId, orderKey, position, eventId, dueAt, failedAt],
})

/** What waits behind a failed delivery is due with it. */
export async function waitForFirst(
  database: Queryable,
  { receiverId, orderKey, dueAt }: Pick<DeliveryRow, 'receiverId' | 'orderKey' | 'dueAt'>,
): Promise<void> {
  await database.query(
    'update event_delivery set due_at = $3 where receiver_id = $1 and order_key = $2 and due_at < $3',
    [receiverId, orderKey, dueAt],
  )
}

/** The receiver works again: at most `limit` deliveries that wait are due now. @returns how many */
export async function makeDue(database: Queryable, receiverId: string, now: number, limit: number): Promise<number> {
  const changed = await database.query(
    `update event_delivery set due_at = $2 where (receiver_id, order_key, position, event_id) in
       (select receiver_id, order_key, position, event_id from event_delivery
         where receiver_id = $1 and due_at > $2 limit ${limit})
     returning 1 as changed`,
    [receiverId, now],
  )
  return changed.length
}

/** Deletes at most `limit` deliveries of a receiver that was removed. @returns how many */
export async function dropDeliveriesOf(database: Queryable, receiverId: string, limit: number): Promise<number> {
  const dropped = await database.query(
    `delete from event_delivery where (receiver_id, order_key, position, event_id) in
       (select receiver_id, order_key, position, event_id from event_delivery where receiver_id = $1 limit ${limit})
     returning 1 as dropped`,
    [receiverId],
  )
  return dropped.length
}

/** How many deliveries wait, counted up to `most`, and since when the oldest of them, in epoch milliseconds. */
export async function waitingDeliveries(
  database: Queryable,
  receiverId: string | undefined,
  most: number,
): Promise<{ count: number; since: number | null }> {
  const of = receiverId === undefined ? '' : 'where receiver_id = $1'
  const [row] = await database.query<{ count: number; since: number | null }>(
    `select count(*) as count, min(position) as since from (select position from event_delivery ${of} limit ${most}) as waiting`,
    receiverId === undefined ? [] : [receiverId],
  )
  return { count: row!.count, since: row!.since === null ? null : Math.floor(row!.since / 1000) }
}
