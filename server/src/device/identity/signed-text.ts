// Which text does the key of an installation sign? One that is valid for a single call: session, challenge, request and body.

import { hash } from 'node:crypto'
import { canonicalJson } from '../../core/json/canonical-json.ts'

/** Of the engine call; `bodyDigest` is that of this body. */
export interface SignedCall {
  readonly tsId: string
  readonly challenge: string
  readonly requestId: string
  readonly bodyDigest: string
}

/** The same on all platforms: browser, Android Keystore and App Attest. */
export const signedText = ({ tsId, challenge, requestId, bodyDigest }: SignedCall): string =>
  `ringfence-proof-v1\n${tsId}\n${challenge}\n${requestId}\n${bodyDigest}`

/** SHA-256, in base64url, of the canonical body (RFC 8785) without its proofs. */
export const bodyDigest = (body: object): string =>
  hash('sha256', canonicalJson({ ...body, proof: undefined, attestation: undefined }), 'base64url')
