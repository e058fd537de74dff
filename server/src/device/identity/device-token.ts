// Which installation is this? A first-party token that the server issued, signed, and bound to the key of the installation.

import { timingSafeEqual } from 'node:crypto'
import type { TenantKeys } from '../../core/crypto/keyring.ts'

const dayMs = 86_400_000
/** A token is replaced when it is older. */
const rotationMs = dayMs
/** An older token is ignored. Browsers store a cookie for at most as long. */
const lifetimeMs = 400 * dayMs

/** `<UUID>.<issued at, base36>.<key>.<HMAC-SHA-256 under the tenant's key>`; tokens from before have only the first and the last. */
const form =
  /^([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})(?:\.([0-9a-z]{1,8})\.([A-Za-z0-9_-]{16}|-))?\.([A-Za-z0-9_-]{43})$/

export interface DeviceToken {
  readonly installationId: string
  /** The start of the hash of the public key, as text; absent when the installation has none. */
  readonly key?: string
  /** Epoch milliseconds, in whole seconds. Absent in the old form. */
  readonly issuedAt?: number
  /** The text that the browser stores. */
  readonly text: string
}

/** The part of a key hash that a token contains. */
export const keyInToken = (keyHash: Uint8Array): string => Buffer.from(keyHash).toString('base64url', 0, 12)

function makeDeviceToken(
  keys: TenantKeys,
  { installationId, keyHash, now }: { installationId: string; keyHash?: Uint8Array | undefined; now: number },
): DeviceToken {
  const seconds = Math.floor(now / 1000)
  const key = keyHash && keyInToken(keyHash)
  const claims = `${installationId}.${seconds.toString(36)}.${key ?? '-'}`
  const text = `${claims}.${signature(claims, keys).toString('base64url')}`
  return { installationId, issuedAt: seconds * 1000, ...(key !== undefined && { key }), text }
}

/** The token that a browser sent, or undefined when this tenant did not issue it. It may have expired. */
export function readDeviceToken(text: string, keys: TenantKeys): DeviceToken | undefined {
  const [, installationId, issued, key, given] = form.exec(text) ?? []
  if (installationId === undefined || given === undefined) return undefined
  const claims = issued === undefined ? installationId : `${installationId}.${issued}.${key}`
  if (!timingSafeEqual(Buffer.from(given, 'base64url'), signature(claims, keys))) return undefined
  return {
    installationId,
    ...(key !== undefined && key !== '-' && { key }),
    ...(issued !== undefined && { issuedAt: Number.parseInt(issued, 36) * 1000 }),
    text,
  }
}

/** A token of the old form has no time, and is replaced at its first use. */
export const isExpired = ({ issuedAt }: DeviceToken, now: number): boolean =>
  issuedAt !== undefined && issuedAt + lifetimeMs < now

/** The token to answer with: the one that was sent, while it is fresh and of this installation and key; else a new one. */
export function deviceTokenFor(
  sent: readonly (DeviceToken | undefined)[],
  its: { installationId: string; keyHash?: Uint8Array | undefined; now: number },
  keys: TenantKeys,
): string {
  const key = its.keyHash && keyInToken(its.keyHash)
  const fresh = sent.find(
    (token) =>
      token?.installationId === its.installationId &&
      token.key === key &&
      token.issuedAt !== undefined &&
      token.issuedAt + rotationMs > its.now,
  )
  return fresh?.text ?? makeDeviceToken(keys, its).text
}

const signature = (claims: string, keys: TenantKeys) => Buffer.from(keys.hash(`device token ${claims}`))
