// Which servers share this store? Each writes from time to time that it is alive.

import type { Queryable } from '../database.ts'

export interface ServerRecord {
  id: string
  startedAt: number
}

/** @returns how many servers are alive, this one included */
export async function recordServer(
  database: Queryable,
  { id, startedAt }: ServerRecord,
  now: number,
  aliveSince: number,
): Promise<number> {
  await database.query(
    `insert into server (id, started_at, seen_at) values ($1, $2, $3)
     on conflict (id) do update set seen_at = excluded.seen_at`,
    [id, startedAt, now],
  )
  const [alive] = await database.query<{ n: number }>('select count(*) as n from server where seen_at > $1', [
    aliveSince,
  ])
  return Math.max(1, alive!.n)
}

export async function dropServer(database: Queryable, id: string): Promise<void> {
  await database.query('delete from server where id = $1', [id])
}

export async function dropServersBefore(database: Queryable, seenBefore: number): Promise<void> {
  await database.query('delete from server where seen_at <= $1', [seenBefore])
}
