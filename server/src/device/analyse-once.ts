// Is this call new? Each analysis takes the session's challenge, which is there once; the same call repeated is answered as before.

import { timingSafeEqual } from 'node:crypto'
import type { IntelligenceRequest } from '@ringfence/contract'
import { challengeHash, makeChallenge } from '../apps/session.ts'
import type { SessionCall } from '../call.ts'
import { Refusal } from '../errors.ts'
import type { TenantKeys } from '../keyring.ts'
import type { Platform } from '../platform.ts'
import { type Queryable, UniqueViolation } from '../storage/database.ts'
import { advanceChallenge, findAnalysis, insertAnalysis, type StoredAnalysis } from '../storage/device-analyses.ts'
import { type Analysis, analyse } from './analyse.ts'
import { type KeyChange, keepKey } from './attestation/prove.ts'
import { bodyText } from './body-text.ts'
import { expiryOf, openAnalysis, sealAnalysis } from './stored.ts'

/** What is kept of a call: the analysis, and what the SDK was answered beside it. */
export interface AnalysedCall {
  readonly analysis: Analysis
  readonly nextChallenge: string
  readonly deviceToken?: string
}

/**
 * Analyses the device of a call that bears the session's next challenge. The analysis that is kept first takes the challenge: of
 * several calls with one challenge, in whatever processes, one wins. The same body repeated in its session gets what
 * was kept. Refuses with `sessionForeign` and `challengeUsed`. `kind`: a body that was sent to one endpoint is another one at the next.
 */
export async function analyseOnce(
  kind: 'intelligence' | 'secure',
  body: IntelligenceRequest,
  call: SessionCall,
  platform: Platform,
): Promise<AnalysedCall> {
  const { app, session, deviceCookie } = call
  if (body.tsId !== session.id || body.platform !== session.platform) throw new Refusal('sessionForeign')
  const keys = await platform.tenantKeyring.keysOf(app.tenantId)
  const bodyHash = keys.hash(`${kind} ${bodyText(body)}`)
  const request: AskedOnce = { tenantId: app.tenantId, requestId: body.requestId, sessionId: session.id, bodyHash }
  const before = await repeated(request, platform)
  const kept = before ?? (await analysedNow(request, body, call, keys, platform))
  if (kept.deviceToken !== undefined) deviceCookie.token = kept.deviceToken
  return kept
}

/** What tells one call from another. */
type AskedOnce = Pick<StoredAnalysis, 'tenantId' | 'requestId' | 'sessionId' | 'bodyHash'>

async function analysedNow(
  request: AskedOnce,
  body: IntelligenceRequest,
  call: SessionCall,
  keys: TenantKeys,
  platform: Platform,
): Promise<AnalysedCall> {
  const { analysis, deviceToken, keyChange } = await analyse(body, call, platform)
  const made: AnalysedCall = { analysis, nextChallenge: makeChallenge(), ...(deviceToken && { deviceToken }) }
  const record: StoredAnalysis = {
    ...request,
    appId: call.app.id,
    sealed: sealAnalysis(made, request.tenantId, keys),
    analysedAt: analysis.evidence.now,
    expiresAt: expiryOf(analysis.evidence.now, platform),
  }
  const outcome = await keep(
    { record, challenge: body.challenge, nextChallenge: made.nextChallenge, keyChange },
    call,
    platform,
  )
  if (outcome === 'kept') return made
  if (outcome === 'overtaken') return analysedNow(request, body, call, keys, platform)
  const first = await repeated(request, platform)
  if (!first) throw new Refusal('challengeUsed')
  return first
}

interface ToKeep {
  readonly record: StoredAnalysis
  readonly challenge: string
  readonly nextChallenge: string
  readonly keyChange: KeyChange | undefined
}

/** A key of App Attest counted further in another call meanwhile. */
class Overtaken extends Error {}

async function keep(
  { record, challenge, nextChallenge, keyChange }: ToKeep,
  { session }: SessionCall,
  { database }: Platform,
): Promise<'kept' | 'challengeUsed' | 'overtaken'> {
  const claim = {
    session: session.key,
    challengeHash: challengeHash(challenge),
    nextHash: challengeHash(nextChallenge),
  }
  const kept = async (store: Queryable): Promise<'kept' | 'challengeUsed'> => {
    if (!(await insertAnalysis(store, record, claim))) return 'challengeUsed'
    if (keyChange && !(await keepKey(store, keyChange, record.analysedAt))) throw new Overtaken()
    await advanceChallenge(store, claim)
    return 'kept'
  }
  try {
    // A key and its analysis are kept together. Otherwise no transaction: the insert alone decides who wins, and where the process
    // ends before the next challenge is there, the SDK begins another session.
    return await (keyChange ? database.transaction(kept) : kept(database))
  } catch (error) {
    if (error instanceof Overtaken) return 'overtaken'
    // The challenge was taken meanwhile, or the request id was used before; then the challenge is still there.
    if (error instanceof UniqueViolation) return 'challengeUsed'
    throw error
  }
}

/** What was kept of the same call; undefined where there was none. Refuses with `challengeUsed` where it was another one. */
async function repeated(
  { tenantId, requestId, sessionId, bodyHash }: AskedOnce,
  platform: Platform,
): Promise<AnalysedCall | undefined> {
  const found = await findAnalysis(platform.database, tenantId, requestId, platform.clock.now())
  if (!found) return undefined
  if (found.sessionId !== sessionId || !timingSafeEqual(found.bodyHash, bodyHash)) throw new Refusal('challengeUsed')
  return openAnalysis(found, await platform.tenantKeyring.keysOf(tenantId))
}
