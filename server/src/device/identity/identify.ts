// Which browser is this? Identifies it by its token or by similarity; phone.ts identifies a phone.

import type { SessionCall } from '../../call.ts'
import type { Platform } from '../../platform.ts'
import type { Evidence } from '../analysis/evidence.ts'
import { readDeviceToken } from './device-token.ts'
import type { Identity } from './identification.ts'
import { recognise } from './recognise.ts'

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
  { app, address }: SessionCall,
  platform: Platform,
): Promise<Identity> {
  const { tenantId } = app
  const keys = await platform.tenantKeyring.keysOf(tenantId)
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
