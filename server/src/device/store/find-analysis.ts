// Which stored analysis has this request id or dfrId, and which is the latest of a session? Found only for its own tenant and app.

import { analysisIdPattern } from '@ringfence/contract'
import { challengeAfter, challengeKey } from '../../apps/challenge.ts'
import type { TenantKeys } from '../../core/crypto/keyring.ts'
import type { Queryable } from '../../core/storage/database.ts'
import { isSameId } from '../../core/storage/uuid.ts'
import { deviceHashOf } from '../../events/subject-hashes.ts'
import type { Analysis } from '../analysis/analyse.ts'
import { storedSince } from '../history/retention.ts'
import type { DeviceNeeds } from '../room.ts'
import { currentDeviceId } from './device-aliases.ts'
import { findAnalysis, findAnalysisByChallenge, type StoredAnalysis } from './device-analyses.ts'
import { openRecord } from './record.ts'

/** Identifies an analysis: the SDK's id of the engine call, or the report's id that the push returned. */
export type AnalysisReference = { readonly requestId: string } | { readonly dfrId: string }

/** Who may see the analysis. Without `appId`, every app of the tenant. */
export interface AnalysisOwner {
  readonly tenantId: string
  readonly appId?: string
}

/** Undefined when the analysis is unknown, expired or of another tenant or app. A dfrId works only after the push. */
export async function analysisOf(
  reference: AnalysisReference,
  { tenantId, appId }: AnalysisOwner,
  {
    compression,
    database,
    tenantKeyring,
    clock,
    settings,
  }: Pick<DeviceNeeds, 'compression' | 'database' | 'tenantKeyring' | 'clock' | 'settings'>,
): Promise<Analysis | undefined> {
  const keys = await tenantKeyring.keysOf(tenantId)
  const dfrId = 'dfrId' in reference ? reference.dfrId : dfrIdOf(reference.requestId, keys)
  if ('dfrId' in reference ? !isDfrId(dfrId) : !analysisIdPattern.test(reference.requestId)) return undefined
  const found = await findAnalysis(database, { tenantId, dfrId }, storedSince(clock.now(), settings))
  if (!found || ('dfrId' in reference && !found.pushHash)) return undefined
  const analysis = await underCurrentId(openRecord(found, keys, compression).analysis, found, { database, keys })
  return appId === undefined || analysis.appId === appId ? analysis : undefined
}

/**
 * The analysis, under the id that its device has now: it may have turned out to be an older one since. Only a row that was moved costs a
 * read. What a report said stays as it was.
 */
export async function underCurrentId(
  analysis: Analysis,
  { tenantId, deviceHash }: Pick<StoredAnalysis, 'tenantId' | 'deviceHash'>,
  { database, keys }: { readonly database: Queryable; readonly keys: TenantKeys },
): Promise<Analysis> {
  const { deviceId } = analysis
  if (deviceId === undefined || !deviceHash || isSameId(deviceHash, deviceHashOf(deviceId, keys))) return analysis
  return { ...analysis, deviceId: await currentDeviceId(database, tenantId, deviceId) }
}

/** A session has a few analyses; whoever makes more gets this one. */
const furthest = 20

/**
 * The latest analysis of a session: each one names the challenge of the next. `dfrId` only after the push. Undefined when the session
 * has none, or is of another tenant or app.
 */
export async function latestAnalysisOf(
  sessionId: string,
  { tenantId, appId }: Required<AnalysisOwner>,
  {
    compression,
    database,
    tenantKeyring,
    clock,
    settings,
  }: Pick<DeviceNeeds, 'compression' | 'database' | 'tenantKeyring' | 'clock' | 'settings'>,
): Promise<{ analysis: Analysis; dfrId?: string } | undefined> {
  const keys = await tenantKeyring.keysOf(tenantId)
  const since = storedSince(clock.now(), settings)
  let latest: { analysis: Analysis; dfrId?: string } | undefined
  const owner = { appId, sessionId }
  let request = sessionId
  for (let count = 0; count < furthest; count++) {
    const challenge = challengeKey(challengeAfter(request, owner, keys), owner, keys)!
    const found = await findAnalysisByChallenge(database, tenantId, challenge, since)
    if (!found) break
    const analysis = await underCurrentId(openRecord(found, keys, compression).analysis, found, { database, keys })
    latest = { analysis, ...(found.pushHash && { dfrId: found.dfrId }) }
    request = analysis.requestId
  }
  return latest
}

/** 32 hex digits. A keyed hash: the request id does not reveal the dfrId, and a repeated push finds its own row. */
export const dfrIdOf = (requestId: string, keys: TenantKeys): string =>
  Buffer.from(keys.hash(`dfrId ${requestId}`)).toString('hex', 0, 16)

/** Whether the text has the form of a dfrId. */
export const isDfrId = (text: string): boolean => /^[0-9a-f]{32}$/.test(text)
