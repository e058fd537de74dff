// POST /client/v1/device-fingerprint: returns the report of a device by its dfrId. (specification 4.6, 2.6)

import type { DeviceReport, DeviceReportRequest } from '@ringfence/contract'
import type { Call } from '../../call.ts'
import { Refusal } from '../../errors.ts'
import type { JsonText } from '../../json/json-text.ts'
import type { Platform } from '../../platform.ts'
import { findAnalysis } from '../../storage/device-analyses.ts'
import { storedSince } from '../history/retention.ts'
import { isDfrId } from '../store/find-analysis.ts'
import { openReport } from '../store/record.ts'

/**
 * The report as the first push sealed it. Refuses with `reportUnknown` when the dfrId is unknown, expired or of another
 * tenant, or when the deviceType differs.
 */
export async function deviceFingerprint(
  { dfrId, deviceType }: DeviceReportRequest,
  { caller: { tenantId } }: Call,
  { compression, database, tenantKeyring, clock, settings }: Platform,
): Promise<JsonText<DeviceReport>> {
  const found =
    isDfrId(dfrId) && (await findAnalysis(database, { tenantId, dfrId }, storedSince(clock.now(), settings)))
  const report =
    found && found.pushHash !== null && openReport(found, await tenantKeyring.keysOf(tenantId), compression)
  if (!report || report.platform !== deviceType) throw new Refusal('reportUnknown')
  return report.answer
}
