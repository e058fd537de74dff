// Does the call come from the app on an Apple device? Verifies its App Attest proof for the challenge of this call.

import type { IntelligenceRequest } from '@ringfence/contract'
import Type from 'typebox'
import { Compile } from 'typebox/compile'
import type { SessionCall } from '../../call.ts'
import type { Platform } from '../../platform.ts'
import type { AttestedKeyRow } from '../../storage/attested-keys.ts'
import { attestedKeyInsert, counterRaise, findAttestedKey } from '../../storage/attested-keys.ts'
import type { BatchStatement } from '../../storage/database.ts'
import type { AttestationResult } from '../analysis/evidence.ts'
import { AttestationRefused, verifyAssertion, verifyAttestation } from './app-attest.ts'

const base64 = (maxLength: number) => Type.String({ maxLength, pattern: '^[A-Za-z0-9+/]*={0,2}$' })

/** `attestation` of the engine call: the attestation of a new key, or an assertion by a known key. */
const Proof = Compile(
  Type.Object({
    keyId: base64(64),
    clientData: base64(4096),
    attestation: Type.Optional(base64(65_536)),
    assertion: Type.Optional(base64(8192)),
  }),
)
const ClientData = Compile(Type.Object({ challenge: Type.String(), requestId: Type.String() }))

/** Must be stored in the batch that stores the analysis. */
export interface KeyChange {
  readonly key: AttestedKeyRow
  readonly isNew: boolean
}

export interface Proved {
  readonly result: AttestationResult
  readonly change?: KeyChange
}

/** Undefined when the app does not use App Attest. Never refuses the call: a wrong proof is evidence. */
export async function prove(
  body: Pick<IntelligenceRequest, 'challenge' | 'requestId' | 'attestation'>,
  { app, session }: Pick<SessionCall, 'app' | 'session'>,
  platform: Pick<Platform, 'database' | 'clock' | 'appAttestRoot'>,
): Promise<Proved | undefined> {
  const { appleTeamId, appAttest } = app.settings
  if (session.platform !== 'IOS' || appleTeamId === undefined) return undefined
  const missing = (because: string): Proved => ({
    result: { state: appAttest === 'required' ? 'refused' : 'absent', because },
  })
  const proof = body.attestation
  if (proof === undefined) return missing('no proof')
  try {
    if (!Proof.Check(proof)) throw new AttestationRefused('it is not of its shape')
    const { keyId } = proof
    const clientData = Buffer.from(proof.clientData, 'base64')
    if (!isOfThisCall(clientData, body)) throw new AttestationRefused('it is of another call')
    const expected = {
      appId: `${appleTeamId}.${session.packageName}`,
      allowDevelopment: appAttest === 'development',
    }
    if (proof.attestation !== undefined) {
      const attestation = Buffer.from(proof.attestation, 'base64')
      const now = platform.clock.now()
      const given = { keyId, attestation, clientData }
      const { publicKey } = await verifyAttestation(given, expected, now, platform.appAttestRoot)
      return proved({ appId: app.id, keyId, publicKey, counter: 0 }, true)
    }
    const known = await findAttestedKey(platform.database, app.id, keyId)
    if (!known) return missing('its key is unknown')
    const assertion = Buffer.from(proof.assertion ?? '', 'base64')
    const counter = verifyAssertion({ assertion, clientData }, known, expected)
    return proved({ ...known, counter }, false)
  } catch (error) {
    if (!(error instanceof AttestationRefused)) throw error
    return { result: { state: 'refused', because: error.message } }
  }
}

const proved = (key: AttestedKeyRow, isNew: boolean): Proved => ({
  result: { state: 'proved', keyId: key.keyId },
  change: { key, isNew },
})

/** The app puts the challenge and the request id into its proof, so that the proof is valid for this call only. */
function isOfThisCall(
  clientData: Buffer,
  { challenge, requestId }: Pick<IntelligenceRequest, 'challenge' | 'requestId'>,
) {
  try {
    const data: unknown = JSON.parse(clientData.toString())
    return ClientData.Check(data) && data.challenge === challenge && data.requestId === requestId
  } catch {
    return false
  }
}

/** Stores a new key, or raises the counter of a known one: a condition, which fails when a later call raised it first. */
export const keyStatement = ({ key, isNew }: KeyChange, now: number): BatchStatement =>
  isNew ? attestedKeyInsert(key, now) : counterRaise(key)
