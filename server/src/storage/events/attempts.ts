// Which attempts were made to deliver events to a receiver?

import type { Queryable } from '../database.ts'

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
