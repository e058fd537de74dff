// Which browser is this? A first-party id that the server issued and signed.

import { randomUUID, timingSafeEqual } from 'node:crypto'
import type { TenantKeys } from '../../crypto/keyring.ts'

/** `<UUID>.<HMAC-SHA-256 under the tenant's key, base64url>` */
const form = /^([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\.([A-Za-z0-9_-]{43})$/

export interface DeviceToken {
  readonly deviceId: string
  /** The text that the browser stores. */
  readonly text: string
}

/** A token for this device, or for a new device id. */
export const makeDeviceToken = (keys: TenantKeys, deviceId: string = randomUUID()): DeviceToken => ({
  deviceId,
  text: `${deviceId}.${signature(deviceId, keys).toString('base64url')}`,
})

/** The token that a browser sent, or undefined when this tenant did not issue it. */
export function readDeviceToken(text: string, keys: TenantKeys): DeviceToken | undefined {
  const [, deviceId, given] = form.exec(text) ?? []
  if (deviceId === undefined || given === undefined) return undefined
  const isOurs = timingSafeEqual(Buffer.from(given, 'base64url'), signature(deviceId, keys))
  return isOurs ? { deviceId, text } : undefined
}

const signature = (deviceId: string, keys: TenantKeys) => Buffer.from(keys.hash(`device token ${deviceId}`))
