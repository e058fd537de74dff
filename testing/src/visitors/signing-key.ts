// How does a made-up browser prove its installation? As the SDK does: a P-256 key signs session, challenge, request id and body.

import {
  createECDH,
  createHash,
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  type KeyObject,
  sign,
} from 'node:crypto'
import { bodyDigest, type SignedCall, signedText } from '@ringfence/server/device/identity/signed-text.ts'

/** The body of an engine call, without its proofs. */
export type CallBody = Omit<SignedCall, 'bodyDigest'>

/** What every key signs. */
export const textOf = (body: CallBody): string => signedText({ ...body, bodyDigest: bodyDigest(body) })

export interface SigningKey {
  readonly publicKey: KeyObject
  proofOf(body: CallBody): { publicKey: string; signature: string }
}

export const newKey = (): SigningKey => signingKey(generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey)

/** The same key for the same seed, so that the installation is known at its next visit. */
export function keyOf(seed: string): SigningKey {
  const exchange = createECDH('prime256v1')
  const d = createHash('sha256').update(seed).digest()
  exchange.setPrivateKey(d)
  const point = exchange.getPublicKey()
  const [x, y] = [point.subarray(1, 33), point.subarray(33)].map((part) => part.toString('base64url'))
  const jwk = { kty: 'EC', crv: 'P-256', d: d.toString('base64url'), x: x!, y: y! }
  return signingKey(createPrivateKey({ format: 'jwk', key: jwk }))
}

function signingKey(key: KeyObject): SigningKey {
  const { x = '', y = '' } = key.export({ format: 'jwk' })
  const point = Buffer.concat([Buffer.of(4), Buffer.from(x, 'base64url'), Buffer.from(y, 'base64url')])
  return {
    publicKey: createPublicKey(key),
    proofOf(body) {
      const text = Buffer.from(textOf(body))
      const signature = sign('sha256', text, { key, dsaEncoding: 'ieee-p1363' })
      return { publicKey: point.toString('base64url'), signature: signature.toString('base64url') }
    },
  }
}
