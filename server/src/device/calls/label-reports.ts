// POST /client/v1/labels: a backend reports how sessions turned out.
// Labels feed the history of devices and IP addresses, and measure the precision of rules.

import type { LabelAnswer, LabelRequest, ReportLabel } from '@ringfence/contract'
import type { Call } from '../../call.ts'
import { Refusal } from '../../errors.ts'
import { writeEvents } from '../../events/events.ts'
import type { Platform } from '../../platform.ts'
import { isBad } from '../../rules/label.ts'
import { putDeviceLabel } from '../../storage/history/device-labels.ts'
import { visitOfReport } from '../../storage/history/device-visits.ts'
import { putIpLabel } from '../../storage/ip-labels.ts'
import { putReportLabel } from '../../storage/report-labels.ts'
import { confirmDevice } from '../account/confirm.ts'
import { historySince, storedSince } from '../history/retention.ts'
import { analysisOf, dfrIdOf, isDfrId } from '../store/find-analysis.ts'

/**
 * Stores the label of each known report, and returns the ids of the others. A report can be labelled as long as the visit of
 * its device is stored (DEVICE_HISTORY_DAYS), because a chargeback may come after the report itself was deleted.
 */
export async function labelReports(
  { labels }: LabelRequest,
  { caller: { tenantId } }: Call,
  platform: Platform,
): Promise<LabelAnswer> {
  for (const [index, { knownAt }] of labels.entries()) refuseFuture(knownAt, index, platform.clock.now())
  const unknown: string[] = []
  for (const label of labels) {
    if (!(await storeLabel(label, tenantId, platform))) unknown.push(idOf(label).id)
  }
  return { accepted: labels.length - unknown.length, unknown: [...new Set(unknown)] }
}

/** Clocks of backends are rarely this wrong. */
const clockSkewMs = 5 * 60_000

function refuseFuture(knownAt: string | undefined, index: number, now: number): void {
  if (knownAt === undefined || timeOf(knownAt) <= now + clockSkewMs) return
  throw new Refusal('fieldInvalid', {
    mistake: `labels.${index}.knownAt must not be in the future; the time here is ${new Date(now).toISOString()}, and ${clockSkewMs / 60_000} minutes of clock skew are allowed`,
  })
}

const idOf = (label: ReportLabel) =>
  'dfrId' in label
    ? ({ kind: 'dfrId', id: label.dfrId } as const)
    : ({ kind: 'requestId', id: label.requestId } as const)

/** @returns whether the report is known */
async function storeLabel(label: ReportLabel, tenantId: string, platform: Platform): Promise<boolean> {
  const { database, tenantKeyring, clock, settings, localRates } = platform
  const now = clock.now()
  const { kind, id } = idOf(label)
  const dfrId = kind === 'dfrId' ? id : dfrIdOf(id, await tenantKeyring.keysOf(tenantId))
  if (!isDfrId(dfrId)) return false
  const since = Math.min(storedSince(now, settings), historySince(now, settings) - 1)
  const visit = await visitOfReport(database, { tenantId, dfrId }, since)
  if (!visit) return false
  const { outcome } = label
  // A clock that runs ahead may report a time up to `clockSkewMs` in the future.
  const knownAt = Math.min(now, label.knownAt === undefined ? now : timeOf(label.knownAt))
  const { deviceHash: ofDevice, ipHash: ofIp } = visit
  const events = await platform.events.statements(tenantId, [
    {
      type: 'label.created',
      data: {
        [kind]: id,
        outcome,
        knownAt: new Date(knownAt).toISOString(),
        ...(label.userId !== undefined && { userId: label.userId }),
      },
      orderedBy: `report ${dfrId}`,
      subjects: { userId: label.userId },
      hashes: { deviceHash: ofDevice, ipHash: ofIp },
      outcome,
    },
  ])
  await database.transaction(async (tx) => {
    await writeEvents(tx, events)
    await putReportLabel(tx, tenantId, { kind, id }, { label: outcome, knownAt, labelledAt: now })
    const { deviceHash, installationHash, ipPrefixHash, ipHash, analysedAt: visitedAt } = visit
    const ofReport = { tenantId, dfrId, label: outcome, knownAt }
    if (deviceHash) await putDeviceLabel(tx, { ...ofReport, deviceHash, installationHash, visitedAt })
    if (ipPrefixHash && ipHash) await putIpLabel(tx, { ...ofReport, ipPrefixHash, ipHash })
  })
  localRates.labelled(tenantId)
  if (label.userId !== undefined)
    await labelAccount(label.userId, { dfrId, isTrusted: !isBad(outcome) }, tenantId, platform)
  return true
}

/** Whoever the user is, a bad session ends the trust in its device. Nothing happens once the report was deleted. */
async function labelAccount(
  userId: string,
  { dfrId, isTrusted }: { dfrId: string; isTrusted: boolean },
  tenantId: string,
  platform: Platform,
): Promise<void> {
  const analysis = await analysisOf({ dfrId }, { tenantId }, platform)
  if (analysis) await confirmDevice({ tenantId, userId, analysis, isTrusted }, platform)
}

/** RFC 3339 allows leap seconds, `Date` does not: takes the second before. */
const timeOf = (dateTime: string) => Date.parse(dateTime.replace(/:60(?=\D)/, ':59'))
