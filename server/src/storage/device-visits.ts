// When was a device seen, by whom was it used, what was found of it, and which devices does an account use?

import type { AddressHashes } from './address-outcomes.ts'
import type { Queryable } from './database.ts'

export interface DeviceVisit {
  tenantId: string
  /** HMAC of the device id under the tenant's look-up key. */
  deviceHash: Uint8Array
  visitedAt: number
  dfrId: string
  accountHash: Uint8Array | null
  numberHash: Uint8Array | null
  country: string | null
  /** Names of those that fired, separated by spaces. */
  signals: string
  /** Null where the address is not known, or not public. */
  prefixHash: Uint8Array | null
  addressHash: Uint8Array | null
}

export type PastVisit = Omit<DeviceVisit, 'tenantId' | 'deviceHash' | keyof AddressHashes>

/** More visits than this in the days that are looked at tell no more. */
const mostVisits = 500
const mostDevices = 100

/** Keeps a visit; the same one again changes nothing but what the app told later. */
export async function keepVisit(database: Queryable, visit: DeviceVisit): Promise<void> {
  const { tenantId, deviceHash, visitedAt, dfrId, accountHash, numberHash, country, signals, prefixHash, addressHash } =
    visit
  const kept = database.query(
    `insert into device_visit
       (tenant_id, device_hash, visited_at, dfr_id, account_hash, number_hash, country, signals, prefix_hash, address_hash)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)
     on conflict (tenant_id, device_hash, visited_at, dfr_id) do update
        set account_hash = excluded.account_hash, number_hash = excluded.number_hash`,
    [tenantId, deviceHash, visitedAt, dfrId, accountHash, numberHash, country, signals, prefixHash, addressHash],
  )
  const known =
    accountHash &&
    database.query(
      `insert into account_device (tenant_id, account_hash, device_hash, last_visit_at) values ($1, $2, $3, $4)
       on conflict (tenant_id, account_hash, device_hash) do update set last_visit_at = excluded.last_visit_at`,
      [tenantId, accountHash, deviceHash, visitedAt],
    )
  await Promise.all([kept, known])
}

/** The visits of a device since a time, the newest first. */
export async function visitsSince(
  database: Queryable,
  { tenantId, deviceHash }: Pick<DeviceVisit, 'tenantId' | 'deviceHash'>,
  since: number,
): Promise<PastVisit[]> {
  return database.query<PastVisit>(
    `select visited_at as "visitedAt", dfr_id as "dfrId", account_hash as "accountHash",
            number_hash as "numberHash", country, signals
       from device_visit
      where tenant_id = $1 and device_hash = $2 and visited_at > $3
      order by visited_at desc limit ${mostVisits}`,
    [tenantId, deviceHash, since],
  )
}

/** When a device was first seen, as far as its visits are kept. */
export async function firstVisitOf(
  database: Queryable,
  { tenantId, deviceHash }: Pick<DeviceVisit, 'tenantId' | 'deviceHash'>,
): Promise<number | undefined> {
  const [first] = await database.query<{ visitedAt: number }>(
    `select visited_at as "visitedAt" from device_visit
      where tenant_id = $1 and device_hash = $2 order by visited_at limit 1`,
    [tenantId, deviceHash],
  )
  return first?.visitedAt
}

/** The device of a report, and the address that it came from. */
export async function visitOfReport(
  database: Queryable,
  tenantId: string,
  dfrId: string,
): Promise<Pick<DeviceVisit, 'deviceHash' | keyof AddressHashes> | undefined> {
  const [visit] = await database.query<Pick<DeviceVisit, 'deviceHash' | keyof AddressHashes>>(
    `select device_hash as "deviceHash", prefix_hash as "prefixHash", address_hash as "addressHash"
       from device_visit where tenant_id = $1 and dfr_id = $2 limit 1`,
    [tenantId, dfrId],
  )
  return visit
}

/** The devices of an account since a time, those that came last, each with its last visit. */
export async function devicesOfAccountSince(
  database: Queryable,
  { tenantId, accountHash }: { tenantId: string; accountHash: Uint8Array },
  since: number,
): Promise<{ deviceHash: Uint8Array; lastVisitAt: number }[]> {
  return database.query<{ deviceHash: Uint8Array; lastVisitAt: number }>(
    `select device_hash as "deviceHash", last_visit_at as "lastVisitAt"
       from account_device
      where tenant_id = $1 and account_hash = $2 and last_visit_at > $3
      order by last_visit_at desc limit ${mostDevices}`,
    [tenantId, accountHash, since],
  )
}

/** Drops at most `limit` visits, and as many devices of accounts, that were last seen before this time; says how many. */
export async function dropVisitsBefore(database: Queryable, before: number, limit: number): Promise<number> {
  const visits = await database.query(
    `delete from device_visit where (tenant_id, device_hash, visited_at, dfr_id) in
       (select tenant_id, device_hash, visited_at, dfr_id from device_visit where visited_at < $1 limit ${limit})
     returning dfr_id`,
    [before],
  )
  const devices = await database.query(
    `delete from account_device where (tenant_id, account_hash, device_hash) in
       (select tenant_id, account_hash, device_hash from account_device where last_visit_at < $1 limit ${limit})
     returning device_hash`,
    [before],
  )
  return visits.length + devices.length
}
