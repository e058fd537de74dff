// Is this call new? Each analysis uses up a challenge of the session; the same call repeated gets the stored answer.

import { timingSafeEqual } from 'node:crypto'
import type { IntelligenceRequest } from '@ringfence/contract'
import type { SessionCall } from '../../apps/call.ts'
import { challengeAfter, challengeKey } from '../../apps/challenge.ts'
import type { TenantKeys } from '../../core/crypto/keyring.ts'
import { Refusal } from '../../core/errors.ts'
import { type BatchStatement, ConditionFailed, UniqueViolation } from '../../core/storage/database.ts'
import { type Analysis, analyse } from '../analysis/analyse.ts'
import { statementsOf } from '../analysis/changes.ts'
import { lacksAttestation } from '../attestation/prove.ts'
import { storedSince } from '../history/retention.ts'
import { visitOf } from '../history/visit.ts'
import { deviceTokenOf } from '../identity/identify.ts'
import { bodyDigest } from '../identity/signed-text.ts'
import type { DeviceNeeds } from '../room.ts'
import { type AnalysisKey, analysisInsert, findAnalysis, isChallengeUsed } from '../store/device-analyses.ts'
import { dfrIdOf } from '../store/find-analysis.ts'
import { openRecord, sealRecord, textOfAnalysis } from '../store/record.ts'
import { bodyHash } from './body-hash.ts'
import { type CarriedAnalysis, type Learned, sealCarried, sealStored } from './carried-analysis.ts'
import { checkCustomInput } from './custom-input.ts'
import { stillFew } from './still-few.ts'

export interface AnalysedCall {
  readonly analysis: Analysis
  /** The challenge that the SDK must send with its next engine call. */
  readonly nextChallenge: string
  /** The token that a browser must store; only for WEB. */
  readonly deviceToken?: string
  /** The phone must attest its key again. */
  readonly attest?: true
}

/**
 * Analyses the device of a call whose challenge is the session's next one. The first analysis that is stored uses up the
 * challenge: of concurrent calls with one challenge, also in several processes, one succeeds. The same body repeated in its
 * session gets the stored analysis. Refuses with `sessionForeign` and `challengeUsed`.
 * @param alongside returns statements for the commit of a new analysis
 */
export async function analyseOnce(
  endpoint: 'intelligence' | 'secure',
  body: IntelligenceRequest,
  call: SessionCall,
  needs: DeviceNeeds,
  alongside: (analysis: Analysis) => readonly BatchStatement[] = () => [],
): Promise<AnalysedCall & { readonly isRepeated: boolean }> {
  const context = await contextOf(endpoint, body, call, needs)
  const repeated = await findRepeated(context)
  const { analysis, isRepeated } = repeated
    ? { analysis: repeated, isRepeated: true }
    : await analyseNew(context, alongside)
  return { ...answered(analysis, context), isRepeated }
}

/**
 * The same for a call whose analysis comes back with the push: stores nothing, and uses up no challenge before the push.
 * `carried` is for `data.analysis` of the push, and `sealing` is what it contains. What is too large to be carried, and what attests a new key, is stored now.
 */
export async function analyseToCarry(
  body: IntelligenceRequest,
  call: SessionCall,
  needs: DeviceNeeds,
): Promise<AnalysedCall & { readonly carried: string; readonly sealing?: CarriedAnalysis }> {
  const context = await contextOf('intelligence', body, call, needs)
  const { keys, challenge } = context
  const [repeated, isUsed] = await Promise.all([
    findRepeated(context),
    challenge && isChallengeUsed(needs.database, challenge),
  ])
  const stored = (analysis: Analysis) => ({
    ...answered(analysis, context),
    carried: sealStored(body.requestId, call, keys),
  })
  if (repeated) return stored(repeated)
  if (isUsed) throw new Refusal('challengeUsed')
  const learned = await learn(context)
  const sealing = { ...learned, text: textOfAnalysis(learned.analysis) }
  const carried = attestsKey(learned) ? undefined : sealCarried(sealing, call, keys, needs.compression)
  if (carried === undefined) return stored((await storeNew(learned, context, () => [])).analysis)
  return { ...answered(learned.analysis, context), carried, sealing }
}

/** A key is attested once: when the push is lost, it could not be attested again. */
const attestsKey = ({ changes: { key } }: Learned): boolean =>
  key?.kind === 'attested' || (key?.kind === 'keystore' && key.attested !== null)

