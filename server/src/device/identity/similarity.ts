// Which known devices resemble this visit, and is it one of them? Reads little, writes nothing.

import type { Platform } from '../../platform.ts'
import { type FoundDevice, findCandidates } from '../../storage/devices.ts'
import { blockingKeys, mostDevicesOfAKey } from './blocking-keys.ts'
import { type Decision, decide } from './decide.ts'
import { type Fingerprint, type KnownFingerprint, unpacked } from './fingerprint.ts'

export type SimilarDevice = Omit<FoundDevice, 'fingerprint'> & { readonly fingerprint: KnownFingerprint }

export interface Similarity extends Decision<SimilarDevice> {
  /** All compared devices, best keys first. */
  readonly candidates: readonly SimilarDevice[]
}

/**
 * Compares a visit with the devices that share a key.
 * @param isExcluded devices that are no candidates
 */
export async function findSimilar(
  visit: Fingerprint,
  { database, tenantId, salt, now }: Pick<Platform, 'database'> & { tenantId: string; salt: string; now: number },
  isExcluded: (id: Uint8Array) => boolean = () => false,
): Promise<Similarity> {
  const keys = blockingKeys(visit, salt)
  const keyValues = keys.map(({ key }) => key)
  const { devices, full } = await findCandidates(database, tenantId, keyValues, mostDevicesOfAKey)
  const candidates = devices
    .filter(({ id }) => !isExcluded(id))
    .map((device) => ({ ...device, fingerprint: unpacked(device.fingerprint) }))
  return { candidates, ...decide(visit, keys, candidates, full, now) }
}
