// What does Google Play say of the app and the phone? Reads a classic Play Integrity token with the app's own keys, without calling Google.

import { createPublicKey, type KeyObject } from 'node:crypto'
import Type from 'typebox'
import type { PlayIntegritySettings } from '../../../core/config/attestation-settings.ts'
import { ConfigurationError } from '../../../core/config/config.ts'
import type { ReadSecret } from '../../../core/config/secret-reference.ts'
import { compileOnUse } from '../../../core/json/compile-on-use.ts'
import { isListed } from './attested-key.ts'
import type { ExpectedKey } from './key-attestation.ts'

export interface PlayIntegrityKeyPair {
  readonly decryption: Uint8Array
  readonly verification: KeyObject
}

/** By the package name of the app. */
export type PlayIntegrityKeysByApp = ReadonlyMap<string, PlayIntegrityKeyPair>

/** What a token says. `refused`: Google says that it is of another call or app. `unknown`: nothing can be concluded from it. */
export type PlayIntegrity =
  | { readonly state: 'refused' | 'unknown'; readonly because: string }
  | {
      readonly state: 'read'
      /** PLAY_RECOGNIZED, UNRECOGNIZED_VERSION or UNEVALUATED. */
      readonly app?: string
      /** Such as MEETS_DEVICE_INTEGRITY; empty: the phone passes no check. */
      readonly device?: readonly string[]
      /** Such as KNOWN_CONTROLLING; absent where Play did not look. */
      readonly accessRisk?: readonly string[]
    }

const mostTokenLength = 16_384
/** The token is made for the call. The clocks are Google's and ours, and a phone may lose its network in between. */
const [longestAgeMs, mostAheadMs] = [600_000, 60_000]

/** Throws a ConfigurationError for a wrong key. */
export function playIntegrityKeys(settings: PlayIntegritySettings, readSecret: ReadSecret): PlayIntegrityKeysByApp {
  return new Map(
    Object.entries(settings).map(([packageName, { decryptionKey, verificationKey }]) => {
      const wrong = (key: string, what: string) =>
        new ConfigurationError(`attestation.playIntegrity.${packageName}.${key}: ${what}`)
      const decryption = Buffer.from(readSecret(decryptionKey), 'base64')
      if (decryption.length !== 32) throw wrong('decryptionKey', 'must be 32 bytes in base64')
      let verification: KeyObject
      try {
        verification = createPublicKey({ key: Buffer.from(verificationKey, 'base64'), type: 'spki', format: 'der' })
      } catch {
        throw wrong('verificationKey', 'must be a public key in base64')
      }
      if (verification.asymmetricKeyDetails?.namedCurve !== 'prime256v1') {
        throw wrong('verificationKey', 'must be a key of P-256')
      }
      return [packageName, { decryption, verification }]
    }),
  )
}

const texts = Type.Array(Type.String({ maxLength: 64 }), { maxItems: 32 })

/** Parts that Play did not evaluate are empty. Other parts are not read. */
const Payload = compileOnUse(
  Type.Object({
    requestDetails: Type.Object({
      requestPackageName: Type.String(),
      nonce: Type.String(),
      timestampMillis: Type.Union([Type.String({ pattern: '^[0-9]{1,15}$' }), Type.Integer()]),
    }),
    appIntegrity: Type.Optional(
      Type.Object({
        appRecognitionVerdict: Type.Optional(Type.String({ maxLength: 64 })),
        packageName: Type.Optional(Type.String()),
        certificateSha256Digest: Type.Optional(Type.Array(Type.String(), { maxItems: 32 })),
      }),
    ),
    deviceIntegrity: Type.Optional(Type.Object({ deviceRecognitionVerdict: Type.Optional(texts) })),
    environmentDetails: Type.Optional(
      Type.Object({ appAccessRiskVerdict: Type.Optional(Type.Object({ appsDetected: Type.Optional(texts) })) }),
    ),
  }),
)

class TokenRefused extends Error {
  readonly state: 'refused' | 'unknown'
  constructor(because: string, state: 'refused' | 'unknown' = 'unknown') {
    super(because)
    this.state = state
  }
}

