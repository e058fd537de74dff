// POST /client/v1/device-fingerprint: returns the report of a device by its dfrId. (specification 4.6, 2.6)

import type { DeviceReportAnswer, DeviceReportRequest } from '@ringfence/contract'
import { confirmDevice, countNamed } from '../../accounts/devices/confirm.ts'
import { effectiveUserIdOf, isSameUser } from '../../accounts/person.ts'
import type { Call } from '../../clients/call.ts'
import { Refusal } from '../../core/errors.ts'
import { JsonText } from '../../core/json/json-text.ts'
import { storedSince } from '../../device/history/retention.ts'
import type { DeviceNeeds } from '../../device/room.ts'
import { findAnalysis } from '../../device/store/device-analyses.ts'
import { isDfrId, underCurrentId } from '../../device/store/find-analysis.ts'
import { openRecord, openReport } from '../../device/store/record.ts'
import { includedMembers } from '../include/included.ts'

/**
 * The report as the first push sealed it, and the members that the backend asks for. A `userId` confirms the device for this user,
 * after the answer was made. Refuses with `reportUnknown` when the dfrId is unknown, expired or of another tenant, or when the
 * deviceType differs, the report is older than `maxAgeSeconds`, or its session names another user than `expectedUserId`: a page sends the
 * dfrId, and could send that of a clean session.
 */
export async function deviceFingerprint(
  {
    dfrId,
    deviceType,
    userId: named,
    userVerified = true,
    expectedUserId,
    maxAgeSeconds,
    include = [],
  }: DeviceReportRequest,
  { caller: { tenantId } }: Call,
  needs: DeviceNeeds,
): Promise<JsonText<DeviceReportAnswer>> {
  const { compression, database, tenantKeyring, clock, settings } = needs
  const now = clock.now()
  const since = maxAgeSeconds === undefined ? 0 : now - maxAgeSeconds * 1000 - 1
  const found =
    isDfrId(dfrId) && (await findAnalysis(database, { tenantId, dfrId }, Math.max(storedSince(now, settings), since)))
  const keys = await tenantKeyring.keysOf(tenantId)
  const stored = found && found.pushHash !== null && openReport(found, keys, compression)
  if (!stored) throw new Refusal('reportUnknown')
  if (stored.platform !== deviceType) {
    throw new Refusal('reportUnknown', { mistake: `the report is of another deviceType: send ${stored.platform}` })
  }
  if (named === undefined && expectedUserId === undefined && include.length === 0) return stored.answer

  const { analysis: asAnalysed, report } = openRecord(found, keys, compression)
  const analysis = await underCurrentId(asAnalysed, found, { database, keys })
  const { userId: ofPage } = analysis.updateInfo
  if (expectedUserId !== undefined && !(await isSameUser(tenantId, ofPage, expectedUserId, needs)))
    throw new Refusal('reportUnknown', { mistake: 'the report names another user than expectedUserId' })
  const userId = named === undefined ? undefined : await effectiveUserIdOf(tenantId, named, needs)
  const input = { tenantId, analysis, report: report!, ...(userId !== undefined && { userId }) }
  const members = await includedMembers(include, input, needs)
  if (userId !== undefined) {
    if (userVerified) await confirmDevice({ tenantId, userId, analysis, isTrusted: true }, needs)
    else await countNamed({ tenantId, userId, analysis }, needs)
  }
  return withMembers(stored.answer, members)
}

/** The stored text stays as it is: parsing would change its numbers. */
function withMembers(report: JsonText<object>, members: object): JsonText<DeviceReportAnswer> {
  const text = JSON.stringify(members)
  return new JsonText(text === '{}' ? report.text : `${report.text.slice(0, -1)},${text.slice(1)}`)
}
