// What attests the Keystore key of a call? The chain of certificates that comes with it, or the one that came with an earlier call.

import { hash } from 'node:crypto'
import { type AttestedKey, type ExpectedApp, type Judged, judgeKey, shortHash } from './attested-key.ts'
import { attestedKey, type ExpectedKey, KeyAttestationRefused, type Trusted } from './key-attestation.ts'
import type { RevocationState } from './revocation-list.ts'

/** The answer for one call. */
export interface KeyAttestation extends Judged {
  /** Whether the lists of revoked certificates were as new as they must be. */
  readonly revocations: RevocationState
  /** The chain came with an earlier call of the key. */
  readonly isEarlier?: true
}

/** The SubjectPublicKeyInfo of a P-256 key, up to its uncompressed point (RFC 5480). */
const p256Head = Buffer.from('3059301306072a8648ce3d020106082a8648ce3d030107034200', 'hex')

/** DER, SubjectPublicKeyInfo. `point`: uncompressed. */
export const p256Key = (point: Uint8Array): Buffer => Buffer.concat([p256Head, point])

/** The challenge that a key, and a token of Play Integrity, was made with: SHA-256 of the text that the key signs. */
export const challengeOf = (signedText: string): Buffer => hash('sha256', signedText, 'buffer')

/**
 * `attested` must be stored with the key.
 * @param chain base64 of DER, the leaf first
 * @param stored of an earlier call of the key; it counts when the same chain is sent again, or one that says nothing
 */
export function attestationByChain(
  chain: readonly string[],
  expected: ExpectedKey,
  trusted: Trusted,
  stored?: AttestedKey | null,
): { readonly found: KeyAttestation; readonly attested?: AttestedKey } {
  const certificates = chain.map((text) => Buffer.from(text, 'base64'))
  const [leaf] = certificates
  if (stored && leaf && shortHash(leaf) === stored.leaf) return { found: attestationBefore(stored, expected, trusted) }
  const revocations = trusted.revoked.stateAt(trusted.now)
  try {
    const attested = attestedKey(certificates, trusted, expected)
    return { found: { ...judgeKey(attested, trusted, expected), revocations }, attested }
  } catch (error) {
    if (!(error instanceof KeyAttestationRefused)) throw error
    const { level, message: because } = error
    if (stored && level !== 'refused') return { found: attestationBefore(stored, expected, trusted) }
    return { found: { level, because, revocations } }
  }
}

/** What the stored chain of the key proves now. */
export const attestationBefore = (stored: AttestedKey, app: ExpectedApp, trusted: Trusted): KeyAttestation => ({
  ...judgeKey(stored, trusted, app),
  revocations: trusted.revoked.stateAt(trusted.now),
  isEarlier: true,
})
