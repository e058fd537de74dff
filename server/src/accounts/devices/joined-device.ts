// What is stored of two devices of a user that are one, or of one device of two users that are one? What both rows knew.

import type { TenantKeys } from '../../core/crypto/keyring.ts'
import type { Queryable } from '../../core/storage/database.ts'
import { uuidBytes } from '../../core/storage/uuid.ts'
import {
  type AccountDevice,
  accountsWithDevice,
  deleteAccountDevices,
  findAccountDevice,
  installationsIn,
  packedInstallations,
  putAccountDevice,
} from '../../device/store/account-devices.ts'
import type { Account } from '../stored-knowledge.ts'
import { openDescription, sealDescription } from './confirmed-device.ts'

/** The row after `device`, which was stored for `from`, has become `to`. What either row revoked is not trusted. */
export function joinedDevice(
  device: AccountDevice,
  stored: AccountDevice | undefined,
  { from, to }: { from: Account; to: Account & { readonly deviceId: string } },
  keys: TenantKeys,
): AccountDevice {
  const deviceId = uuidBytes(to.deviceId)
  const description = { ...openDescription(device, from, keys), ...(stored && openDescription(stored, to, keys)) }
  const sealed = sealDescription(description, to, keys)
  if (!stored) return { ...device, deviceId, sealed }
  const revoked = [device, stored].flatMap(({ revokedAt }) => (revokedAt === null ? [] : [revokedAt]))
  const confirmed = [...installationsIn(device), ...installationsIn(stored)].toSorted(
    (one, other) => other.confirmedAt - one.confirmedAt,
  )
  const newest = confirmed.filter(({ id }, i) => confirmed.findIndex((other) => other.id === id) === i)
  return {
    deviceId,
    installations: packedInstallations(newest),
    firstSeenAt: Math.min(device.firstSeenAt, stored.firstSeenAt),
    lastSeenAt: Math.max(device.lastSeenAt, stored.lastSeenAt),
    revokedAt: revoked.length > 0 ? Math.max(...revoked) : null,
    sealed,
  }
}

/** Each account that has the device `from` has `into` from now on, as much trusted as both were. In a transaction. */
export async function mergeAccountDevices(
  tx: Queryable,
  { tenantId, from, into }: { tenantId: string; from: string; into: string },
  keys: TenantKeys,
): Promise<void> {
  const [gone, kept] = [uuidBytes(from), uuidBytes(into)]
  for (const accountHash of await accountsWithDevice(tx, gone)) {
    const account = { tenantId, accountHash }
    const device = await findAccountDevice(tx, accountHash, gone)
    if (!device) continue
    const stored = await findAccountDevice(tx, accountHash, kept)
    await deleteAccountDevices(tx, accountHash, gone)
    const place = { from: account, to: { ...account, deviceId: into } }
    await putAccountDevice(tx, accountHash, joinedDevice(device, stored, place, keys))
  }
}
