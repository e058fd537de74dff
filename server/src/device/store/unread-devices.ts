// What remains in the tables device and device_claim? Nothing reads them since installations; servers of the version before still may.

import type { Queryable } from '../../core/storage/database.ts'

/** Deletes at most `limit` devices that were not seen since this time, and old claims. @returns how many devices */
export async function dropUnreadDevicesBefore(database: Queryable, before: number, limit: number): Promise<number> {
  await database.query(
    `delete from device_claim where key in (select key from device_claim where claimed_at < $1 limit ${limit})`,
    [before],
  )
  const dropped = await database.query(
    `delete from device where (tenant_id, id) in
       (select tenant_id, id from device where last_seen_at < $1 order by last_seen_at limit ${limit})
     returning last_seen_at`,
    [before],
  )
  return dropped.length
}
