// Which device is it? A browser by the token that it brought, else by likeness to those that are known; a phone by the ids that it keeps.

import type { SecureInfo } from '@ringfence/contract'
import type { SessionCall } from '../call.ts'
import type { TenantKeys } from '../keyring.ts'
import type { Platform } from '../platform.ts'
import { told } from '../told.ts'
import { readDeviceToken } from './device-token.ts'
import type { Evidence } from './evidence.ts'
import { recognise } from './recognition/recognise.ts'

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
  if (session.platform !== 'WEB') return told({ deviceId: idOfPhone(facts, keys) })
  const tokens = brought.filter((text) => text !== undefined).map((text) => readDeviceToken(text, keys))
  const known = tokens.find((token) => token !== undefined)
  const visit = { tenantId, facts, address, tokenDeviceId: known?.deviceId, installation }
  const { deviceId, newDevice, confidence, tamperingByToken } = await recognise(visit, platform)
  const forged = tokens.includes(undefined) ? 'forged' : undefined
  const noticed = forged ?? (tamperingByToken ? 'borrowed' : known && 'known')
  return {
    deviceId,
    newDevice,
    confidence,
    ...(noticed && { brought: noticed }),
  }
}

/**
 * A keyed hash of the id that lives longest, as a UUID: on iOS the keychain's, which outlives the app, on Android that of the DRM,
 * which outlives a reset. Whether it is new its visits tell.
 */
function idOfPhone(
  { keychainId, vendorId, drmId, androidId }: Evidence['facts'],
  keys: TenantKeys,
): string | undefined {
  const [kind, id] = Object.entries({
    keychain: keychainId?.id,
    drm: drmId,
    android: androidId,
    vendor: vendorId,
  }).find(([, value]) => value) ?? ['none']
  if (id === undefined) return undefined
  const hex = Buffer.from(keys.hash(`phone ${kind} ${id}`)).toString('hex')
  // Version 8 (RFC 9562): made in a way of one's own.
  return hex.slice(0, 32).replace(/^(.{8})(.{4}).(.{3}).(.{3})(.{12})$/, '$1-$2-8$3-8$4-$5')
}
