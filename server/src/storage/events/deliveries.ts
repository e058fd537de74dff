// Which events has a receiver not accepted yet? Written in the transaction of the event, so that none is lost or overtaken.

import type { BatchStatement, Queryable } from '../database.ts'

export interface NewDelivery {
  readonly tenantId: string
  readonly eventId: Uint8Array
  readonly orderKey: Uint8Array
  readonly dueAt: number
}

/** The deliveries of one receiver, in their order: one statement, as those of a batch have no order. */
export function deliveriesInsert(receiverId: string, deliveries: readonly NewDelivery[]): BatchStatement {
  const rows = deliveries.map((_, row) => `(${[1, 2, 3, 4, 5].map((column) => `$${row * 5 + column}`).join(', ')})`)
  return {
    sql: `insert into event_delivery (receiver_id, tenant_id, event_id, order_key, due_at) values ${rows.join(', ')}`,
    params: deliveries.flatMap(({ tenantId, eventId, orderKey, dueAt }) => [
      receiverId,
      tenantId,
      eventId,
      orderKey,
      dueAt,
    ]),
  }
}

/** The first receiver after this id that has deliveries. */
export async function nextReceiverWithDeliveries(database: Queryable, after: string): Promise<string | undefined> {
  const [next] = await database.query<{ id: string }>(
    'select receiver_id as id from event_delivery where receiver_id > $1 order by receiver_id limit 1',
    [after],
  )
  return next?.id
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
