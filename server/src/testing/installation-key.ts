// How does a test prove an installation like an SDK? With a P-256 key that signs session, challenge, request id and body.

import { createPublicKey, generateKeyPairSync, type KeyObject, sign } from 'node:crypto'
import { bodyDigest, signedText } from '../device/identity/signed-text.ts'

export interface SignedCall {
  readonly tsId: string
  readonly challenge: string
  readonly requestId: string
}

export interface Proof {
  readonly publicKey: string
  readonly signature: string
}

export interface InstallationKey {
  /** The 65 bytes of the uncompressed point, in base64url. */
  readonly publicKey: string
  /** `ieee-p1363`: r and s, as browsers write them. `der`: as Android does. */
  proofOf(body: SignedCall, dsaEncoding?: 'ieee-p1363' | 'der'): Proof
}

/** A new key; those of browsers are of P-256. */
export const newInstallationKey = (namedCurve = 'P-256'): InstallationKey =>
  installationKey(generateKeyPairSync('ec', { namedCurve }).privateKey)

export function installationKey(privateKey: KeyObject): InstallationKey {
  const point = pointOf(createPublicKey(privateKey))
  return {
    publicKey: point,
    proofOf: (body, dsaEncoding = 'ieee-p1363') => ({
      publicKey: point,
      signature: sign('sha256', Buffer.from(signedTextOf(body)), {
        key: privateKey,
        dsaEncoding,
      }).toString('base64url'),
    }),
  }
}

/** The text that every platform signs: the body without its proof. */
export const signedTextOf = (body: SignedCall) => signedText({ ...body, bodyDigest: bodyDigest(body) })

function pointOf(publicKey: KeyObject): string {
  const { x = '', y = '' } = publicKey.export({ format: 'jwk' })
  return Buffer.concat([Buffer.of(4), Buffer.from(x, 'base64url'), Buffer.from(y, 'base64url')]).toString('base64url')
}
