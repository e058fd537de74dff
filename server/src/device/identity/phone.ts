// Which phone is this? Identifies it by the ids that it stores.

import type { TenantKeys } from '../../crypto/keyring.ts'
import type { Evidence } from '../analysis/evidence.ts'
import type { Identity } from './identification.ts'
import { revision } from './score.ts'

/**
 * The ids that a phone stores, the longest-lived first: on iOS the keychain id survives the app, on Android the DRM id survives a
 * reset. `confidence` is the probability that an id belongs to exactly one device and to the same one as before. These are estimates:
 * backups and clones copy ids, some makers give many devices one DRM id, and the vendor id changes when all apps of the vendor are deleted.
 */
const idsOfPhones = [
  { kind: 'keychain', idOf: ({ keychainId }: Evidence['facts']) => keychainId?.id, confidence: 0.999 },
  { kind: 'drm', idOf: ({ drmId }: Evidence['facts']) => drmId, confidence: 0.98 },
  { kind: 'android', idOf: ({ androidId }: Evidence['facts']) => androidId, confidence: 0.95 },
  { kind: 'vendor', idOf: ({ vendorId }: Evidence['facts']) => vendorId, confidence: 0.9 },
] as const

/** A keyed hash of the id, as a UUID. The visits show whether the phone is new. */
export function identifyPhone(facts: Evidence['facts'], keys: TenantKeys): Identity {
  const found = idsOfPhones.find(({ idOf }) => idOf(facts))
  if (!found) return {}
  const hex = Buffer.from(keys.hash(`phone ${found.kind} ${found.idOf(facts)}`)).toString('hex')
  // UUID version 8 (RFC 9562): a custom format.
  const deviceId = hex.slice(0, 32).replace(/^(.{8})(.{4}).(.{3}).(.{3})(.{12})$/, '$1-$2-8$3-8$4-$5')
  return {
    deviceId,
    installationId: deviceId,
    identification: { by: 'token', confidence: found.confidence },
    confidence: { score: found.confidence, revision },
  }
}
