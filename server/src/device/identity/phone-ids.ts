// Which ids does a phone store? Each leads to a device id.

import type { TenantKeys } from '../../core/crypto/keyring.ts'
import { uuidOfHash } from '../../core/storage/uuid.ts'
import type { Evidence } from '../analysis/evidence.ts'

/** An id that a phone sent. */
export interface PhoneId {
  readonly kind: IdKind
  /** A keyed hash of the id, as a UUID. */
  readonly deviceId: string
  /** The probability that the id belongs to exactly one phone, and to the same one as before. */
  readonly confidence: number
}

export type IdKind = 'keychain' | 'drm' | 'android' | 'vendor'

/**
 * The longest-lived first: on iOS the keychain id survives the app, on Android the DRM id survives a reset. The confidences are
 * estimates: backups and clones copy ids, and the vendor id changes when all apps of the vendor are deleted. Some makers give phones
 * of several models one DRM id, so it names a phone only together with brand and model.
 */
const kinds: readonly {
  kind: IdKind
  fact: 'keychainId' | 'drmId' | 'androidId' | 'vendorId'
  platform: Evidence['platform']
  idOf(facts: Evidence['facts']): string | undefined
  confidence: number
}[] = [
  { kind: 'keychain', fact: 'keychainId', platform: 'IOS', idOf: (facts) => facts.keychainId?.id, confidence: 0.999 },
  { kind: 'drm', fact: 'drmId', platform: 'ANDROID', idOf: drmOfModel, confidence: 0.98 },
  { kind: 'android', fact: 'androidId', platform: 'ANDROID', idOf: (facts) => facts.androidId, confidence: 0.95 },
  { kind: 'vendor', fact: 'vendorId', platform: 'IOS', idOf: (facts) => facts.vendorId, confidence: 0.9 },
]

function drmOfModel({ drmId, deviceModel }: Evidence['facts']): string | undefined {
  const { brand, identifier } = deviceModel ?? {}
  return drmId && brand && identifier ? [drmId, brand.toLowerCase(), identifier].join('\n') : undefined
}

/** The ids that the phone sent, the longest-lived first. */
export function phoneIds(facts: Evidence['facts'], keys: TenantKeys): PhoneId[] {
  return kinds.flatMap(({ kind, idOf, confidence }) => {
    const id = idOf(facts)
    return id ? [{ kind, deviceId: phoneUuid(`${kind} ${id}`, keys), confidence }] : []
  })
}

/** The ids that SDKs of this platform collect, unless the app's setting `collect` switches them off. */
export function collectedIds(
  platform: Evidence['platform'],
  collect: Readonly<Record<string, boolean>>,
): readonly IdKind[] {
  return kinds.filter((each) => each.platform === platform && collect[each.fact] !== false).map(({ kind }) => kind)
}

/** The facts that are ids of phones of this platform. */
export const idFactsOf = (platform: Evidence['platform']): readonly string[] =>
  kinds.filter((each) => each.platform === platform).map(({ fact }) => fact)

/** Whether a phone sent any of its ids. */
export const sendsAnId = (facts: Evidence['facts']): boolean => kinds.some(({ idOf }) => idOf(facts))

/** A keyed hash as a UUID of version 8 (RFC 9562): a custom format. */
export const phoneUuid = (what: string, keys: TenantKeys): string => uuidOfHash(keys.hash(`phone ${what}`))
