// What is in the token of an SDK session? The id of the app, and sealed for that app: session, platform, package name, expiry and version.

import type { DevicePlatform } from '@ringfence/contract'
import { checksum, isApiKey } from '../core/crypto/api-key.ts'
import type { TenantKeys } from '../core/crypto/keyring.ts'

/** Ids and times only, no personal data. */
export interface SealedSession {
  /** `<UUID>-<epoch seconds>`. */
  readonly id: string
  readonly platform: DevicePlatform
  /** Bundle id, package name or origin. */
  readonly packageName: string
  /** Of Android or iOS, as the SDK says. */
  readonly systemVersion?: string
  /** Epoch milliseconds. */
  readonly expiresAt: number
}

const prefix = 'rfb_'
const appPrefix = 'rfa_'
/** An app id without its prefix (core/crypto/api-key.ts). */
const appIdLength = 28
const checksumLength = 6

/** The form is part of the context, and so is the app: a token of another one does not open. */
const contextOf = (appId: string) => `sdk session 1 ${appId}`

/** `rfb_`, the app id without its prefix, the sealed session in base64url, and a checksum for leak scanners. */
export function makeToken(appId: string, session: SealedSession, keys: TenantKeys): string {
  const { id, platform, packageName, expiresAt, systemVersion } = session
  const parts = [id, platform, packageName, expiresAt, systemVersion].filter((part) => part !== undefined)
  const sealed = keys.seal(JSON.stringify(parts), contextOf(appId))
  const body = prefix + appId.slice(appPrefix.length) + Buffer.from(sealed).toString('base64url')
  return body + checksum(body)
}

/** The app that a token names; undefined when the text has not the form of a token. It need not open. */
export function appIdOf(token: string): string | undefined {
  const appId = appPrefix + token.slice(prefix.length, prefix.length + appIdLength)
  const isToken =
    token.startsWith(prefix) &&
    isApiKey(appId, 'rfa') &&
    checksum(token.slice(0, -checksumLength)) === token.slice(-checksumLength)
  return isToken ? appId : undefined
}

/** Of a text that has the form of a token. */
export const sealedPart = (token: string): Uint8Array =>
  Buffer.from(token.slice(prefix.length + appIdLength, -checksumLength), 'base64url')

/** @throws Error when it was not sealed for this app with a key of its tenant; UnknownKeyVersion */
export function sessionOf(sealed: Uint8Array, appId: string, keys: TenantKeys): SealedSession {
  const [id, platform, packageName, expiresAt, version] = JSON.parse(keys.open(sealed, contextOf(appId)))
  return { id, platform, packageName, expiresAt, ...(typeof version === 'string' && { systemVersion: version }) }
}
