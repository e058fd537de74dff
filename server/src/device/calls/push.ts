// POST /sdk/v1/device-fingerprint, the push: the integrator's params join an analysis, and its report is made. (specification 4.7)

import { timingSafeEqual } from 'node:crypto'
import { type PushAnswer, PushRequest } from '@ringfence/contract'
import type { SessionCall } from '../../call.ts'
import { Refusal } from '../../errors.ts'
import { JsonText } from '../../json/json-text.ts'
import type { Platform } from '../../platform.ts'
import { findAnalysis, keepReport, type StoredAnalysis } from '../../storage/device-analyses.ts'
import { keptSince } from '../history/retention.ts'
import { makeReport } from '../report/make.ts'
import { dfrIdOf } from '../store/find-analysis.ts'
import { type Kept, openKept, sealKept } from '../store/record.ts'
import { bodyText } from './body-hash.ts'

/** Rule 1 of 4.7: an integrator's params cannot override these. */
const reservedKeys = Object.keys(PushRequest.properties)

/**
 * The analysis must be one of this session, else `sessionForeign`. The first push makes the report, and the analysis a visit of
 * the device; the same body repeated gets the same answer; another body under the same requestId is refused with `challengeUsed`.
 */
export async function pushFingerprint(
  body: PushRequest,
  call: SessionCall,
  platform: Platform,
): Promise<PushAnswer | JsonText<PushAnswer>> {
  const { app, session } = call
  const { requestId } = body
  const { compression, database, clock, settings } = platform
  if (body.data.requestId !== requestId) {
    throw new Refusal('fieldInvalid', { mistake: 'data.requestId must be the requestId of the body' })
  }
  const isOfSession = body.tsId === session.id && body.platform === session.platform && body.appId === app.id
  if (!isOfSession) throw new Refusal('sessionForeign')
  const keys = await platform.tenantKeyring.keysOf(app.tenantId)
  const row = { tenantId: app.tenantId, dfrId: dfrIdOf(requestId, keys) }
  const pushHash = keys.hash(`push ${bodyText(body)}`).subarray(0, 8)
  const found = await ofSession()
  return answerOf(found.row.pushHash ? found : await firstPush(found))

  async function ofSession(): Promise<Found> {
    const stored = await findAnalysis(database, row, keptSince(clock.now(), settings))
    const kept = stored && openKept(stored, keys, compression)
    if (!stored || kept?.analysis.sessionId !== session.id) throw new Refusal('sessionForeign')
    return { row: stored, kept }
  }

  /** Of several at once one is kept, and all answer it. */
  async function firstPush({ row: stored, kept: { analysis } }: Found): Promise<Found> {
    const params = Object.fromEntries(Object.entries(body).filter(([name]) => !reservedKeys.includes(name)))
    const report = await makeReport({ analysis, visit: stored, params, settings: app.settings }, platform)
    const kept = { analysis, report }
    const made = { ...row, pushHash, sealed: sealKept(kept, row, keys, compression) }
    return (await keepReport(database, made)) ? { row: { ...stored, pushHash }, kept } : ofSession()
  }

  function answerOf({ row: { pushHash: first, dfrId }, kept: { report } }: Found): PushAnswer | JsonText<PushAnswer> {
    if (!first || !timingSafeEqual(first, pushHash)) throw new Refusal('challengeUsed')
    if (!app.settings.revealReport || !report) return { dfrId }
    return new JsonText(`{"dfrId":"${dfrId}","intelligenceResponse":${report.answer.text}}`)
  }
}

interface Found {
  readonly row: StoredAnalysis
  readonly kept: Kept
}
