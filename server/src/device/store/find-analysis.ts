// Who gets to see an analysis that is kept? Found by request id or dfrId, for its tenant and app alone.

import { analysisIdPattern } from '@ringfence/contract'
import type { TenantKeys } from '../../crypto/keyring.ts'
import type { Platform } from '../../platform.ts'
import { findAnalysis } from '../../storage/device-analyses.ts'
import type { Analysis } from '../analysis/analyse.ts'
import { keptSince } from '../history/retention.ts'
import { openKept } from './record.ts'

/** What an analysis is known by: the SDK's id of its call, or the report's id, which the push answered. */
export type AnalysisReference = { readonly requestId: string } | { readonly dfrId: string }

/** Whose it must be: a tenant's, and where an app is named, that app's. */
export interface AnalysisOwner {
  readonly tenantId: string
  readonly appId?: string
}

/** The analysis, or undefined when there is none, it is forgotten, or it is another tenant's or app's; by dfrId once it was pushed. */
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
  const found = await findAnalysis(database, { tenantId, dfrId }, keptSince(clock.now(), settings))
  if (!found || ('dfrId' in reference && !found.pushHash)) return undefined
  const { analysis } = openKept(found, keys, compression)
  return appId === undefined || analysis.appId === appId ? analysis : undefined
}

/** 32 hex digits. A keyed hash, so that nobody finds it by the request id, and a repeated push finds its own row. */
export const dfrIdOf = (requestId: string, keys: TenantKeys): string =>
  Buffer.from(keys.hash(`dfrId ${requestId}`)).toString('hex', 0, 16)

/** Whether it has the form of one. */
export const isDfrId = (text: string): boolean => /^[0-9a-f]{32}$/.test(text)
