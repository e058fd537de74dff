// How did the sessions of a device turn out? Kept with the device, for as long as its visits.

import type { Outcome } from '../rules/label.ts'
import type { Queryable } from './database.ts'

export interface DeviceOutcome {
  tenantId: string
  /** HMAC of the device id under the tenant's look-up key. */
  deviceHash: Uint8Array
  dfrId: string
  outcome: Outcome
  knownAt: number
}

/** More outcomes of one device tell no more. */
const mostOutcomes = 100

/** Keeps the outcome of a report's session, unless one is kept that was known later. */
export async function putDeviceOutcome(database: Queryable, outcome: DeviceOutcome): Promise<void> {
  const { tenantId, deviceHash, dfrId, outcome: name, knownAt } = outcome
  await database.query(
    `insert into device_outcome (tenant_id, device_hash, dfr_id, outcome, known_at) values ($1, $2, $3, $4, $5)
     on conflict (tenant_id, device_hash, dfr_id) do update
        set outcome = excluded.outcome, known_at = excluded.known_at
      where device_outcome.known_at <= excluded.known_at`,
    [tenantId, deviceHash, dfrId, name, knownAt],
  )
}

export async function outcomesOfDevice(
  database: Queryable,
  { tenantId, deviceHash }: Pick<DeviceOutcome, 'tenantId' | 'deviceHash'>,
): Promise<{ outcome: Outcome; knownAt: number }[]> {
  return database.query<{ outcome: Outcome; knownAt: number }>(
    `select outcome, known_at as "knownAt" from device_outcome
      where tenant_id = $1 and device_hash = $2 limit ${mostOutcomes}`,
    [tenantId, deviceHash],
  )
}

/** Drops at most `limit` outcomes that were known before this time, and says how many. */
export async function dropOutcomesBefore(database: Queryable, before: number, limit: number): Promise<number> {
  const dropped = await database.query(
    `delete from device_outcome where (tenant_id, device_hash, dfr_id) in
       (select tenant_id, device_hash, dfr_id from device_outcome where known_at < $1 limit ${limit})
     returning dfr_id`,
    [before],
  )
  return dropped.length
}
