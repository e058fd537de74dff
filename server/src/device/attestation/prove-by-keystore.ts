// Does the call come from the same Android installation as before, and is its key in the hardware of a phone? Verifies the signature by
// its Keystore key, the certificates that attest the key, and what Google Play says.

import type { IntelligenceRequest } from '@ringfence/contract'
import Type from 'typebox'
import type { SessionCall } from '../../apps/call.ts'
import { challengeKey } from '../../apps/challenge.ts'
import type { TenantKeys } from '../../core/crypto/keyring.ts'
import { compileOnUse } from '../../core/json/compile-on-use.ts'
import { pointOfProof, verifyProof } from '../identity/proof.ts'
import { bodyDigest, type SignedCall, signedText } from '../identity/signed-text.ts'
import { findKeystoreKey, type KeystoreKeyRow } from '../store/phone-keys.ts'
import {
  attestationBefore,
  attestationByChain,
  challengeOf,
  type KeyAttestation,
  p256Key,
} from './android/attestation-of-call.ts'
import { type AttestedKey, phoneCertificateOf } from './android/attested-key.ts'
import { chainBounds, type EarlierCall, type ExpectedKey } from './android/key-attestation.ts'
import { readPlayIntegrity } from './android/play-integrity.ts'
import { type Bind, base64, dayOf, type PhoneProof, type ProvingCall, type Services } from './phone-key.ts'

/** `chain` of `attestation`. More certificates than a chain has are read, so that the reason says how many came. */
const Chain = compileOnUse(Type.Array(base64(Math.ceil(chainBounds.certificateBytes / 3) * 4), { maxItems: 16 }))

/** `madeFor` of `attestation`: what was signed in the call that the key was made for, where the server may not have received it. */
const MadeFor = compileOnUse(
  Type.Object({
    tsId: Type.String({ maxLength: 128 }),
    challenge: Type.String({ maxLength: 128 }),
    requestId: Type.String({ maxLength: 64 }),
    bodyDigest: Type.String({ maxLength: 64 }),
  }),
)

/** Undefined when the call has neither a proof nor an attestation. A key without certificates is trusted on first use. */
export async function proveByKeystore(
  proving: ProvingCall,
  bind: Bind,
  { app, session }: Pick<SessionCall, 'app' | 'session'>,
  { database, clock, device, tenantKeyring }: Services,
): Promise<PhoneProof | undefined> {
  const { body, digest } = proving
  const proof = verifyProof(body, digest)
  if (proof === undefined && body.attestation === undefined) return undefined
  // Nothing attests a phone beside a wrong proof: it may be another phone's.
  if (proof?.state === 'refused') return { result: proof }
  const known = proof && (await findKeystoreKey(database, app.id, proof.keyHash))
  const bound = proof && bind(known?.device ?? null)
  if (bound && 'refused' in bound) return { result: { state: 'refused', because: bound.refused } }
  const now = clock.now()
  const keys = await tenantKeyring.keysOf(app.tenantId)
  const ofApp = {
    challenge: challengeOf(signedText({ ...body, bodyDigest: digest })),
    earlier: earlierCall(body, app.id, keys),
    packageName: session.packageName,
    certificates: app.settings.androidCertificates,
  }
  const [{ found, attested }, playIntegrity] = await Promise.all([
    attestationOf(body, bound !== undefined, known?.attested, ofApp, { device, now }),
    playIntegrityOf(body, ofApp, { device, now }),
  ])
  const attestations = { ...(found && { keyAttestation: found }), ...(playIntegrity && { playIntegrity }) }
  if (!proof || !bound) return { result: { state: 'absent', because: 'no proof' }, ...attestations }
  const keyHash = Buffer.from(proof.keyHash).toString('base64url')
  const key = { appId: app.id, device: bound.stored, lastUsedAt: dayOf(now), attested: attested ?? null }
  const from = known?.device ?? null
  const certified = attested ?? known?.attested
  const phoneCertificate = found && certified ? phoneCertificateOf(certified, found) : undefined
  return {
    result: { state: 'proved', keyId: keyHash, ...(bound.because && { because: bound.because }) },
    ...attestations,
    ...(phoneCertificate !== undefined && { phoneCertificate }),
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
  body: IntelligenceRequest,
  isProved: boolean,
  stored: AttestedKey | null | undefined,
  ofApp: Omit<ExpectedKey, 'publicKey'>,
  { device, now }: AtMoment,
): Promise<{ readonly found?: KeyAttestation; readonly attested?: AttestedKey }> {
  const { chain } = body.attestation ?? {}
  if (chain === undefined && !stored) return {}
  const { roots, verified, revocations } = device.keyAttestation
  const trusted = { roots, verified, revoked: await revocations.current(), now }
  if (isProved && Chain.Check(chain)) {
    return attestationByChain(chain, { ...ofApp, publicKey: p256Key(pointOfProof(body)) }, trusted, stored)
  }
  if (stored) return { found: attestationBefore(stored, ofApp, trusted) }
  const because = isProved ? 'it is not of its shape' : 'it came without a proof of its key'
  return { found: { level: 'unknown', because, revocations: trusted.revoked.stateAt(now) } }
}

/** Undefined unless its text has a challenge of the app: a key for another purpose or app, or for nobody, attests no call. */
function earlierCall(body: IntelligenceRequest, appId: string, keys: TenantKeys): EarlierCall | undefined {
  const madeFor = body.attestation?.madeFor
  if (!MadeFor.Check(madeFor)) return undefined
  if (challengeKey(madeFor.challenge, { appId, sessionId: madeFor.tsId }, keys) === undefined) return undefined
  return { challenge: challengeOf(signedText(madeFor)), isRepeated: isRepeated(madeFor, body) }
}

/** Only a token needs it, and the digest is work. */
const isRepeated = (madeFor: SignedCall, body: IntelligenceRequest): boolean =>
  body.attestation?.integrityToken !== undefined &&
  madeFor.challenge === body.challenge &&
  madeFor.bodyDigest === bodyDigest({ ...body, requestId: madeFor.requestId })

/** Undefined without a token, and without the keys of the app. */
async function playIntegrityOf(
  { attestation }: IntelligenceRequest,
  ofApp: Omit<ExpectedKey, 'publicKey'>,
  { device, now }: AtMoment,
): Promise<PhoneProof['playIntegrity']> {
  const token = attestation?.integrityToken
  const keys = device.playIntegrityKeys.get(ofApp.packageName)
  return token === undefined || !keys ? undefined : readPlayIntegrity(token, keys, ofApp, now)
}
