// POST /sdk/v1/device-fingerprint, the push: the integrator's params join an analysis, and its report is made. (specification 4.7)

import { timingSafeEqual } from 'node:crypto'
import { type PushAnswer, PushRequest } from '@ringfence/contract'
import type { SessionCall } from '../call.ts'
import { Refusal } from '../errors.ts'
import { JsonText } from '../json-text.ts'
import type { TenantKeys } from '../keyring.ts'
import type { Platform } from '../platform.ts'
import { findAnalysis, findReport, insertReport, type StoredReport } from '../storage/device-analyses.ts'
import { type DeviceVisit, keepVisit } from '../storage/device-visits.ts'
import { bodyText } from './body-text.ts'
import { makeReport } from './report/make.ts'
import { openReport, sealReport } from './report/sealed.ts'
import { dfrIdOf, expiryOf, openAnalysis } from './stored.ts'

/** Rule 1 of 4.7: an integrator's params cannot override these. */
const reservedKeys = Object.keys(PushRequest.properties)

/**
 * The analysis must be one of this session, else `sessionForeign`. The first push makes the report, and the session a visit of
 * the device; the same body repeated gets the same answer; another body under the same requestId is refused with `challengeUsed`.
 */
export async function pushFingerprint(
  body: PushRequest,
  call: SessionCall,
  platform: Platform,
): Promise<PushAnswer | JsonText<PushAnswer>> {
  const { app, session } = call
  const { requestId } = body
  const { database, clock } = platform
  if (body.data.requestId !== requestId) throw new Refusal('fieldInvalid', { field: 'data' })
  const isOfSession = body.tsId === session.id && body.platform === session.platform && body.appId === app.id
  if (!isOfSession) throw new Refusal('sessionForeign')
  const now = clock.now()
  const { tenantId } = app
  const keys = await platform.tenantKeyring.keysOf(tenantId)
  const dfrId = dfrIdOf(requestId, keys)
  const [analysed, before] = await Promise.all([
    findAnalysis(database, tenantId, requestId, now),
    findReport(database, tenantId, dfrId, now),
  ])
  if (analysed?.sessionId !== session.id) throw new Refusal('sessionForeign')
  const bodyHash = keys.hash(`push ${bodyText(body)}`)
  const stored = before ?? (await firstPush())
  if (!timingSafeEqual(stored.bodyHash, bodyHash)) throw new Refusal('challengeUsed')
  return answerOf(stored, call, keys)

  /** Of several at once one is kept, and all answer it. */
  async function firstPush(): Promise<StoredReport> {
    const { analysis } = openAnalysis(analysed!, keys)
    const params = Object.fromEntries(Object.entries(body).filter(([name]) => !reservedKeys.includes(name)))
    const parts = { analysis, dfrId, params, tenantId, settings: app.settings }
    const { report, visit } = await makeReport(parts, keys, platform)
    const place = { tenantId, dfrId }
    const made = {
      ...place,
      requestId,
      bodyHash,
      sealed: sealReport(report, session.platform, place, keys),
      pushedAt: now,
      expiresAt: expiryOf(analysed!.analysedAt, platform),
    }
    if (await keep(made, visit, platform)) return made
    const first = await findReport(database, tenantId, dfrId, now)
    if (!first) throw new Refusal('sessionForeign')
    return first
  }
}

/**
 * The visit first. It is of the moment of the analysis, so that kept again it is the same one: a push that ends in between is mended by
 * its repetition. Two statements, as those of many pushes are made durable together, and a transaction is so alone.
 */
async function keep(
  report: StoredReport,
  visit: DeviceVisit | undefined,
  { database }: Pick<Platform, 'database'>,
): Promise<boolean> {
  if (visit) await keepVisit(database, visit)
  return insertReport(database, report)
}

function answerOf(report: StoredReport, { app }: SessionCall, keys: TenantKeys): PushAnswer | JsonText<PushAnswer> {
  const { dfrId } = report
  if (!app.settings.revealReport) return { dfrId }
  return new JsonText(`{"dfrId":"${dfrId}","intelligenceResponse":${openReport(report, keys).answer.text}}`)
}
