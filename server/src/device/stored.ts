// What is kept of a device, how long, and who gets to see it? Sealed by the tenant's keys; found by request id or dfrId.

import { analysisIdPattern } from '@ringfence/contract'
import type { TenantKeys } from '../keyring.ts'
import type { Platform } from '../platform.ts'
import { dropAddressOutcomesBefore } from '../storage/address-outcomes.ts'
import {
  dropExpiredAnalyses,
  dropExpiredReports,
  findAnalysis,
  findReport,
  type StoredAnalysis,
} from '../storage/device-analyses.ts'
import { dropOutcomesBefore } from '../storage/device-outcomes.ts'
import { dropVisitsBefore } from '../storage/device-visits.ts'
import { dropLabelsBefore } from '../storage/outcome-labels.ts'
import type { Analysis } from './analyse.ts'
import type { AnalysedCall } from './analyse-once.ts'
import { forgetDevices } from './recognition/forget.ts'

/** What an analysis is known by: the SDK's id of its call, or the report's id, which the push answered. */
export type AnalysisReference = { readonly requestId: string } | { readonly dfrId: string }

/** Whose it must be: a tenant's, and where an app is named, that app's. */
export interface AnalysisOwner {
  readonly tenantId: string
  readonly appId?: string
}

/** The analysis, or undefined when there is none, it has expired, or it is another tenant's or app's. */
export async function analysisOf(
  reference: AnalysisReference,
  { tenantId, appId }: AnalysisOwner,
  { database, tenantKeyring, clock }: Pick<Platform, 'database' | 'tenantKeyring' | 'clock'>,
): Promise<Analysis | undefined> {
  const now = clock.now()
  const requestId = 'requestId' in reference ? reference.requestId : await requestIdOf(reference.dfrId)
  if (requestId === undefined || !analysisIdPattern.test(requestId)) return undefined
  const found = await findAnalysis(database, tenantId, requestId, now)
  if (!found || (appId !== undefined && found.appId !== appId)) return undefined
  return openAnalysis(found, await tenantKeyring.keysOf(tenantId)).analysis

  async function requestIdOf(dfrId: string): Promise<string | undefined> {
    if (!/^[0-9a-f]{32}$/.test(dfrId)) return undefined
    return (await findReport(database, tenantId, dfrId, now))?.requestId
  }
}

const contextOf = (tenantId: string, requestId: string) => `device analysis ${tenantId} ${requestId}`

export const sealAnalysis = (call: AnalysedCall, tenantId: string, keys: TenantKeys): Uint8Array =>
  keys.seal(JSON.stringify(call), contextOf(tenantId, call.analysis.requestId))

export const openAnalysis = (
  { tenantId, requestId, sealed }: Pick<StoredAnalysis, 'tenantId' | 'requestId' | 'sealed'>,
  keys: TenantKeys,
): AnalysedCall => JSON.parse(keys.open(sealed, contextOf(tenantId, requestId)))

/** 32 hex digits. A keyed hash, so that nobody finds it by the request id, and a repeated push finds its own row. */
export const dfrIdOf = (requestId: string, keys: TenantKeys): string =>
  Buffer.from(keys.hash(`dfrId ${requestId}`)).toString('hex', 0, 16)

/** When what was known at this moment has to be forgotten. */
export const expiryOf = (at: number, { settings }: Pick<Platform, 'settings'>) =>
  at + settings.deviceRetentionDays * 86_400_000

/** So many at a time that other writes need not wait; a device is many rows. */
const slice = 500
const devicesAtOnce = 50

/** Drops what is to be forgotten of devices, in slices: analyses, reports, labels, histories, and devices that came no more. */
export async function dropExpired(
  platform: Pick<Platform, 'database' | 'tenantKeyring' | 'clock' | 'settings'>,
): Promise<void> {
  const { database, clock, settings } = platform
  const now = clock.now()
  const daysAgo = (days: number) => now - days * 86_400_000
  const historySince = daysAgo(settings.deviceHistoryDays)
  const labelsSince = Math.min(historySince, daysAgo(settings.deviceRetentionDays))
  const drops: [most: number, drop: () => Promise<number>][] = [
    [slice, () => dropExpiredAnalyses(database, now, slice)],
    [slice, () => dropExpiredReports(database, now, slice)],
    [slice, () => dropVisitsBefore(database, historySince, slice)],
    [slice, () => dropOutcomesBefore(database, historySince, slice)],
    [slice, () => dropAddressOutcomesBefore(database, historySince, slice)],
    [slice, () => dropLabelsBefore(database, labelsSince, slice)],
    [devicesAtOnce, () => forgetDevices(historySince, devicesAtOnce, platform)],
  ]
  for (const [most, drop] of drops) while ((await drop()) >= most);
}
