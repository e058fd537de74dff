// What is kept of a device, how long, and who gets to see it? Sealed by the tenant's keys; found by request id or dfrId.

import { analysisIdPattern } from '@ringfence/contract'
import type { TenantKeys } from '../keyring.ts'
import type { Platform } from '../platform.ts'
import type { Settings } from '../settings.ts'
import { dropAddressOutcomesBefore } from '../storage/address-outcomes.ts'
import { dropForgotten, dropUnreported, findAnalysis, forgetContents } from '../storage/device-analyses.ts'
import { dropOutcomesBefore } from '../storage/device-outcomes.ts'
import { dropLabelsBefore } from '../storage/outcome-labels.ts'
import type { Analysis } from './analyse.ts'
import { openKept } from './kept.ts'
import { forgetDevices } from './recognition/forget.ts'

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
  { database, tenantKeyring, clock, settings }: Pick<Platform, 'database' | 'tenantKeyring' | 'clock' | 'settings'>,
): Promise<Analysis | undefined> {
  const keys = await tenantKeyring.keysOf(tenantId)
  const dfrId = 'dfrId' in reference ? reference.dfrId : dfrIdOf(reference.requestId, keys)
  if ('dfrId' in reference ? !isDfrId(dfrId) : !analysisIdPattern.test(reference.requestId)) return undefined
  const found = await findAnalysis(database, { tenantId, dfrId }, keptSince(clock.now(), settings))
  if (!found || ('dfrId' in reference && !found.pushHash)) return undefined
  const { analysis } = openKept(found, keys)
  return appId === undefined || analysis.appId === appId ? analysis : undefined
}

/** 32 hex digits. A keyed hash, so that nobody finds it by the request id, and a repeated push finds its own row. */
export const dfrIdOf = (requestId: string, keys: TenantKeys): string =>
  Buffer.from(keys.hash(`dfrId ${requestId}`)).toString('hex', 0, 16)

/** Whether it has the form of one. */
export const isDfrId = (text: string): boolean => /^[0-9a-f]{32}$/.test(text)

const dayMs = 86_400_000

/** Of what was made at this moment or before, the content has to be forgotten. */
export const keptSince = (now: number, { deviceRetentionDays }: Pick<Settings, 'deviceRetentionDays'>): number =>
  now - deviceRetentionDays * dayMs

/** What was before this moment is no history of a device any more. */
export const rememberedSince = (now: number, { deviceHistoryDays }: Pick<Settings, 'deviceHistoryDays'>): number =>
  now - deviceHistoryDays * dayMs

/** So many at a time that other writes need not wait; a device is many rows. */
const slice = 500
const devicesAtOnce = 50

/** Drops what is to be forgotten of devices, in slices: analyses, reports, labels, histories, and devices that came no more. */
export async function dropExpired(
  platform: Pick<Platform, 'database' | 'tenantKeyring' | 'clock' | 'settings'>,
): Promise<void> {
  const { database, clock, settings } = platform
  const now = clock.now()
  const [kept, remembered] = [keptSince(now, settings), rememberedSince(now, settings)]
  const drops: [most: number, drop: () => Promise<number>][] = [
    [slice, () => dropUnreported(database, kept, slice)],
    [slice, () => forgetContents(database, kept, slice)],
    [slice, () => dropForgotten(database, remembered, slice)],
    [slice, () => dropOutcomesBefore(database, remembered, slice)],
    [slice, () => dropAddressOutcomesBefore(database, remembered, slice)],
    [slice, () => dropLabelsBefore(database, Math.min(kept, remembered), slice)],
    [devicesAtOnce, () => forgetDevices(remembered, devicesAtOnce, platform)],
  ]
  for (const [most, drop] of drops) while ((await drop()) >= most);
}
