// What time is it in the store? All servers of a store share this time, whatever their own clocks say.

import type { Database } from '../database.ts'

/** Epoch milliseconds by the clock of PostgreSQL. Undefined for the embedded store, which has the clock of its only server. */
export async function storeTime(database: Pick<Database, 'engine' | 'query'>): Promise<number | undefined> {
  if (database.engine === 'sqlite') return undefined
  const [row] = await database.query<{ now: number }>(
    'select cast(extract(epoch from clock_timestamp()) * 1000 as bigint) as now',
  )
  return row!.now
}
