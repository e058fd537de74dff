// How long is data about devices stored? Analyses and reports for DEVICE_RETENTION_DAYS, visits, labels and history for DEVICE_HISTORY_DAYS.

import type { Settings } from '../../core/config/settings.ts'
import type { Core } from '../../core/core.ts'
import { dropStoredBytesBefore } from '../../core/storage/stored-bytes.ts'
import { forgetInstallations } from '../identity/forget.ts'
import { dropAccountDevicesBefore } from '../store/account-devices.ts'
import { dropAccountNumbersBefore, dropKnowledgeBefore } from '../store/account-knowledge.ts'
import { deleteContents, dropUnreported, dropWithoutContent } from '../store/device-analyses.ts'
import { dropHistoryBefore } from '../store/device-history.ts'
import { dropDeviceLabelsBefore } from '../store/labels/device-labels.ts'
import { dropIpLabelsBefore } from '../store/labels/ip-labels.ts'
import { dropReportLabelsBefore } from '../store/labels/report-labels.ts'
import { dropPhoneIdsBefore } from '../store/phone-ids.ts'
import { dropPhoneKeysBefore, keyTables } from '../store/phone-keys.ts'

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
  needs: Pick<Core, 'database' | 'tenantKeyring' | 'clock' | 'settings'>,
): Promise<void> {
  const { clock, settings } = needs
  const now = clock.now()
  await dropDevicesBefore({ contents: storedSince(now, settings), history: historySince(now, settings) }, needs)
  const lastDay = Math.floor(now / dayMs) - storedBytesDays
  while ((await dropStoredBytesBefore(needs.database, lastDay, slice)) >= slice);
}

type Drop = [most: number, drop: () => Promise<number>]

/** Deletes the contents of analyses and reports, and all else that is known of devices, of these moments or earlier; in slices. */
export async function dropDevicesBefore(
  { contents, history }: { contents: number; history: number },
  needs: Pick<Core, 'database' | 'tenantKeyring' | 'clock'>,
): Promise<void> {
  const { database } = needs
  const drops: Drop[] = [
    [slice, () => dropUnreported(database, contents, slice)],
    [slice, () => deleteContents(database, contents, slice)],
    [slice, () => dropWithoutContent(database, history, slice)],
    [slice, () => dropHistoryBefore(database, history, slice)],
    [slice, () => dropAccountDevicesBefore(database, history, slice)],
    [slice, () => dropKnowledgeBefore(database, history, slice)],
    [slice, () => dropAccountNumbersBefore(database, history, slice)],
    [slice, () => dropDeviceLabelsBefore(database, history, slice)],
    [slice, () => dropIpLabelsBefore(database, history, slice)],
    [slice, () => dropReportLabelsBefore(database, Math.min(contents, history), slice)],
    ...keyTables.map((table): Drop => [slice, () => dropPhoneKeysBefore(database, table, history, slice)]),
    [slice, () => dropPhoneIdsBefore(database, history, slice)],
    [installationsAtOnce, () => forgetInstallations(history, installationsAtOnce, needs)],
  ]
  for (const [most, drop] of drops) while ((await drop()) >= most);
}
