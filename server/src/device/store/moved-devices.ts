// What belongs to a device that turned out to be another one? Its visits and labels.

import type { Queryable } from '../../core/storage/database.ts'
import type { HistoryRow } from './device-history.ts'

/** All rows of the history of a device: its own, and those of its installations. */
export function historyRowsOf(tx: Queryable, deviceHash: Uint8Array): Promise<HistoryRow[]> {
  return tx.query<HistoryRow & Record<string, never>>(
    `select device_hash as "deviceHash", installation_hash as "installationHash",
            sole_installation_hash as "soleInstallationHash", first_at as "firstAt", last_at as "lastAt", seen, version
       from device_history where device_hash = $1`,
    [deviceHash],
  )
}

/** Moves visits and labels of a device to another one. */
export async function moveVisits(tx: Queryable, from: Uint8Array, to: Uint8Array): Promise<void> {
  await tx.query('update device_analysis set device_hash = $2 where device_hash = $1', [from, to])
  await tx.query('update device_label set device_hash = $2 where device_hash = $1', [from, to])
}
