// Which device did an id of a phone, or the certificate of its keys, name first, and when? Found by the id.

import type { BatchStatement, Queryable } from '../../core/storage/database.ts'
import { dropUnseen } from '../../core/storage/unseen.ts'

export interface PhoneIdRow {
  readonly tenantId: string
  /** 16 bytes, as is `deviceId`: a keyed hash. */
  readonly id: Uint8Array
  readonly deviceId: Uint8Array
  readonly firstSeenAt: number
  readonly lastSeenAt: number
}

/** Of at most two ids: no phone sends more. */
export function findPhoneIds(
  database: Queryable,
  tenantId: string,
  [first, second = first]: readonly Uint8Array[],
): Promise<PhoneIdRow[]> {
  return database.query<PhoneIdRow & Record<string, never>>(
    `select tenant_id as "tenantId", id, device_id as "deviceId", first_seen_at as "firstSeenAt", last_seen_at as "lastSeenAt"
       from phone_id where tenant_id = $1 and id in ($2, $3)`,
    [tenantId, first!, second!],
  )
}

/** Of these ids, those whose device no other id names that a phone stores. Of at most two. */
export async function idsOfNoOtherPhone(
  database: Queryable,
  tenantId: string,
  [first, second = first]: readonly Uint8Array[],
): Promise<Uint8Array[]> {
  const rows = await database.query<{ id: Uint8Array }>(
    `select id from phone_id its where tenant_id = $1 and id in ($2, $3) and not exists (
       select 1 from phone_id other
        where other.device_id = its.device_id and other.tenant_id = $1 and other.id not in ($2, $3)
           and other.is_certificate = 0)`,
    [tenantId, first!, second!],
  )
  return rows.map(({ id }) => id)
}

/** What a visit changes of an id. JSON can represent it. */
export interface PhoneIdChange extends Omit<PhoneIdRow, 'firstSeenAt' | 'lastSeenAt'> {
  /** Of an id that makes a device, a keyed hash. */
  readonly network?: number | undefined
  /** Of an id that makes a device: the one that another id of the phone names. */
  readonly likelyDeviceId?: Uint8Array | undefined
  readonly isCertificate?: true
  readonly at: number
}

/** The id keeps the device that it named first. */
export const putPhoneId = ({
  tenantId,
  id,
  deviceId,
  network,
  likelyDeviceId,
  isCertificate,
  at,
}: PhoneIdChange): BatchStatement => ({
  sql: `insert into phone_id
          (tenant_id, id, device_id, network, likely_device_id, is_certificate, first_seen_at, last_seen_at, retention_at)
        values ($1, $2, $3, $4, $5, $6, $7, $7, $7)
        on conflict (tenant_id, id) do update set last_seen_at = excluded.last_seen_at
         where phone_id.last_seen_at < excluded.last_seen_at`,
  params: [tenantId, id, deviceId, network ?? null, likelyDeviceId ?? null, isCertificate ? 1 : 0, at],
})

const lastSeen = { table: 'phone_id', key: 'tenant_id, id', seenAt: 'last_seen_at' }

/** Deletes ids that were not seen since this moment. @returns as `dropUnseen` */
export const dropPhoneIdsBefore = (database: Queryable, moment: number, limit: number): Promise<number> =>
  dropUnseen(database, lastSeen, moment, limit)
