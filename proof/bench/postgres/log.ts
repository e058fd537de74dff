// How much does PostgreSQL write to its log for one of many equal requests?

import { setTimeout as after } from 'node:timers/promises'
import type { Client } from 'pg'
import { answer, type Row } from '../harness/harness.ts'

/** What a request leaves to be done after its answer, such as a delivery, is written by then. */
const settledMs = 3_000

/** What `work`, which is `count` requests, writes after a checkpoint, for each of them. */
export async function loggedBy(
  work: () => Promise<unknown>,
  { client, name, count }: { readonly client: Client; readonly name: string; readonly count: number },
): Promise<Row> {
  await client.query('checkpoint')
  const before = await logged(client)
  await work()
  await after(settledMs)
  return answer(name, 'bytes', [((await logged(client)) - before) / count])
}

async function logged(client: Client): Promise<number> {
  const { rows } = await client.query("select pg_current_wal_insert_lsn() - '0/0' as bytes")
  return Number(rows[0].bytes)
}
