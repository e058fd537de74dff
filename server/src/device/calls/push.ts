// POST /sdk/v1/device-fingerprint, the push: adds the integrator's params to an analysis and makes its report. (specification 4.7)

import { timingSafeEqual } from 'node:crypto'
import { type PushAnswer, PushRequest } from '@ringfence/contract'
import type { SessionCall } from '../../call.ts'
import { Refusal } from '../../errors.ts'
import { JsonText } from '../../json/json-text.ts'
import type { Platform } from '../../platform.ts'
import { findAnalysis, putReport, type StoredAnalysis } from '../../storage/device-analyses.ts'
import { storedSince } from '../history/retention.ts'
import { makeReport } from '../report/make.ts'
import { dfrIdOf } from '../store/find-analysis.ts'
import { type AnalysisRecord, openRecord, sealRecord } from '../store/record.ts'
import { bodyHash } from './body-hash.ts'

/** Rule 1 of 4.7: an integrator's params cannot override these. */
const reservedKeys = Object.keys(PushRequest.properties)

/**
 * The first push makes the report, and counts the analysis as a visit of the device. The same body repeated gets the same
 * answer. Refuses with `sessionForeign` when the analysis is of another session, and with `challengeUsed` when another body
 * was pushed for it.
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
  const pushHash = bodyHash('push', body, keys)
  const found = await ofSession()
  return answerOf(found.row.pushHash ? found : await firstPush(found))

  async function ofSession(): Promise<Found> {
    const stored = await findAnalysis(database, row, storedSince(clock.now(), settings))
    const record = stored && openRecord(stored, keys, compression)
    if (!stored || record?.analysis.sessionId !== session.id) throw new Refusal('sessionForeign')
    return { row: stored, record }
  }

  /** Concurrent first pushes store one report, and all return it. */
  async function firstPush({ row: stored, record: { analysis } }: Found): Promise<Found> {
    const params = Object.fromEntries(Object.entries(body).filter(([name]) => !reservedKeys.includes(name)))
    const report = await makeReport({ analysis, visit: stored, params, settings: app.settings }, platform)
    const record = { analysis, report }
    const made = { ...row, pushHash, sealed: sealRecord(record, row, keys, compression) }
    return (await putReport(database, made)) ? { row: { ...stored, pushHash }, record } : ofSession()
  }

  function answerOf({ row: { pushHash: first, dfrId }, record: { report } }: Found): PushAnswer | JsonText<PushAnswer> {
    if (!first || !timingSafeEqual(first, pushHash)) throw new Refusal('challengeUsed')
    if (!app.settings.revealReport || !report) return { dfrId }
    return new JsonText(`{"dfrId":"${dfrId}","intelligenceResponse":${report.answer.text}}`)
  }
}

interface Found {
  readonly row: StoredAnalysis
  readonly record: AnalysisRecord
}
