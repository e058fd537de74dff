// Does the caller have the key of its installation? Verifies the signature of the engine call. A wrong proof is evidence, no refusal.

import { createPublicKey, hash, type KeyObject, verify } from 'node:crypto'
import type { IntelligenceRequest } from '@ringfence/contract'
import { bodyDigest, signedText } from './signed-text.ts'

/** What the proof of a call shows. A call without a proof has no result. */
export type ProofResult =
  | { readonly state: 'proved'; readonly keyHash: Uint8Array }
  | { readonly state: 'refused'; readonly because: string }

/** An uncompressed point: the byte 4, then x and y of 32 bytes each. (SEC 1, 2.3.3) */
const pointBytes = 65
const uncompressed = 4
/** r and s of 32 bytes each, as WebCrypto writes them. Any other length is DER, as Android Keystore writes them. */
const plainSignatureBytes = 64
/** Of ECDSA with P-256 in DER: both numbers 1 byte long, or both 33. */
const [leastDerBytes, mostDerBytes] = [8, 72]
const keyHashBytes = 16

class ProofRefused extends Error {}

/** Never refuses the call. `body` is the whole body of the engine call, as it arrived; `digest` is its `bodyDigest`. */
export function verifyProof(
  body: Pick<IntelligenceRequest, 'tsId' | 'challenge' | 'requestId' | 'proof'>,
  digest: string = bodyDigest(body),
): ProofResult | undefined {
  if (body.proof === undefined) return undefined
  try {
    const point = bytesOf(body.proof.publicKey, pointBytes, 'its key is not the 65 bytes of a P-256 point')
    const key = keyOf(point)
    const signature = bytesOf(body.proof.signature, mostDerBytes, 'its signature is not of an ECDSA form')
    if (signature.length < leastDerBytes) throw new ProofRefused('its signature is not of an ECDSA form')
    const dsaEncoding = signature.length === plainSignatureBytes ? 'ieee-p1363' : 'der'
    const text = Buffer.from(signedText({ ...body, bodyDigest: digest }))
    if (!verify('sha256', text, { key, dsaEncoding }, signature)) {
      throw new ProofRefused('its signature is of another call or key')
    }
    return { state: 'proved', keyHash: keyHashOf(point) }
  } catch (error) {
    if (!(error instanceof ProofRefused)) throw error
    return { state: 'refused', because: error.message }
  }
}

/** The first 16 bytes of SHA-256 of a public key. */
export const keyHashOf = (point: Uint8Array): Uint8Array => hash('sha256', point, 'buffer').subarray(0, keyHashBytes)

/** The public key of a proof that was verified before: an uncompressed point. */
export const pointOfProof = ({ proof }: Pick<IntelligenceRequest, 'proof'>): Buffer =>
  Buffer.from(String(proof?.publicKey), 'base64url')

/** Of a proof that was verified before. */
export const keyHashOfProof = ({ proof }: Pick<IntelligenceRequest, 'proof'>): Uint8Array | undefined =>
  typeof proof?.publicKey === 'string' ? keyHashOf(Buffer.from(proof.publicKey, 'base64url')) : undefined

/** Decodes base64url without padding, and nothing else: Node would ignore wrong characters. */
function bytesOf(text: unknown, mostBytes: number, because: string): Buffer {
  if (typeof text !== 'string' || text.length > Math.ceil((4 * mostBytes) / 3)) throw new ProofRefused(because)
  const bytes = Buffer.from(text, 'base64url')
  if (bytes.toString('base64url') !== text) throw new ProofRefused(because)
  return bytes
}

function keyOf(point: Buffer): KeyObject {
  if (point.length !== pointBytes || point[0] !== uncompressed) {
    throw new ProofRefused('its key is not the 65 bytes of a P-256 point')
  }
  const [x, y] = [point.toString('base64url', 1, 33), point.toString('base64url', 33)]
  try {
    return createPublicKey({ format: 'jwk', key: { kty: 'EC', crv: 'P-256', x, y } })
  } catch {
    throw new ProofRefused('its key is not on the curve P-256')
  }
}
