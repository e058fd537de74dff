// Is this call new? Each analysis takes the session's challenge, which is there once; the same call repeated is answered as before.

import { timingSafeEqual } from 'node:crypto'
import type { IntelligenceRequest } from '@ringfence/contract'
import { challengeAfter, challengeKey } from '../../apps/challenge.ts'
import type { SessionCall } from '../../call.ts'
import type { TenantKeys } from '../../crypto/keyring.ts'
import { Refusal } from '../../errors.ts'
import type { Platform } from '../../platform.ts'
import { type Queryable, UniqueViolation } from '../../storage/database.ts'
import { type AnalysisKey, findAnalysis, insertAnalysis } from '../../storage/device-analyses.ts'
import { type Analysis, analyse } from '../analysis/analyse.ts'
import { type KeyChange, keepKey } from '../attestation/prove.ts'
import { keptSince } from '../history/retention.ts'
import { visitOf } from '../history/visit.ts'
import { makeDeviceToken } from '../identity/device-token.ts'
import { dfrIdOf } from '../store/find-analysis.ts'
import { openKept, sealKept } from '../store/record.ts'
import { bodyText } from './body-hash.ts'

/** What is kept of a call, and what the SDK is answered beside it. */
export interface AnalysedCall {
  readonly analysis: Analysis
  readonly nextChallenge: string
  /** What a browser shall keep. */
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
  const asked: AskedOnce = {
    tenantId: app.tenantId,
    dfrId: dfrIdOf(body.requestId, keys),
    bodyHash: keys.hash(`${kind} ${bodyText(body)}`).subarray(0, 8),
  }
  const analysis = (await repeated(asked, keys, platform)) ?? (await analysedNow(asked, body, call, keys, platform))
  const nextChallenge = challengeAfter(analysis.requestId, session.id, keys)
  if (session.platform !== 'WEB' || analysis.deviceId === undefined) return { analysis, nextChallenge }
  const { text: deviceToken } = makeDeviceToken(keys, analysis.deviceId)
  deviceCookie.token = deviceToken
  return { analysis, nextChallenge, deviceToken }
}

/** What tells one call from another: the hash covers its session. */
type AskedOnce = AnalysisKey & { readonly bodyHash: Uint8Array }

async function analysedNow(
  asked: AskedOnce,
  body: IntelligenceRequest,
  call: SessionCall,
  keys: TenantKeys,
  platform: Platform,
): Promise<Analysis> {
  const challenge = challengeKey(body.challenge, call.session.id, keys)
  if (!challenge) throw new Refusal('challengeUsed')
  const { analysis, keyChange } = await analyse(body, call, platform)
  const record = {
    ...asked,
    challenge,
    analysedAt: analysis.evidence.now,
    ...visitOf(analysis, keys),
    sealed: sealKept({ analysis }, asked, keys, platform.compression),
  }
  const outcome = await keep(record, keyChange, platform)
  if (outcome === 'kept') return analysis
  if (outcome === 'overtaken') return analysedNow(asked, body, call, keys, platform)
  const first = await repeated(asked, keys, platform)
  if (!first) throw new Refusal('challengeUsed')
  return first
}

/** A key of App Attest counted further in another call meanwhile. */
class Overtaken extends Error {}

async function keep(
  record: Parameters<typeof insertAnalysis>[1],
  keyChange: KeyChange | undefined,
  { database }: Platform,
): Promise<'kept' | 'challengeUsed' | 'overtaken'> {
  /** A key and its analysis are kept together. */
  const withKey = async (store: Queryable, change: KeyChange) => {
    await insertAnalysis(store, record)
    if (!(await keepKey(store, change, record.analysedAt))) throw new Overtaken()
  }
  try {
    await (keyChange ? database.transaction((tx) => withKey(tx, keyChange)) : insertAnalysis(database, record))
    return 'kept'
  } catch (error) {
    if (error instanceof Overtaken) return 'overtaken'
    // The challenge was taken meanwhile, or the request id was used before; then the challenge is still there.
    if (error instanceof UniqueViolation) return 'challengeUsed'
    throw error
  }
}

/** What was kept of the same call; undefined where there was none. Refuses with `challengeUsed` where it was another one. */
async function repeated(
  { bodyHash, ...key }: AskedOnce,
  keys: TenantKeys,
  { compression, database, clock, settings }: Platform,
): Promise<Analysis | undefined> {
  const found = await findAnalysis(database, key, keptSince(clock.now(), settings))
  if (!found) return undefined
  if (!timingSafeEqual(found.bodyHash, bodyHash)) throw new Refusal('challengeUsed')
  return openKept(found, keys, compression).analysis
}
