// Which stored analysis has this request id or dfrId? Found only for its own tenant and app.

import { analysisIdPattern } from '@ringfence/contract'
import type { TenantKeys } from '../../crypto/keyring.ts'
import type { Platform } from '../../platform.ts'
import { findAnalysis } from '../../storage/device-analyses.ts'
import type { Analysis } from '../analysis/analyse.ts'
import { storedSince } from '../history/retention.ts'
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
  }: Pick<Platform, 'compression' | 'database' | 'tenantKeyring' | 'clock' | 'settings'>,
): Promise<Analysis | undefined> {
  const keys = await tenantKeyring.keysOf(tenantId)
  const dfrId = 'dfrId' in reference ? reference.dfrId : dfrIdOf(reference.requestId, keys)
  if ('dfrId' in reference ? !isDfrId(dfrId) : !analysisIdPattern.test(reference.requestId)) return undefined
  const found = await findAnalysis(database, { tenantId, dfrId }, storedSince(clock.now(), settings))
  if (!found || ('dfrId' in reference && !found.pushHash)) return undefined
  const { analysis } = openRecord(found, keys, compression)
  return appId === undefined || analysis.appId === appId ? analysis : undefined
}

/** 32 hex digits. A keyed hash: the request id does not reveal the dfrId, and a repeated push finds its own row. */
export const dfrIdOf = (requestId: string, keys: TenantKeys): string =>
  Buffer.from(keys.hash(`dfrId ${requestId}`)).toString('hex', 0, 16)

/** Whether the text has the form of a dfrId. */
export const isDfrId = (text: string): boolean => /^[0-9a-f]{32}$/.test(text)