interface Context {
  readonly key: AnalysisKey
  /** The body contains the session, so the hash covers it. */
  readonly bodyHash: Uint8Array
  /** Undefined when the challenge is not one of the session. */
  readonly challenge: Uint8Array | undefined
  readonly body: IntelligenceRequest
  /** Of the body (identity/signed-text.ts). */
  readonly digest: string
  readonly call: SessionCall
  readonly keys: TenantKeys
  readonly needs: DeviceNeeds
}

async function contextOf(
  endpoint: 'intelligence' | 'secure',
  body: IntelligenceRequest,
  call: SessionCall,
  needs: DeviceNeeds,
): Promise<Context> {
  const { app, session } = call
  if (body.tsId !== session.id || body.platform !== session.platform) throw new Refusal('sessionForeign')
  checkCustomInput(body.updateInfo?.additionalInput)
  const keys = await needs.tenantKeyring.keysOf(app.tenantId)
  const key = { tenantId: app.tenantId, dfrId: dfrIdOf(body.requestId, keys) }
  const challenge = challengeKey(body.challenge, { appId: app.id, sessionId: session.id }, keys)
  const digest = bodyDigest(body)
  // The digest covers all but the proofs.
  const ofBody = bodyHash(endpoint, [digest, body.proof, body.attestation], keys)
  return { key, bodyHash: ofBody, challenge, body, digest, call, keys, needs }
}

function answered(analysis: Analysis, { body, call: { app, session, deviceCookie }, keys }: Context): AnalysedCall {
  const nextChallenge = challengeAfter(analysis.requestId, { appId: app.id, sessionId: session.id }, keys)
  const attest = lacksAttestation(analysis.platform, analysis.evidence, body.attestation) && { attest: true as const }
  const deviceToken = deviceTokenOf(analysis, body, deviceCookie.token, keys)
  if (deviceToken === undefined) return { analysis, nextChallenge, ...attest }
  deviceCookie.token = deviceToken
  return { analysis, nextChallenge, deviceToken, ...attest }
}

async function learn({ body, digest, call, needs, bodyHash, challenge }: Context): Promise<Learned> {
  if (!challenge) throw new Refusal('challengeUsed')
  return { ...(await analyse({ body, digest }, call, needs)), challenge, bodyHash }
}

type Alongside = (analysis: Analysis) => readonly BatchStatement[]
type Stored = { readonly analysis: Analysis; readonly isRepeated: boolean }

const analyseNew = async (context: Context, alongside: Alongside): Promise<Stored> =>
  storeNew(await learn(context), context, alongside)

async function storeNew(learned: Learned, context: Context, alongside: Alongside): Promise<Stored> {
  const { key, keys, call, needs } = context
  const { analysis, changes, ...hashes } = learned
  const { now } = analysis.evidence
  const sealed = sealRecord({ analysis }, key, keys, needs.compression)
  const row = { ...key, ...hashes, pushHash: null, analysedAt: now, ...visitOf(analysis, keys), sealed }
  const few = stillFew(learned, needs).map(({ condition }) => condition)
  const statements = [...few, analysisInsert(row), ...statementsOf(changes), ...alongside(analysis)]
  needs.apps.storageBudget.take(call.app.id, call.address, statements)
  try {
    await needs.database.batch(statements)
    return { analysis, isRepeated: false }
  } catch (error) {
    // A concurrent call raised the counter of the App Attest key first, or made the device one of many.
    if (error instanceof ConditionFailed) return analyseNew(context, alongside)
    if (!(error instanceof UniqueViolation)) throw error
  }
  // Another call used the challenge, or the request id. In the second case the challenge is still unused.
  const first = await findRepeated(context)
  if (!first) throw new Refusal('challengeUsed')
  return { analysis: first, isRepeated: true }
}

/** The stored analysis of the same call, or undefined. Refuses with `challengeUsed` when the request id had another body. */
async function findRepeated({ key, bodyHash, keys, needs }: Context): Promise<Analysis | undefined> {
  const { compression, database, clock, settings } = needs
  const found = await findAnalysis(database, key, storedSince(clock.now(), settings))
  if (!found) return undefined
  if (!timingSafeEqual(found.bodyHash, bodyHash)) throw new Refusal('challengeUsed')
  return openRecord(found, keys, compression).analysis
}
