// Under which id is a device known now? Two devices that turned out to be one have the older id; the newer is an alias of it.

import type { BatchStatement, Queryable } from '../../core/storage/database.ts'
import { isUuid, uuidBytes, uuidText } from '../../core/storage/uuid.ts'

const mostSteps = 4

/** The id that visits get now, for an id of any time: itself, where it is no alias. Resolve every id that comes from outside. */
export async function currentDeviceId(database: Queryable, tenantId: string, deviceId: string): Promise<string> {
  let current = deviceId
  // Two servers may have merged three devices at once: then an alias leads to an alias.
  for (let step = 0; step < mostSteps && isUuid(current); step++) {
    const [found] = await database.query<{ deviceId: Uint8Array }>(
      'select device_id as "deviceId" from device_alias where tenant_id = $1 and alias_id = $2',
      [tenantId, uuidBytes(current)],
    )
    if (!found) break
    current = uuidText(found.deviceId)
  }
  return current
}

/** A device has at most so many former ids, so that each of them can be looked up: one that nobody reads washes a ban. */
const mostFormerIds = 100

/** The ids that a device had before it turned out to be this one, the newest first. */
export async function formerIdsOf(database: Queryable, tenantId: string, deviceId: string): Promise<string[]> {
  if (!isUuid(deviceId)) return []
  const rows = await database.query<{ aliasId: Uint8Array }>(
    `select alias_id as "aliasId" from device_alias
      where tenant_id = $1 and device_id = $2 order by merged_at desc, alias_id`,
    [tenantId, uuidBytes(deviceId)],
  )
  return rows.map(({ aliasId }) => uuidText(aliasId))
}

/** Whether the older of two devices can take the newer one, with all that it was called before. */
export async function hasRoomFor(
  database: Queryable,
  tenantId: string,
  { from, into }: { from: Uint8Array; into: Uint8Array },
): Promise<boolean> {
  const [counted] = await database.query<{ ids: number }>(
    'select cast(count(*) as integer) as ids from device_alias where tenant_id = $1 and device_id in ($2, $3)',
    [tenantId, from, into],
  )
  return counted!.ids < mostFormerIds
}

/** `from` and its own former ids are other names of `into` from now on. To repeat it changes nothing. */
export const aliasStatements = (
  tenantId: string,
  { from, into, at }: { from: Uint8Array; into: Uint8Array; at: number },
): BatchStatement[] => [
  {
    sql: 'update device_alias set device_id = $3 where tenant_id = $1 and device_id = $2',
    params: [tenantId, from, into],
  },
  {
    sql: `insert into device_alias (tenant_id, alias_id, device_id, merged_at) values ($1, $2, $3, $4)
          on conflict (tenant_id, alias_id) do update set device_id = excluded.device_id`,
    params: [tenantId, from, into, at],
  },
]

/** Deletes the aliases of a device that has no installation any more. */
export const aliasesDelete = (tenantId: string, deviceId: Uint8Array): BatchStatement => ({
  sql: `delete from device_alias where tenant_id = $1 and device_id = $2
         and not exists (select 1 from installation where device_id = $2 and tenant_id = $1)`,
  params: [tenantId, deviceId],
})
