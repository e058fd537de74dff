// How did the sessions of a device turn out?

import type { Queryable } from './database.ts'
import type { Label } from './report-labels.ts'

export interface DeviceLabel {
  tenantId: string
  /** Keyed hash of the device's id. */
  deviceHash: Uint8Array
  dfrId: string
  label: Label
  knownAt: number
}

/** More labels of one device hardly change its history. */
const mostLabels = 100

/** Stores the label of a report, unless the stored one has a later `knownAt`. */
export async function putDeviceLabel(database: Queryable, deviceLabel: DeviceLabel): Promise<void> {
  const { tenantId, deviceHash, dfrId, label, knownAt } = deviceLabel
  await database.query(
    `insert into device_label (tenant_id, device_hash, dfr_id, label, known_at) values ($1, $2, $3, $4, $5)
     on conflict (tenant_id, device_hash, dfr_id) do update
        set label = excluded.label, known_at = excluded.known_at
      where device_label.known_at <= excluded.known_at`,
    [tenantId, deviceHash, dfrId, label, knownAt],
  )
}

export async function labelsOfDevice(
  database: Queryable,
  { tenantId, deviceHash }: Pick<DeviceLabel, 'tenantId' | 'deviceHash'>,
): Promise<{ label: Label; knownAt: number }[]> {
  return database.query<{ label: Label; knownAt: number }>(
    `select label, known_at as "knownAt" from device_label
      where tenant_id = $1 and device_hash = $2 limit ${mostLabels}`,
    [tenantId, deviceHash],
  )
}

/** Deletes at most `limit` labels with an earlier `knownAt`. @returns how many */
export async function dropDeviceLabelsBefore(database: Queryable, before: number, limit: number): Promise<number> {
  const dropped = await database.query(
    `delete from device_label where (tenant_id, device_hash, dfr_id) in
       (select tenant_id, device_hash, dfr_id from device_label where known_at < $1 limit ${limit})
     returning dfr_id`,
    [before],
  )
  return dropped.length
}
