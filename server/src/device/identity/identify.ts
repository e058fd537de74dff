// Which device is this? Identifies a browser by its token or by similarity, and a phone by its stored ids.

import type { SecureInfo } from '@ringfence/contract'
import type { SessionCall } from '../../call.ts'
import type { TenantKeys } from '../../crypto/keyring.ts'
import type { Platform } from '../../platform.ts'
import type { Evidence } from '../analysis/evidence.ts'
import { readDeviceToken } from './device-token.ts'
import type { Identification } from './identification.ts'
import { recognise } from './recognise.ts'
import { revision } from './score.ts'

/** The identity of a device; empty when nothing identifies it. */
export interface Identity {
  readonly deviceId?: string
  readonly newDevice?: boolean
  /** The UUID of the browser profile or app; an installation belongs to one device. */
  readonly installationId?: string
  readonly identification?: Identification
  readonly confidence?: NonNullable<SecureInfo['confidence']>
  /** The check of the token that the browser sent. */
  readonly tokenCheck?: NonNullable<Evidence['deviceToken']>
}

/**
 * Recognises a browser or makes a new device. The first valid token names the device. A forged token is recorded even beside a
 * valid one.
 */
export async function identify(
  {
    facts,
    tokens: sent,
    installation,
  }: { facts: Evidence['facts']; tokens: readonly (string | undefined)[]; installation: string },
  { app, session, address }: SessionCall,
  platform: Platform,
): Promise<Identity> {
  const { tenantId } = app
  const keys = await platform.tenantKeyring.keysOf(tenantId)
  if (session.platform !== 'WEB') return identifyPhone(facts, keys)
  const tokens = sent.filter((text) => text !== undefined).map((text) => readDeviceToken(text, keys))
  const known = tokens.find((token) => token !== undefined)
  const visit = { tenantId, facts, address, tokenDeviceId: known?.deviceId, installation }
  const { deviceId, newDevice, by, confidence, tamperingByToken } = await recognise(visit, platform)
  const forged = tokens.includes(undefined) ? 'forged' : undefined
  const noticed = forged ?? (tamperingByToken ? 'foreign' : known && 'known')
  return {
    deviceId,
    newDevice,
    installationId: deviceId,
    identification: { by, confidence: confidence.score },
    confidence,
    ...(noticed && { tokenCheck: noticed }),
  }
}

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
function identifyPhone(facts: Evidence['facts'], keys: TenantKeys): Identity {
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
