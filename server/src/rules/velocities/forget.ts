// What do velocities know of a device that is forgotten? The counts that it and its installations are the key of are deleted.

import type { TenantKeys } from '../../core/crypto/keyring.ts'
import type { Queryable } from '../../core/storage/database.ts'
import { deleteVelocities, velocityKey } from '../store/velocity-counts.ts'

/** The key of counts: a kind of key and its value, as `keyOf` of a compiled velocity has them. */
export const keyHashOf = (keys: TenantKeys, key: string): Uint8Array => velocityKey(keys.hash(`velocity key ${key}`))

/** Where another key counted the device as a distinct value, a hash remains until it leaves its window. */
export async function forgetInVelocities(
  tx: Queryable,
  { deviceId, installationIds }: { deviceId: string; installationIds: readonly string[] },
  keys: TenantKeys,
): Promise<void> {
  await deleteVelocities(tx, keyHashOf(keys, `device ${deviceId}`))
  for (const id of installationIds) await deleteVelocities(tx, keyHashOf(keys, `installation ${id}`))
}
