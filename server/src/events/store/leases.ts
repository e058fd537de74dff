// Which server delivers to a receiver? One at a time, so that no two deliveries of a receiver overtake each other.

import type { Queryable } from '../../core/storage/database.ts'

export interface Lease {
  readonly receiverId: string
  readonly serverId: string
  readonly until: number
}

/** Takes or extends a lease. False while another server has it. */
export async function takeLease(
  database: Queryable,
  { receiverId, serverId, until }: Lease,
  now: number,
): Promise<boolean> {
  const taken = await database.query(
    `insert into event_lease (receiver_id, server_id, leased_until) values ($1, $2, $3)
     on conflict (receiver_id) do update set server_id = excluded.server_id, leased_until = excluded.leased_until
       where event_lease.server_id = excluded.server_id or event_lease.leased_until < $4
     returning receiver_id`,
    [receiverId, serverId, until, now],
  )
  return taken.length > 0
}

/** Another server may take over at once. */
export async function dropLeases(database: Queryable, serverId: string): Promise<void> {
  await database.query('delete from event_lease where server_id = $1', [serverId])
}
