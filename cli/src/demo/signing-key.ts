// How does a browser of the demo prove its installation? As the SDK does: a P-256 key signs session, challenge, request id and body.

import { generateKeyPairSync, sign } from 'node:crypto'
import { bodyDigest, type SignedCall, signedText } from '@ringfence/server/device/identity/signed-text.ts'

export interface SigningKey {
  proofOf(body: Omit<SignedCall, 'bodyDigest'>): { publicKey: string; signature: string }
}

export function newKey(): SigningKey {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const { x = '', y = '' } = publicKey.export({ format: 'jwk' })
  const point = Buffer.concat([Buffer.of(4), Buffer.from(x, 'base64url'), Buffer.from(y, 'base64url')])
  return {
    proofOf(body) {
      const text = Buffer.from(signedText({ ...body, bodyDigest: bodyDigest(body) }))
      const signature = sign('sha256', text, { key: privateKey, dsaEncoding: 'ieee-p1363' })
      return { publicKey: point.toString('base64url'), signature: signature.toString('base64url') }
    },
  }
}
