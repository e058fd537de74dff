// POST /sdk/v1/device-fingerprint, the push: the integrator's params join an analysis, and the report gets its id. (specification 4.7)

import { timingSafeEqual } from 'node:crypto'
import { type PushAnswer, PushRequest } from '@ringfence/contract'
import type { SessionCall } from '../call.ts'
import { Refusal } from '../errors.ts'
import type { TenantKeys } from '../keyring.ts'
import type { Platform } from '../platform.ts'
import { findAnalysis, findReport, insertReport } from '../storage/device-analyses.ts'
import { bodyText } from './body-text.ts'
import { expiryOf } from './stored.ts'

/** Rule 1 of 4.7: an integrator's params cannot override these. */
const reservedKeys = Object.keys(PushRequest.properties)

/**
 * The analysis must be one of this session, else `sessionForeign`. The same body repeated gets the same dfrId; another body under the
 * same requestId is refused with `challengeUsed`.
 */
export async function pushFingerprint(body: PushRequest, call: SessionCall, platform: Platform): Promise<PushAnswer> {
  const { app, session } = call
  const { requestId } = body
  const { database, clock } = platform
  if (body.data.requestId !== requestId) throw new Refusal('fieldInvalid', { field: 'data' })
  const isOfSession = body.tsId === session.id && body.platform === session.platform && body.appId === app.id
  if (!isOfSession) throw new Refusal('sessionForeign')
  const now = clock.now()
  const analysis = await findAnalysis(database, app.tenantId, requestId, now)
  if (analysis?.sessionId !== session.id) throw new Refusal('sessionForeign')
  const keys = await platform.tenantKeyring.keysOf(app.tenantId)
  const bodyHash = keys.hash(`push ${bodyText(body)}`)
  const dfrId = dfrIdOf(requestId, keys)
  const params = Object.fromEntries(Object.entries(body).filter(([name]) => !reservedKeys.includes(name)))
  const isFirst = await insertReport(database, {
    tenantId: app.tenantId,
    dfrId,
    requestId,
    bodyHash,
    sealed: keys.seal(JSON.stringify({ params }), `device report ${app.tenantId} ${dfrId}`),
    pushedAt: now,
    expiresAt: expiryOf(analysis.analysedAt, platform),
  })
  if (!isFirst) {
    const before = await findReport(database, app.tenantId, dfrId, now)
    if (!before || !timingSafeEqual(before.bodyHash, bodyHash)) throw new Refusal('challengeUsed')
  }
  return { dfrId }
}

/** 32 hex digits. A keyed hash, so that nobody finds it by the request id, and a repeated push finds its own row. */
const dfrIdOf = (requestId: string, keys: TenantKeys) =>
  Buffer.from(keys.hash(`dfrId ${requestId}`)).toString('hex', 0, 16)
