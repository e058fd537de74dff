// Which devices does a tenant have? For people who look at them, not for calls: it reads many rows.

import type { Queryable } from '../../core/storage/database.ts'

export interface ListedDevice {
  /** 16 bytes. */
  readonly deviceId: Uint8Array
  readonly installations: number
  /** How many of them have a key. */
  readonly keys: number
  /** Epoch milliseconds. */
  readonly firstSeenAt: number
  readonly lastSeenAt: number
}

/** The browsers of a tenant, last seen first. */
export function listDevices(database: Queryable, tenantId: string, limit: number): Promise<ListedDevice[]> {
  return database.query<ListedDevice & Record<string, never>>(
    `select device_id as "deviceId", cast(count(*) as integer) as installations,
            cast(count(key_hash) as integer) as keys, min(first_seen_at) as "firstSeenAt", max(last_seen_at) as "lastSeenAt"
       from installation where tenant_id = $1
      group by device_id order by 5 desc, 1 limit cast($2 as integer)`,
    [tenantId, limit],
  )
}