type Expected = Omit<ExpectedKey, 'publicKey'>

/** Never throws for what a phone sends. The nonce of the token must be the challenge of the call, in base64url. */
export async function readPlayIntegrity(
  token: unknown,
  keys: PlayIntegrityKeyPair,
  expected: Expected,
  now: number,
): Promise<PlayIntegrity> {
  try {
    if (typeof token !== 'string' || token.length > mostTokenLength) throw new TokenRefused('it is not of its shape')
    const payload = await payloadOf(token, keys)
    checkRequest(payload.requestDetails, expected, now)
    const { appIntegrity, deviceIntegrity, environmentDetails } = payload
    if (appIntegrity) checkApp(appIntegrity, expected)
    const app = appIntegrity?.appRecognitionVerdict
    const device = deviceIntegrity && (deviceIntegrity.deviceRecognitionVerdict ?? [])
    const accessRisk = environmentDetails?.appAccessRiskVerdict?.appsDetected
    return { state: 'read', ...(app && { app }), ...(device && { device }), ...(accessRisk && { accessRisk }) }
  } catch (error) {
    if (!(error instanceof TokenRefused)) throw error
    return { state: error.state, because: error.message }
  }
}

type Payload = typeof Payload extends { Check(value: unknown): value is infer Value } ? Value : never

/** A signed text within an encrypted one. Only Google's two algorithms are accepted, never `none`. */
async function payloadOf(token: string, { decryption, verification }: PlayIntegrityKeyPair): Promise<Payload> {
  const { compactDecrypt, compactVerify } = await import('jose')
  const { plaintext } = await compactDecrypt(token, decryption, {
    keyManagementAlgorithms: ['A256KW'],
    contentEncryptionAlgorithms: ['A256GCM'],
    maxDecompressedLength: 0,
  }).catch(unreadable('it cannot be decrypted with the key of the app'))
  const { payload } = await compactVerify(plaintext, verification, { algorithms: ['ES256'] }).catch(
    unreadable('its signature is not of the key of the app'),
  )
  const content = parsed(payload)
  if (!Payload.Check(content)) throw new TokenRefused('its content is not of its shape')
  return content
}

const unreadable = (because: string) => (): never => {
  throw new TokenRefused(because)
}

function parsed(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(Buffer.from(bytes).toString())
  } catch {
    return undefined
  }
}

function checkRequest(
  { requestPackageName, nonce, timestampMillis }: Payload['requestDetails'],
  { challenge, earlier, packageName }: Expected,
  now: number,
): void {
  const found = Buffer.from(nonce, 'base64url')
  if (!found.equals(challenge)) {
    if (!earlier || !found.equals(earlier.challenge)) throw new TokenRefused('its nonce is of another call', 'refused')
    // No key binds it to a phone: for ten minutes, anybody could send it as many phones, or beside any facts.
    if (!earlier.isRepeated) throw new TokenRefused('another call took the place of its call')
  }
  if (requestPackageName !== packageName)
    throw new TokenRefused(`another app asked for it: ${requestPackageName.slice(0, 256)}`, 'refused')
  const ageMs = now - Number(timestampMillis)
  if (ageMs > longestAgeMs) throw new TokenRefused('it is older than ten minutes')
  if (ageMs < -mostAheadMs) throw new TokenRefused('it is from the future')
}

/** Play leaves out what it did not evaluate. */
function checkApp(
  { packageName, certificateSha256Digest: digests = [] }: NonNullable<Payload['appIntegrity']>,
  expected: Expected,
): void {
  if (packageName !== undefined && packageName !== expected.packageName) {
    throw new TokenRefused(`it is of another app: ${packageName.slice(0, 256)}`, 'refused')
  }
  const found = digests.map((digest) => Buffer.from(digest, 'base64url').toString('hex'))
  if (found.length > 0 && expected.certificates.length > 0 && !isListed(found, expected.certificates)) {
    throw new TokenRefused('it is of an app that another key signed', 'refused')
  }
}
