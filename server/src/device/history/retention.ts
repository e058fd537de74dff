// How long is what is known of devices kept? Content for DEVICE_RETENTION_DAYS, visits and outcomes for DEVICE_HISTORY_DAYS.

import type { Settings } from '../../config/settings.ts'
import type { Platform } from '../../platform.ts'
import { dropForgotten, dropUnreported, forgetContents } from '../../storage/device-analyses.ts'
import { dropDeviceLabelsBefore } from '../../storage/device-labels.ts'
import { dropIpLabelsBefore } from '../../storage/ip-labels.ts'
import { dropReportLabelsBefore } from '../../storage/report-labels.ts'
import { forgetDevices } from '../identity/forget.ts'

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
    [slice, () => dropDeviceLabelsBefore(database, remembered, slice)],
    [slice, () => dropIpLabelsBefore(database, remembered, slice)],
    [slice, () => dropReportLabelsBefore(database, Math.min(kept, remembered), slice)],
    [devicesAtOnce, () => forgetDevices(remembered, devicesAtOnce, platform)],
  ]
  for (const [most, drop] of drops) while ((await drop()) >= most);
}
