// Which devices are deleted? Those without a visit for a long time, with their keys.

import type { Platform } from '../../platform.ts'
import { deleteDevice, deleteDeviceKeys, devicesNotSeenSince } from '../../storage/devices.ts'
import { keysOfDevice } from './blocking-keys.ts'
import { saltOf, unpacked } from './fingerprint.ts'

/**
 * Deletes at most `limit` devices whose last visit was before this time. A device with a concurrent visit stays.
 * @returns how many devices it found
 */
export async function forgetDevices(
  before: number,
  limit: number,
  { database, tenantKeyring }: Pick<Platform, 'database' | 'tenantKeyring'>,
): Promise<number> {
  const devices = await devicesNotSeenSince(database, before, limit)
  const forgotten = await Promise.all(
    devices.map(async ({ tenantId, id, fingerprint }) => ({
      tenantId,
      id,
      keys: keysIn(fingerprint, saltOf(await tenantKeyring.keysOf(tenantId))),
    })),
  )
  await database.transaction(async (tx) => {
    for (const { tenantId, id, keys } of forgotten) {
      if (await deleteDevice(tx, tenantId, id, before)) await deleteDeviceKeys(tx, id, keys)
    }
  })
  return devices.length
}

/** None for a fingerprint in an unknown format. Keys without a device do no harm. */
function keysIn(fingerprint: Uint8Array, salt: string): number[] {
  try {
    return [...keysOfDevice(unpacked(fingerprint), salt)]
  } catch {
    return []
  }
}
