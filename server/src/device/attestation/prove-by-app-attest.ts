// Does the call come from the app on an Apple device? Verifies its App Attest proof of session, challenge, request and body.

import Type from 'typebox'
import type { SessionCall } from '../../apps/call.ts'
import { compileOnUse } from '../../core/json/compile-on-use.ts'
import { signedText } from '../identity/signed-text.ts'
import { findAttestedKey } from '../store/phone-keys.ts'
import { AttestationRefused, verifyAssertion, verifyAttestation } from './app-attest.ts'
import { type Bind, base64, dayOf, type PhoneProof, type ProvingCall, type Services } from './phone-key.ts'

/** That of a real iPhone has about 5,600 bytes. */
const attestationBytes = 16_384

/** `attestation` of the engine call: the attestation of a new key, or an assertion by a known key. */
const Proof = compileOnUse(
  Type.Object({
    keyId: base64(64),
    attestation: Type.Optional(base64(Math.ceil(attestationBytes / 3) * 4)),
    assertion: Type.Optional(base64(8192)),
  }),
)

/** Undefined when the app does not use App Attest. */
export async function proveByAppAttest(
  { body, digest }: ProvingCall,
  bind: Bind,
  { app, session }: Pick<SessionCall, 'app' | 'session'>,
  { database, clock, device: { appAttestRoot } }: Services,
): Promise<PhoneProof | undefined> {
  const { appleTeamId, appAttest } = app.settings
  if (appleTeamId === undefined) return undefined
  const missing = (because: string): PhoneProof => ({ result: { state: 'absent', because } })
  const proof = body.attestation
  if (proof === undefined) return missing('no proof')
  try {
    if (!Proof.Check(proof)) throw new AttestationRefused('it is not of its shape')
    const { keyId } = proof
    const clientData = Buffer.from(signedText({ ...body, bodyDigest: digest }))
    const expected = {
      appId: `${appleTeamId}.${session.packageName}`,
      allowDevelopment: appAttest === 'development',
    }
    const known = await findAttestedKey(database, app.id, keyId)
    const attested =
      proof.attestation === undefined
        ? undefined
        : await verifyAttestation(
            { keyId, attestation: Buffer.from(proof.attestation, 'base64'), clientData },
            expected,
            clock.now(),
            appAttestRoot,
          )
    if (!known && !attested) return missing('its key is unknown')
    // A key may be attested again: the SDK does so when the answer to the first time was lost.
    const assertion = Buffer.from(proof.assertion ?? '', 'base64')
    const counter = attested ? 0 : verifyAssertion({ assertion, clientData }, known!, expected)
    const bound = bind(known?.device ?? null)
    if ('refused' in bound) throw new AttestationRefused(bound.refused)
    const lastUsedAt = dayOf(clock.now())
    return {
      result: { state: 'proved', keyId, ...(bound.because && { because: bound.because }) },
      ...(bound.device && { device: bound.device }),
      change: known
        ? {
            kind: 'used',
            appId: app.id,
            keyId,
            from: { counter: known.counter, device: known.device, lastUsedAt: known.lastUsedAt },
            to: { counter: Math.max(counter, known.counter), device: bound.stored, lastUsedAt },
          }
        : {
            kind: 'attested',
            appId: app.id,
            keyId,
            publicKey: Buffer.from(attested!.publicKey).toString('base64'),
            device: bound.stored,
            lastUsedAt,
          },
    }
  } catch (error) {
    if (!(error instanceof AttestationRefused)) throw error
    return { result: { state: 'refused', because: error.message, ...(error.isClone && { isClone: true }) } }
  }
}
