// What attests the Keystore key of a call? The chain of certificates that comes with the first call of a key, or the one that came then.

import { hash } from 'node:crypto'
import {
  type AttestationLevel,
  type AttestedKey,
  type ExpectedKey,
  KeyAttestationRefused,
  type Trusted,
  verifyKeyAttestation,
} from './key-attestation.ts'
import type { RevocationList, RevocationState } from './revocation-list.ts'

/** The answer for one call. */
export interface KeyAttestation extends Pick<AttestedKey, 'rootOfTrust'> {
  readonly level: AttestationLevel
  /** Why the chain proves nothing. */
  readonly because?: string
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

/** `attested` must be stored with the key; only a good chain has it. `chain`: base64 of DER, the leaf first. */
export function attestationByChain(
  chain: readonly string[],
  expected: ExpectedKey,
  trusted: Trusted,
): { readonly found: KeyAttestation; readonly attested?: AttestedKey } {
  const revocations = trusted.revoked.stateAt(trusted.now)
  try {
    const certificates = chain.map((text) => Buffer.from(text, 'base64'))
    const attested = verifyKeyAttestation(certificates, trusted, expected)
    return { found: { ...withoutSerials(attested), revocations }, attested }
  } catch (error) {
    if (!(error instanceof KeyAttestationRefused)) throw error
    return { found: { level: error.level, because: error.message, revocations } }
  }
}

/** A certificate may have been revoked since the chain came. */
export function attestationBefore(attested: AttestedKey, revoked: RevocationList, now: number): KeyAttestation {
  const isEarlier = true
  const revocations = revoked.stateAt(now)
  const status = attested.serials
    .map((serialNumber) => revoked.statusOf(serialNumber))
    .find((each) => each !== undefined)
  if (status === undefined) return { ...withoutSerials(attested), revocations, isEarlier }
  return { level: 'revoked', because: `a certificate of the chain is ${status}`, revocations, isEarlier }
}

const withoutSerials = ({ serials: _, ...attested }: AttestedKey) => attested
