// Which devices are forgotten? Those that were not seen for long, with the keys by which they were found.

import type { Platform } from '../../platform.ts'
import { deleteDevice, deleteDeviceKeys, devicesNotSeenSince } from '../../storage/devices.ts'
import { keysOfDevice } from './blocking-keys.ts'
import { saltOf, unpacked } from './fingerprint.ts'

/** Forgets at most `limit` devices that were last seen before this time, and says how many it looked at. One that comes meanwhile stays. */
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

/** A fingerprint of a form that is not known any more names none: keys without a device lead nowhere. */
function keysIn(fingerprint: Uint8Array, salt: string): number[] {
  try {
    return [...keysOfDevice(unpacked(fingerprint), salt)]
  } catch {
    return []
  }
}
