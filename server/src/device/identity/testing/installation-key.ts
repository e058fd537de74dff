// How does a test prove possession of a key? As the SDKs do, with a P-256 key of its own.

import { generateKeyPairSync, sign } from 'node:crypto'
import type { IntelligenceRequest } from '@ringfence/contract'
import { keyHashOf } from '../proof.ts'
import { bodyDigest, signedText } from '../signed-text.ts'

export interface InstallationKey {
  /** In base64url, as `proof.publicKey`. */
  readonly publicKey: string
  readonly keyHash: Uint8Array
  /** The body with its proof. `encoding`: `ieee-p1363` as browsers write it, or `der` as Android does. */
  prove<Body extends IntelligenceRequest>(body: Body, encoding?: 'ieee-p1363' | 'der'): Body
}

export function installationKey(curve = 'P-256'): InstallationKey {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: curve })
  const { x, y } = publicKey.export({ format: 'jwk' })
  const point = Buffer.concat([Buffer.of(4), Buffer.from(x!, 'base64url'), Buffer.from(y!, 'base64url')])
  const text = point.toString('base64url')
  return {
    publicKey: text,
    keyHash: keyHashOf(point),
    prove(body, dsaEncoding = 'ieee-p1363') {
      const signed = Buffer.from(signedText({ ...body, bodyDigest: bodyDigest(body) }))
      const signature = sign('sha256', signed, { key: privateKey, dsaEncoding }).toString('base64url')
      return { ...body, proof: { publicKey: text, signature } }
    },
  }
}
