// Is this call new? Each analysis uses up a challenge of the session; the same call repeated gets the stored answer.

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
import { type KeyChange, storeKey } from '../attestation/prove.ts'
import { storedSince } from '../history/retention.ts'
import { visitOf } from '../history/visit.ts'
import { makeDeviceToken } from '../identity/device-token.ts'
import { dfrIdOf } from '../store/find-analysis.ts'
import { openRecord, sealRecord } from '../store/record.ts'
import { bodyHash } from './body-hash.ts'

export interface AnalysedCall {
  readonly analysis: Analysis
  /** The challenge that the SDK must send with its next engine call. */
  readonly nextChallenge: string
  /** The token that a browser must store; only for WEB. */
  readonly deviceToken?: string
}

/**
 * Analyses the device of a call whose challenge is the session's next one. The first analysis that is stored uses up the
 * challenge: of concurrent calls with one challenge, also in several processes, one succeeds. The same body repeated in its
 * session gets the stored analysis. Refuses with `sessionForeign` and `challengeUsed`.
 */
export async function analyseOnce(
  endpoint: 'intelligence' | 'secure',
  body: IntelligenceRequest,
  call: SessionCall,
  platform: Platform,
): Promise<AnalysedCall> {
  const { app, session, deviceCookie } = call
  if (body.tsId !== session.id || body.platform !== session.platform) throw new Refusal('sessionForeign')
  const keys = await platform.tenantKeyring.keysOf(app.tenantId)
  const key: CallKey = {
    tenantId: app.tenantId,
    dfrId: dfrIdOf(body.requestId, keys),
    bodyHash: bodyHash(endpoint, body, keys),
  }
  const analysis = (await findRepeated(key, keys, platform)) ?? (await analyseNew(key, body, call, keys, platform))
  const nextChallenge = challengeAfter(analysis.requestId, session.id, keys)
  if (session.platform !== 'WEB' || analysis.deviceId === undefined) return { analysis, nextChallenge }
  const { text: deviceToken } = makeDeviceToken(keys, analysis.deviceId)
  deviceCookie.token = deviceToken
  return { analysis, nextChallenge, deviceToken }
}

/** Identifies a call. The body contains the session, so the hash covers it. */
type CallKey = AnalysisKey & { readonly bodyHash: Uint8Array }

async function analyseNew(
  key: CallKey,
  body: IntelligenceRequest,
  call: SessionCall,
  keys: TenantKeys,
  platform: Platform,
): Promise<Analysis> {
  const challenge = challengeKey(body.challenge, call.session.id, keys)
  if (!challenge) throw new Refusal('challengeUsed')
  const { analysis, keyChange } = await analyse(body, call, platform)
  const row = {
    ...key,
    challenge,
    analysedAt: analysis.evidence.now,
    ...visitOf(analysis, keys),
    sealed: sealRecord({ analysis }, key, keys, platform.compression),
  }
  const result = await store(row, keyChange, platform)
  if (result === 'stored') return analysis
  if (result === 'overtaken') return analyseNew(key, body, call, keys, platform)
  const first = await findRepeated(key, keys, platform)
  if (!first) throw new Refusal('challengeUsed')
  return first
}

/** A concurrent call raised the counter of the App Attest key first. */
class Overtaken extends Error {}

async function store(
  row: Parameters<typeof insertAnalysis>[1],
  keyChange: KeyChange | undefined,
  { database }: Platform,
): Promise<'stored' | 'challengeUsed' | 'overtaken'> {
  const storeWithKey = async (tx: Queryable, change: KeyChange) => {
    await insertAnalysis(tx, row)
    if (!(await storeKey(tx, change, row.analysedAt))) throw new Overtaken()
  }
  try {
    await (keyChange ? database.transaction((tx) => storeWithKey(tx, keyChange)) : insertAnalysis(database, row))
    return 'stored'
  } catch (error) {
    if (error instanceof Overtaken) return 'overtaken'
    // Another call used the challenge, or the request id. In the second case the challenge is still unused.
    if (error instanceof UniqueViolation) return 'challengeUsed'
    throw error
  }
}

/** The stored analysis of the same call, or undefined. Refuses with `challengeUsed` when the request id had another body. */
async function findRepeated(
  { bodyHash, ...key }: CallKey,
  keys: TenantKeys,
  { compression, database, clock, settings }: Platform,
): Promise<Analysis | undefined> {
  const found = await findAnalysis(database, key, storedSince(clock.now(), settings))
  if (!found) return undefined
  if (!timingSafeEqual(found.bodyHash, bodyHash)) throw new Refusal('challengeUsed')
  return openRecord(found, keys, compression).analysis
}
