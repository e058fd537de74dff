// Does the call come from the same Android installation as before, and is its key in the hardware of a phone? Verifies the signature by
// its Keystore key, the certificates that attest the key, and what Google Play says.

import Type from 'typebox'
import type { SessionCall } from '../../apps/call.ts'
import { compileOnUse } from '../../core/json/compile-on-use.ts'
import { type ProofResult, pointOfProof, verifyProof } from '../identity/proof.ts'
import { signedText } from '../identity/signed-text.ts'
import { findKeystoreKey, type KeystoreKeyRow } from '../store/phone-keys.ts'
import {
  attestationBefore,
  attestationByChain,
  challengeOf,
  type KeyAttestation,
  p256Key,
} from './android/attestation-of-call.ts'
import { type AttestedKey, chainBounds, type ExpectedKey } from './android/key-attestation.ts'
import { readPlayIntegrity } from './android/play-integrity.ts'
import { boundDevice, type SentIds } from './bound-device.ts'
import { base64, type PhoneProof, type ProvingCall, type Services } from './phone-key.ts'

const dayMs = 86_400_000

/** `chain` of `attestation`. More certificates than a chain has are read, so that the reason says how many came. */
const Chain = compileOnUse(Type.Array(base64(Math.ceil(chainBounds.certificateBytes / 3) * 4), { maxItems: 16 }))

/** Undefined when the call has neither a proof nor an attestation. A key without certificates is trusted on first use. */
export async function proveByKeystore(
  proving: ProvingCall,
  sent: SentIds,
  { app, session }: Pick<SessionCall, 'app' | 'session'>,
  { database, clock, device }: Services,
): Promise<PhoneProof | undefined> {
  const { body, digest } = proving
  const proof = verifyProof(body, digest)
  if (proof === undefined && body.attestation === undefined) return undefined
  const now = clock.now()
  const ofApp = {
    challenge: challengeOf(signedText({ ...body, bodyDigest: digest })),
    packageName: session.packageName,
    certificates: app.settings.androidCertificates,
  }
  const known = proof?.state === 'proved' ? await findKeystoreKey(database, app.id, proof.keyHash) : undefined
  const [{ found, attested }, playIntegrity] = await Promise.all([
    attestationOf(proving, proof, known, ofApp, { device, now }),
    playIntegrityOf(proving, ofApp, { device, now }),
  ])
  const attestations = { ...(found && { keyAttestation: found }), ...(playIntegrity && { playIntegrity }) }
  if (proof?.state !== 'proved') return { result: proof ?? { state: 'absent', because: 'no proof' }, ...attestations }
  const from = known?.device ?? null
  const bound = boundDevice(from, sent)
  if ('because' in bound) return { result: { state: 'refused', because: bound.because }, ...attestations }
  const keyHash = Buffer.from(proof.keyHash).toString('base64url')
  const key = { appId: app.id, device: bound.stored, lastUsedAt: now - (now % dayMs), attested: attested ?? null }
  return {
    result: { state: 'proved', keyId: keyHash },
    ...attestations,
    ...(bound.device && { device: bound.device }),
    ...(!isUnchanged(known, key) && { change: { kind: 'keystore', keyHash, from, ...key } }),
  }
}

const isUnchanged = (
  known: KeystoreKeyRow | undefined,
  { device, lastUsedAt, attested }: Pick<KeystoreKeyRow, 'device' | 'lastUsedAt' | 'attested'>,
) => known?.lastUsedAt === lastUsedAt && known.device === device && attested === null

type AtMoment = Pick<Services, 'device'> & { readonly now: number }

/** `attested` must be stored with the key. */
async function attestationOf(
  { body }: ProvingCall,
  proof: ProofResult | undefined,
  known: KeystoreKeyRow | undefined,
  ofApp: Omit<ExpectedKey, 'publicKey'>,
  { device, now }: AtMoment,
): Promise<{ readonly found?: KeyAttestation; readonly attested?: AttestedKey }> {
  const { roots, revocations, verified } = device.keyAttestation
  const { attestation } = body
  const isWithoutChain = attestation === undefined || (!('chain' in attestation) && 'integrityToken' in attestation)
  if (isWithoutChain && !known?.attested) return {}
  const revoked = await revocations.current()
  if (isWithoutChain) return known?.attested ? { found: attestationBefore(known.attested, revoked, now) } : {}
  const refused = (because: string) => ({
    found: { level: 'refused' as const, because, revocations: revoked.stateAt(now) },
  })
  if (proof?.state !== 'proved') return refused('it came without a proof of its key')
  const { chain } = attestation
  if (!Chain.Check(chain)) return refused('it is not of its shape')
  return attestationByChain(
    chain,
    { ...ofApp, publicKey: p256Key(pointOfProof(body)) },
    { roots, revoked, verified, now },
  )
}

/** Undefined without a token, and without the keys of the app. */
async function playIntegrityOf(
  { body }: ProvingCall,
  ofApp: Omit<ExpectedKey, 'publicKey'>,
  { device, now }: AtMoment,
): Promise<PhoneProof['playIntegrity']> {
  const token = body.attestation?.integrityToken
  const keys = device.playIntegrityKeys.get(ofApp.packageName)
  return token === undefined || !keys ? undefined : readPlayIntegrity(token, keys, ofApp, now)
}
