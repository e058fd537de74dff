// How did the sessions of a device turn out?

import type { Queryable } from '../../../core/storage/database.ts'
import type { Label } from './report-labels.ts'

export interface DeviceLabel {
  tenantId: string
  /** Keyed hash of the device's id. */
  deviceHash: Uint8Array
  /** Keyed hash of the installation's id; null when none is known. */
  installationHash: Uint8Array | null
  /** As in a visit. */
  attested?: number | null | undefined
  dfrId: string
  label: Label
  knownAt: number
  /** When the session was, which is before `knownAt`. */
  visitedAt: number
}

/** More bad labels hardly change a score. */
export const mostBadLabels = 20

/** Stores the label of a report, unless the stored one has a later `knownAt`. */
export async function putDeviceLabel(database: Queryable, deviceLabel: DeviceLabel): Promise<void> {
  const { tenantId, deviceHash, installationHash, attested, dfrId, label, knownAt, visitedAt } = deviceLabel
  await database.query(
    `insert into device_label (tenant_id, device_hash, dfr_id, label, known_at, installation_hash, attested, visited_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8)
     on conflict (tenant_id, device_hash, dfr_id) do update
        set label = excluded.label, known_at = excluded.known_at
      where device_label.known_at <= excluded.known_at`,
    [tenantId, deviceHash, dfrId, label, knownAt, installationHash, attested ?? null, visitedAt],
  )
}

/** Bad labels of a device, newest first. */
export interface BadLabels {
  /** `knownAt` of those that count for the installation. */
  readonly own: readonly number[]
  /** How many count only for other installations. */
  readonly linked: number
}

/** A label of this installation, of an attested phone, or of a session before `since`. */
const isOwn =
  '((installation_hash is not null and installation_hash = $2) or coalesce(attested, 0) = 1 or coalesce(visited_at, 0) < $3)'

/**
 * The newest bad labels of a device. Those of an installation count, those of an attested phone, which nobody else can be, and those of
 * sessions before `since`. Good labels are not read, and the two groups are read apart, so that nothing crowds out a bad label.
 */
export async function badLabelsOf(
  database: Queryable,
  deviceHash: Uint8Array,
  { installationHash, since }: { installationHash: Uint8Array; since: number },
): Promise<BadLabels> {
  const found = await database.query<{ knownAt: number; own: number }>(
    `select known_at as "knownAt", 1 as own from
       (select known_at from device_label where device_hash = $1 and label <> 'legitimate' and ${isOwn}
         order by known_at desc limit ${mostBadLabels}) own
      union all
     select known_at as "knownAt", 0 as own from
       (select known_at from device_label where device_hash = $1 and label <> 'legitimate' and not ${isOwn}
         order by known_at desc limit ${mostBadLabels}) linked`,
    [deviceHash, installationHash, since],
  )
  const own = found.filter((label) => label.own === 1)
  return { own: own.map(({ knownAt }) => knownAt), linked: found.length - own.length }
}

/** All labels of a device since a time, newest first. */
export function labelsOfDevice(
  database: Queryable,
  { tenantId, deviceHash }: Pick<DeviceLabel, 'tenantId' | 'deviceHash'>,
  since: number,
  limit: number,
): Promise<Pick<DeviceLabel, 'dfrId' | 'label' | 'knownAt'>[]> {
  return database.query<Pick<DeviceLabel, 'dfrId' | 'label' | 'knownAt'>>(
    `select dfr_id as "dfrId", label, known_at as "knownAt" from device_label
      where tenant_id = $1 and device_hash = $2 and known_at >= $3
      order by known_at desc, dfr_id limit cast($4 as integer)`,
    [tenantId, deviceHash, since, limit],
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
