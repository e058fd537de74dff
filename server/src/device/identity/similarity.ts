// Which known devices does a visit look like, and is it one of them? By few reads; nothing is written.

import type { Platform } from '../../platform.ts'
import { type FoundDevice, findCandidates } from '../../storage/devices.ts'
import { blockingKeys, mostDevicesOfAKey } from './blocking-keys.ts'
import { type Decision, decide } from './decide.ts'
import { type Fingerprint, type KnownFingerprint, unpacked } from './fingerprint.ts'

export type Alike = Omit<FoundDevice, 'fingerprint'> & { readonly fingerprint: KnownFingerprint }

export interface Likeness extends Decision<Alike> {
  /** All that were compared, best keys first. */
  readonly candidates: readonly Alike[]
}

/**
 * Compares a visit with those who share a key with it.
 * @param isPassedOver says which device it is not
 */
export async function likenessOf(
  visit: Fingerprint,
  { database, tenantId, salt }: Pick<Platform, 'database'> & { tenantId: string; salt: string },
  isPassedOver: (id: Uint8Array) => boolean = () => false,
): Promise<Likeness> {
  const keys = blockingKeys(visit, salt)
  const asked = keys.map(({ key }) => key)
  const { devices, full } = await findCandidates(database, tenantId, asked, mostDevicesOfAKey)
  const candidates = devices
    .filter(({ id }) => !isPassedOver(id))
    .map((device) => ({ ...device, fingerprint: unpacked(device.fingerprint) }))
  return { candidates, ...decide(visit, keys, candidates, full) }
}
