// Which device is it? By the token that a browser brought, else by likeness to those that are known.

import type { SecureInfo } from '@ringfence/contract'
import type { SessionCall } from '../call.ts'
import type { TenantKeys } from '../keyring.ts'
import type { Platform } from '../platform.ts'
import { makeDeviceToken, readDeviceToken } from './device-token.ts'
import type { Evidence } from './evidence.ts'
import { recognise } from './recognition/recognise.ts'

/** What is known of the device beside its facts; all of it is absent where nothing tells one device from another. */
export interface Identity {
  readonly deviceId?: string
  readonly newDevice?: boolean
  readonly confidence?: NonNullable<SecureInfo['confidence']>
  /** What became of the token that it brought. */
  readonly brought?: NonNullable<Evidence['deviceToken']>
  /** What the browser shall keep. */
  readonly deviceToken?: string
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
  if (session.platform !== 'WEB') return {}
  const { tenantId } = app
  const keys = await platform.tenantKeyring.keysOf(tenantId)
  const tokens = brought.filter((text) => text !== undefined).map((text) => readDeviceToken(text, keys))
  const known = tokens.find((token) => token !== undefined)
  const visit = { tenantId, facts, address, tokenDeviceId: known?.deviceId, installation }
  const { deviceId, newDevice, confidence, tamperingByToken } = await recognise(visit, platform)
  const forged = tokens.includes(undefined) ? 'forged' : undefined
  const told = forged ?? (tamperingByToken ? 'borrowed' : known && 'known')
  return {
    deviceId,
    newDevice,
    confidence,
    ...(told && { brought: told }),
    deviceToken: tokenOf(deviceId, keys),
  }
}

const tokenOf = (deviceId: string, keys: TenantKeys) => makeDeviceToken(keys, deviceId).text
