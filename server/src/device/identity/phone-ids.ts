// Which ids does a phone store? Each leads to a device id.

import type { TenantKeys } from '../../core/crypto/keyring.ts'
import type { Queryable } from '../../core/storage/database.ts'
import { isSameId, uuidBytes, uuidOfHash, uuidText } from '../../core/storage/uuid.ts'
import type { Evidence } from '../analysis/evidence.ts'
import { findPhoneIds, idsOfNoOtherPhone, type PhoneIdRow } from '../store/phone-ids.ts'

/** An id that a phone sent. */
export interface PhoneId {
  readonly kind: IdKind
  /** A keyed hash, as a UUID. The first id of a new phone is that of its device, too. */
  readonly id: string
  /** The probability that the id belongs to exactly one phone, and to the same one as before. */
  readonly confidence: number
}

/** With what is stored of it. */
export interface SentId extends PhoneId {
  /** Undefined for a new id. */
  readonly row?: PhoneIdRow
  /** The device of its row; the one that it makes or joins when it is new. */
  readonly names: string
  /** No other id than those of the call names the device of its row. Looked up only where that may be another one. */
  readonly isAlone: boolean
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

export const idKinds: readonly IdKind[] = kinds.map(({ kind }) => kind)

function drmOfModel({ drmId, deviceModel }: Evidence['facts']): string | undefined {
  const { brand, identifier } = deviceModel ?? {}
  return drmId && brand && identifier ? [drmId, brand.toLowerCase(), identifier].join('\n') : undefined
}

/** The ids that the phone sent, the longest-lived first. */
export function phoneIds(facts: Evidence['facts'], keys: TenantKeys): PhoneId[] {
  return kinds.flatMap(({ kind, idOf, confidence }) => {
    const id = idOf(facts)
    return id ? [{ kind, id: phoneUuid(`${kind} ${id}`, keys), confidence }] : []
  })
}

/**
 * Looks up the ids that a phone sent. One that is new beside an id that made its device alone is of that device: the phone could not
 * read it then. Where another phone was faster, it makes its own.
 */
export async function sentIds(ids: readonly PhoneId[], tenantId: string, database: Queryable): Promise<SentId[]> {
  const sent = ids.map(({ id }) => uuidBytes(id))
  const rows = sent.length === 0 ? [] : await findPhoneIds(database, tenantId, sent)
  const devices = new Set(rows.map(({ deviceId }) => uuidText(deviceId)))
  const isUsual = ids.length < 2 || rows.length === 0 || (rows.length === 2 && devices.size === 1)
  const alone = isUsual ? [] : await idsOfNoOtherPhone(database, tenantId, sent)
  const found = ids.map((each, place) => {
    const row = rows.find(({ id }) => isSameId(id, sent[place]!))
    const isAlone = alone.some((id) => isSameId(id, sent[place]!))
    return { ...each, ...(row && { row }), names: row ? uuidText(row.deviceId) : each.id, isAlone }
  })
  const [first, second] = found
  if (!first || first.row || !second?.isAlone || second.names !== second.id) return found
  return [{ ...first, names: second.names, confidence: Math.min(first.confidence, second.confidence) }, second]
}

/** As of an id of this kind that came. */
export const idConfidence = (kind: IdKind): number => kinds.find((each) => each.kind === kind)?.confidence ?? 0

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
