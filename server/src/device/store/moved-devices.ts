// What belongs to a device that turned out to be another one? Its visits and labels.

import type { Queryable } from '../../core/storage/database.ts'
import { type HistoryRow, historyColumns, historyRows, type StoredHistory } from './device-history.ts'
import { isOfDevice } from './rows-of-device.ts'

/** All rows of the history of a device: its own, and those of its installations. */
export async function historyRowsOf(tx: Queryable, deviceHash: Uint8Array): Promise<HistoryRow[]> {
  return historyRows(
    await tx.query<StoredHistory>(`select ${historyColumns} from device_history where device_hash = $1`, [deviceHash]),
  )
}

/** Moves visits and labels of a device to another one. */
export async function moveVisits(tx: Queryable, from: Uint8Array, to: Uint8Array): Promise<void> {
  await tx.query(`update device_analysis set device_hash = $2 where ${isOfDevice('$1')}`, [from, to])
  await tx.query('update device_label set device_hash = $2 where device_hash = $1', [from, to])
}
