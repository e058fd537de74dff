// How much does PostgreSQL write to its log for one of many equal requests?

import { setTimeout as after } from 'node:timers/promises'
import type { Client } from 'pg'

/** What a request leaves to be done after its answer, such as a delivery, is written by then. */
const settledMs = 3_000

export interface Logged {
  readonly bytes: number
  /** Rows of `event`. */
  readonly events: number
}

/** What `work`, which is `count` requests, writes after a checkpoint, for each of them. */
export async function loggedBy(work: () => Promise<unknown>, client: Client, count: number): Promise<Logged> {
  await client.query('checkpoint')
  const before = await logged(client)
  await work()
  await after(settledMs)
  const now = await logged(client)
  return { bytes: (now.bytes - before.bytes) / count, events: (now.events - before.events) / count }
}

async function logged(client: Client): Promise<Logged> {
  const { rows } = await client.query(
    "select pg_current_wal_insert_lsn() - '0/0' as bytes, (select count(*) from event) as events",
  )
  return { bytes: Number(rows[0].bytes), events: Number(rows[0].events) }
}
