// How does a test prove an installation like an SDK? With a P-256 key that signs session, challenge, request id and body.

import { createHash, generateKeyPairSync, type KeyObject, sign } from 'node:crypto'
import { canonicalJson } from '../json/canonical-json.ts'

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
  proofOf(body: SignedCall): Proof
}

/** A new key, as a browser makes it: its signatures are r and s. */
export function newInstallationKey(): InstallationKey {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const point = pointOf(publicKey)
  return {
    publicKey: point,
    proofOf: (body) => ({
      publicKey: point,
      signature: sign('sha256', Buffer.from(signedTextOf(body)), {
        key: privateKey,
        dsaEncoding: 'ieee-p1363',
      }).toString('base64url'),
    }),
  }
}

/** The text that every platform signs: the body without its proof. */
export function signedTextOf(body: SignedCall & { proof?: unknown; attestation?: unknown }): string {
  const { proof: _, attestation: __, ...signed } = body
  const hash = createHash('sha256').update(canonicalJson(signed)).digest('base64url')
  return ['ringfence-proof-v1', body.tsId, body.challenge, body.requestId, hash].join('\n')
}

function pointOf(publicKey: KeyObject): string {
  const { x = '', y = '' } = publicKey.export({ format: 'jwk' })
  return Buffer.concat([Buffer.of(4), Buffer.from(x, 'base64url'), Buffer.from(y, 'base64url')]).toString('base64url')
}
