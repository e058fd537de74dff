// How much did the SDK calls of an app store today? All servers count together.

import type { Queryable } from './database.ts'

/** @returns what all servers have counted for this day. `day`: whole days since 1970, in UTC. */
export async function addStoredBytes(database: Queryable, appId: string, day: number, bytes: number): Promise<number> {
  const [counted] = await database.query<{ bytes: number }>(
    `insert into stored_bytes (app_id, day, bytes) values ($1, $2, $3)
     on conflict (app_id, day) do update set bytes = stored_bytes.bytes + excluded.bytes
     returning bytes`,
    [appId, day, bytes],
  )
  return counted!.bytes
}

/** Deletes at most `limit` counts of earlier days. @returns how many */
export async function dropStoredBytesBefore(database: Queryable, day: number, limit: number): Promise<number> {
  const dropped = await database.query(
    `delete from stored_bytes where (app_id, day) in (select app_id, day from stored_bytes where day < $1 limit ${limit})
     returning day`,
    [day],
  )
  return dropped.length
}
