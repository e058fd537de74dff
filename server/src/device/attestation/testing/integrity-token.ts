// What does Google Play answer to a classic request? A token with the keys of the test, good and with any fault.

import type { KeyObject } from 'node:crypto'
import { CompactEncrypt, CompactSign } from 'jose'

export interface TokenParts {
  keys: { decryption: Uint8Array; signing: KeyObject }
  challenge: Uint8Array
  now: number
  /** When Play made it; default `now`. */
  madeAt?: number
  packageName?: string
  /** SHA-256 of the certificate that signed the app. */
  certificate?: Uint8Array
  /** Parts in place of the ordinary ones. */
  payload?: Readonly<Record<string, unknown>>
  algorithm?: 'ES256' | 'HS256' | 'none'
  keyManagement?: 'A256KW' | 'dir'
}

export async function integrityToken(parts: TokenParts): Promise<string> {
  const { keys, challenge, now, madeAt = now, packageName = 'com.example.shop.android' } = parts
  const { certificate = Buffer.alloc(32), payload = {}, algorithm = 'ES256', keyManagement = 'A256KW' } = parts
  const content = {
    requestDetails: {
      requestPackageName: packageName,
      nonce: Buffer.from(challenge).toString('base64url'),
      timestampMillis: String(madeAt),
    },
    appIntegrity: {
      appRecognitionVerdict: 'PLAY_RECOGNIZED',
      packageName,
      certificateSha256Digest: [Buffer.from(certificate).toString('base64url')],
      versionCode: '7',
    },
    deviceIntegrity: { deviceRecognitionVerdict: ['MEETS_DEVICE_INTEGRITY'] },
    accountDetails: { appLicensingVerdict: 'LICENSED' },
    environmentDetails: { appAccessRiskVerdict: { appsDetected: ['KNOWN_INSTALLED'] } },
    ...payload,
  }
  const signed = await signedText(Buffer.from(JSON.stringify(content)), algorithm, keys)
  return new CompactEncrypt(Buffer.from(signed))
    .setProtectedHeader({ alg: keyManagement, enc: 'A256GCM' })
    .encrypt(keys.decryption)
}

function signedText(
  content: Uint8Array,
  algorithm: NonNullable<TokenParts['algorithm']>,
  { decryption, signing }: TokenParts['keys'],
): Promise<string> | string {
  if (algorithm !== 'none') {
    return new CompactSign(content)
      .setProtectedHeader({ alg: algorithm })
      .sign(algorithm === 'ES256' ? signing : decryption)
  }
  return `${Buffer.from('{"alg":"none"}').toString('base64url')}.${Buffer.from(content).toString('base64url')}.`
}
