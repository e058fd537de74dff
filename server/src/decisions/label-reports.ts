// POST /client/v1/labels: a backend reports how sessions turned out.
// Labels feed the history of devices and IP addresses, and measure the precision of rules.

import type { LabelAnswer, LabelRequest, ReportLabel } from '@ringfence/contract'
import { confirmDevice } from '../accounts/devices/confirm.ts'
import { effectiveUserIdOf } from '../accounts/person.ts'
import type { Call } from '../clients/call.ts'
import { Refusal } from '../core/errors.ts'
import { dateTimeMs } from '../core/json/date-time.ts'
import { isUuid } from '../core/storage/uuid.ts'
import { isBad } from '../device/history/label.ts'
import { historySince, storedSince } from '../device/history/retention.ts'
import { visitOfReport } from '../device/store/device-visits.ts'
import { analysisOf, dfrIdOf, isDfrId } from '../device/store/find-analysis.ts'
import { putDeviceLabel } from '../device/store/labels/device-labels.ts'
import { putIpLabel } from '../device/store/labels/ip-labels.ts'
import { putReportLabel, type ReportKey } from '../device/store/labels/report-labels.ts'
import { writeEvents } from '../events/events.ts'
import { orderOfDecision } from './events.ts'
import { sessionTurnedOut } from './proven-later.ts'
import { unlearnDecision } from './read.ts'
import { decidedSince } from './record/retention.ts'
import type { DecisionsNeeds } from './room.ts'
import { findDecision } from './store/decisions.ts'

/**
 * Stores the label of each known report, and returns the ids of the others. A report can be labelled as long as the visit of
 * its device is stored (DEVICE_HISTORY_DAYS), because a chargeback may come after the report itself was deleted.
 */
export async function labelReports(
  { labels }: LabelRequest,
  { caller: { tenantId } }: Call,
  needs: DecisionsNeeds,
): Promise<LabelAnswer> {
  for (const [index, { knownAt }] of labels.entries()) refuseFuture(knownAt, index, needs.clock.now())
  const unknown: string[] = []
  for (const label of labels) {
    if (!(await storeLabel(label, tenantId, needs))) unknown.push(idOf(label).id)
  }
  return { accepted: labels.length - unknown.length, unknown: [...new Set(unknown)] }
}

/** Clocks of backends are rarely this wrong. */
const clockSkewMs = 5 * 60_000

function refuseFuture(knownAt: string | undefined, index: number, now: number): void {
  if (knownAt === undefined || dateTimeMs(knownAt) <= now + clockSkewMs) return
  throw new Refusal('fieldInvalid', {
    mistake: `labels.${index}.knownAt must not be in the future; the time here is ${new Date(now).toISOString()}, and ${clockSkewMs / 60_000} minutes of clock skew are allowed`,
  })
}

function idOf(label: ReportLabel): ReportKey {
  if ('decisionId' in label) return { kind: 'decisionId', id: label.decisionId }
  return 'dfrId' in label ? { kind: 'dfrId', id: label.dfrId } : { kind: 'requestId', id: label.requestId }
}

/** @returns whether the report or decision is known */
async function storeLabel(label: ReportLabel, tenantId: string, needs: DecisionsNeeds): Promise<boolean> {
  const {
    database,
    clock,
    settings,
    device: { localRates },
  } = needs
  const now = clock.now()
  const labelled = idOf(label)
  const dfrId = await dfrIdOfLabelled(labelled, tenantId, needs)
  if (dfrId === undefined) return false
  const since = Math.min(storedSince(now, settings), historySince(now, settings) - 1)
  const visit = dfrId !== null && (await visitOfReport(database, { tenantId, dfrId }, since))
  if (!visit && labelled.kind !== 'decisionId') return false
  const { outcome } = label
  // A clock that runs ahead may report a time up to `clockSkewMs` in the future.
  const knownAt = Math.min(now, label.knownAt === undefined ? now : dateTimeMs(label.knownAt))
  const { deviceHash: ofDevice = null, ipHash: ofIp = null } = visit || {}
  const events = await needs.events.statements(tenantId, [
    {
      type: 'label.created',
      data: {
        [labelled.kind]: labelled.id,
        outcome,
        knownAt: new Date(knownAt).toISOString(),
        userId: label.userId,
      },
      orderedBy: labelled.kind === 'decisionId' ? orderOfDecision(labelled.id) : `report ${dfrId}`,
      subjects: { userId: label.userId, requestId: labelled.kind === 'requestId' ? labelled.id : undefined },
      hashes: { deviceHash: ofDevice, ipHash: ofIp },
      outcome,
    },
  ])
  const stored = { label: outcome, knownAt, labelledAt: now }
  await database.transaction(async (tx) => {
    await writeEvents(tx, events)
    await putReportLabel(tx, tenantId, labelled, stored)
    if (labelled.kind === 'decisionId' && isBad(outcome)) await unlearnDecision(tx, labelled.id, tenantId, needs)
    if (!visit || dfrId === null) return
    if (labelled.kind === 'decisionId') await putReportLabel(tx, tenantId, { kind: 'dfrId', id: dfrId }, stored)
    const { deviceHash, installationHash, attested, ipPrefixHash, ipHash, analysedAt: visitedAt } = visit
    const ofReport = { tenantId, dfrId, label: outcome, knownAt }
    if (deviceHash) await putDeviceLabel(tx, { ...ofReport, deviceHash, installationHash, attested, visitedAt })
    if (ipPrefixHash && ipHash) await putIpLabel(tx, { ...ofReport, ipPrefixHash, ipHash })
  })
  if (visit) localRates.labelled(tenantId)
  if (labelled.kind === 'decisionId') {
    await sessionTurnedOut({ tenantId, decisionId: labelled.id }, { isTrusted: !isBad(outcome) }, needs)
  }
  if (label.userId !== undefined && dfrId !== null)
    await labelAccount(label.userId, { dfrId, isTrusted: !isBad(outcome) }, tenantId, needs)
  return true
}

/** The dfrId of the labelled report; undefined when it cannot be known, null for a decision without a device. */
async function dfrIdOfLabelled(
  { kind, id }: ReportKey,
  tenantId: string,
  { database, tenantKeyring, clock, settings }: DecisionsNeeds,
): Promise<string | null | undefined> {
  if (kind === 'decisionId') {
    if (!isUuid(id)) return undefined
    const row = await findDecision(database, { tenantId, decisionId: id }, decidedSince(clock.now(), settings))
    return row?.dfrId
  }
  const dfrId = kind === 'dfrId' ? id : dfrIdOf(id, await tenantKeyring.keysOf(tenantId))
  return isDfrId(dfrId) ? dfrId : undefined
}

/** Whoever the user is, a bad session ends the trust in its device. Nothing happens once the report was deleted. */
async function labelAccount(
  named: string,
  { dfrId, isTrusted }: { dfrId: string; isTrusted: boolean },
  tenantId: string,
  needs: DecisionsNeeds,
): Promise<void> {
  const analysis = await analysisOf({ dfrId }, { tenantId }, needs)
  if (!analysis) return
  const userId = await effectiveUserIdOf(tenantId, named, needs)
  await confirmDevice({ tenantId, userId, analysis, isTrusted }, needs)
}
