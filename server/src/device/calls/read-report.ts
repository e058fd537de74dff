// POST /client/v1/device-fingerprint: the report of a device, by the dfrId that its SDK answered. (specification 4.6, 2.6)

import type { DeviceReport, DeviceReportRequest } from '@ringfence/contract'
import type { Call } from '../../call.ts'
import { Refusal } from '../../errors.ts'
import type { JsonText } from '../../json/json-text.ts'
import type { Platform } from '../../platform.ts'
import { findAnalysis } from '../../storage/device-analyses.ts'
import { keptSince } from '../history/retention.ts'
import { isDfrId } from '../store/find-analysis.ts'
import { openAnswer } from '../store/record.ts'

/** As the first push sealed it. Refuses with `reportUnknown` one that is unknown, forgotten, another tenant's or of another deviceType. */
export async function deviceFingerprint(
  { dfrId, deviceType }: DeviceReportRequest,
  { caller: { tenantId } }: Call,
  { compression, database, tenantKeyring, clock, settings }: Platform,
): Promise<JsonText<DeviceReport>> {
  const found = isDfrId(dfrId) && (await findAnalysis(database, { tenantId, dfrId }, keptSince(clock.now(), settings)))
  const report =
    found && found.pushHash !== null && openAnswer(found, await tenantKeyring.keysOf(tenantId), compression)
  if (!report || report.platform !== deviceType) throw new Refusal('reportUnknown')
  return report.answer
}
