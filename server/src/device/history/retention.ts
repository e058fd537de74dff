// How long is data about devices stored? Analyses and reports for DEVICE_RETENTION_DAYS, visits, labels and history for DEVICE_HISTORY_DAYS.

import type { Settings } from '../../config/settings.ts'
import type { Platform } from '../../platform.ts'
import { deleteContents, dropUnreported, dropWithoutContent } from '../../storage/device-analyses.ts'
import { dropUnreadDevicesBefore } from '../../storage/devices/unread-devices.ts'
import { dropAccountDevicesBefore } from '../../storage/history/account-devices.ts'
import { dropAccountNumbersBefore, dropKnowledgeBefore } from '../../storage/history/account-knowledge.ts'
import { dropHistoryBefore } from '../../storage/history/device-history.ts'
import { dropDeviceLabelsBefore } from '../../storage/history/device-labels.ts'
import { dropIpLabelsBefore } from '../../storage/ip-labels.ts'
import { dropKeystoreKeysBefore } from '../../storage/phone-keys.ts'
import { dropReportLabelsBefore } from '../../storage/report-labels.ts'
import { dropStoredBytesBefore } from '../../storage/stored-bytes.ts'
import { forgetInstallations } from '../identity/forget.ts'

const dayMs = 86_400_000

/** An older analysis belongs to another visit, and says nothing about the device now. */
export const sameVisitMs = 3_600_000

/** Analyses and reports from this moment or earlier have expired. Epoch milliseconds. */
export const storedSince = (now: number, { deviceRetentionDays }: Pick<Settings, 'deviceRetentionDays'>): number =>
  now - deviceRetentionDays * dayMs

/** Visits and labels before this moment have expired. Epoch milliseconds. */
export const historySince = (now: number, { deviceHistoryDays }: Pick<Settings, 'deviceHistoryDays'>): number =>
  now - deviceHistoryDays * dayMs

/** Rows per statement, so that other writes do not wait long. An installation has many keys. */
const slice = 500
const installationsAtOnce = 50
/** For how long you can see how much an app stored. */
const storedBytesDays = 31

/** Deletes expired analyses, reports, visits, labels, histories, keys and installations, in slices. */
export async function dropExpired(
  platform: Pick<Platform, 'database' | 'tenantKeyring' | 'clock' | 'settings'>,
): Promise<void> {
  const { database, clock, settings } = platform
  const now = clock.now()
  const [contentSince, since] = [storedSince(now, settings), historySince(now, settings)]
  const drops: [most: number, drop: () => Promise<number>][] = [
    [slice, () => dropUnreported(database, contentSince, slice)],
    [slice, () => deleteContents(database, contentSince, slice)],
    [slice, () => dropWithoutContent(database, since, slice)],
    [slice, () => dropHistoryBefore(database, since, slice)],
    [slice, () => dropAccountDevicesBefore(database, since, slice)],
    [slice, () => dropKnowledgeBefore(database, since, slice)],
    [slice, () => dropAccountNumbersBefore(database, since, slice)],
    [slice, () => dropDeviceLabelsBefore(database, since, slice)],
    [slice, () => dropIpLabelsBefore(database, since, slice)],
    [slice, () => dropReportLabelsBefore(database, Math.min(contentSince, since), slice)],
    [slice, () => dropKeystoreKeysBefore(database, since, slice)],
    [slice, () => dropUnreadDevicesBefore(database, since, slice)],
    [slice, () => dropStoredBytesBefore(database, Math.floor(now / dayMs) - storedBytesDays, slice)],
    [installationsAtOnce, () => forgetInstallations(since, installationsAtOnce, platform)],
  ]
  for (const [most, drop] of drops) while ((await drop()) >= most);
}
