// What is deleted with a device? Every row that is about it.

import type { Queryable } from '../../core/storage/database.ts'
import { tenantHash } from '../../core/storage/short-keys.ts'
import { uuidText } from '../../core/storage/uuid.ts'
import { storedForms } from '../attestation/bound-device.ts'
import { deleteHistory } from './device-history.ts'
import { deleteKeysOfDevice } from './phone-keys.ts'
import { isOfDevice } from './rows-of-device.ts'

export interface ErasedDevice {
  readonly tenantId: string
  /** 16 bytes. */
  readonly deviceId: Uint8Array
  /** The keyed hash by which its visits are found. */
  readonly deviceHash: Uint8Array
  /** Blocking keys of its fingerprints. */
  readonly keys: readonly number[]
}

/** How many rows were deleted. */
export interface Erased {
  readonly installations: number
  readonly visits: number
  readonly labels: number
  readonly accounts: number
}

/** Call it in a transaction. */
export async function eraseDevice(
  tx: Queryable,
  { tenantId, deviceId, deviceHash, keys }: ErasedDevice,
): Promise<Erased> {
  const count = async (sql: string, params: readonly unknown[]) => (await tx.query(sql, params as never)).length
  for (const key of keys) {
    await tx.query('delete from device_key where key = $1 and device_id = $2', [key, deviceId])
    await tx.query('delete from new_device_key where key = $1 and device_id = $2', [key, deviceId])
  }
  await deleteHistory(tx, deviceHash)
  await tx.query('delete from device_alias where tenant_id = $1 and device_id = $2', [tenantId, deviceId])
  await deleteKeysOfDevice(tx, storedForms(uuidText(deviceId)))
  await tx.query('delete from phone_id where device_id = $2 and tenant_id = $1', [tenantId, deviceId])
  // Devices that were taken for it when they were new.
  const resembled = 'likely_device_id = $2 and tenant_id = $1'
  await tx.query(`update phone_id set likely_device_id = null where ${resembled}`, [tenantId, deviceId])
  await tx.query(
    `update installation set likely_device_id = null, likely_confidence = null, seen_in_doubt_at = null where ${resembled}`,
    [tenantId, deviceId],
  )
  return {
    installations: await count(
      'delete from installation where device_id = $2 and tenant_id = $1 returning first_seen_at',
      [tenantId, deviceId],
    ),
    visits: await count(
      `delete from device_analysis where ${isOfDevice('$1', { tenant: '$2' })} returning analysed_at`,
      [deviceHash, tenantHash(tenantId)],
    ),
    labels: await count('delete from device_label where tenant_id = $1 and device_hash = $2 returning known_at', [
      tenantId,
      deviceHash,
    ]),
    // Ids of devices are random, so no other tenant has this one.
    accounts: await count('delete from account_device where device_id = $1 returning last_seen_at', [deviceId]),
  }
}
