// Which device is it? A browser by the token that it brought, else by likeness to those that are known; a phone by the ids that it keeps.

import type { SecureInfo } from '@ringfence/contract'
import type { SessionCall } from '../../call.ts'
import type { TenantKeys } from '../../crypto/keyring.ts'
import type { Platform } from '../../platform.ts'
import type { Evidence } from '../analysis/evidence.ts'
import { readDeviceToken } from './device-token.ts'
import { recognise } from './recognise.ts'
import { revision } from './score.ts'

/** What is known of the device beside its facts; all of it is absent where nothing tells one device from another. */
export interface Identity {
  readonly deviceId?: string
  readonly newDevice?: boolean
  readonly confidence?: NonNullable<SecureInfo['confidence']>
  /** What became of the token that it brought. */
  readonly brought?: NonNullable<Evidence['deviceToken']>
}

/**
 * A browser is recognised, or becomes a new device. The first token of those brought that is ours names it; one that is not ours is
 * noticed even beside one that is.
 */
export async function identify(
  {
    facts,
    brought,
    installation,
  }: { facts: Evidence['facts']; brought: readonly (string | undefined)[]; installation: string },
  { app, session, address }: SessionCall,
  platform: Platform,
): Promise<Identity> {
  const { tenantId } = app
  const keys = await platform.tenantKeyring.keysOf(tenantId)
  if (session.platform !== 'WEB') return identifyPhone(facts, keys)
  const tokens = brought.filter((text) => text !== undefined).map((text) => readDeviceToken(text, keys))
  const known = tokens.find((token) => token !== undefined)
  const visit = { tenantId, facts, address, tokenDeviceId: known?.deviceId, installation }
  const { deviceId, newDevice, confidence, tamperingByToken } = await recognise(visit, platform)
  const forged = tokens.includes(undefined) ? 'forged' : undefined
  const noticed = forged ?? (tamperingByToken ? 'foreign' : known && 'known')
  return {
    deviceId,
    newDevice,
    confidence,
    ...(noticed && { brought: noticed }),
  }
}

/**
 * The ids that a phone keeps, the longest-lived first: on iOS the keychain's outlives the app, on Android that of the DRM a reset.
 * `confidence`: that an id is of one device alone, and of the device that had it before. Estimates, not measured: ids are copied with
 * backups and clones, some makers give many devices one DRM id, and that of a vendor is another after its apps were deleted.
 */
const idsOfPhones = [
  { kind: 'keychain', idOf: ({ keychainId }: Evidence['facts']) => keychainId?.id, confidence: 0.999 },
  { kind: 'drm', idOf: ({ drmId }: Evidence['facts']) => drmId, confidence: 0.98 },
  { kind: 'android', idOf: ({ androidId }: Evidence['facts']) => androidId, confidence: 0.95 },
  { kind: 'vendor', idOf: ({ vendorId }: Evidence['facts']) => vendorId, confidence: 0.9 },
] as const

/** A keyed hash of its id, as a UUID. Whether the phone is new its visits tell. */
function identifyPhone(facts: Evidence['facts'], keys: TenantKeys): Identity {
  const found = idsOfPhones.find(({ idOf }) => idOf(facts))
  if (!found) return {}
  const hex = Buffer.from(keys.hash(`phone ${found.kind} ${found.idOf(facts)}`)).toString('hex')
  return {
    // Version 8 (RFC 9562): made in a way of one's own.
    deviceId: hex.slice(0, 32).replace(/^(.{8})(.{4}).(.{3}).(.{3})(.{12})$/, '$1-$2-8$3-8$4-$5'),
    confidence: { score: found.confidence, revision },
  }
}
