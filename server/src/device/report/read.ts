// POST /client/v1/device-fingerprint: the report of a device, by the dfrId that its SDK answered. (specification 4.6, 2.6)

import type { DeviceReport, DeviceReportRequest } from '@ringfence/contract'
import type { Call } from '../../call.ts'
import { Refusal } from '../../errors.ts'
import type { JsonText } from '../../json-text.ts'
import type { Platform } from '../../platform.ts'
import { findReport } from '../../storage/device-analyses.ts'
import { openReport } from './sealed.ts'

/** As the first push sealed it. Refuses with `reportUnknown` one that is unknown, forgotten, another tenant's or of another deviceType. */
export async function deviceFingerprint(
  { dfrId, deviceType }: DeviceReportRequest,
  { caller: { tenantId } }: Call,
  { database, tenantKeyring, clock }: Platform,
): Promise<JsonText<DeviceReport>> {
  const found = /^[0-9a-f]{32}$/.test(dfrId) && (await findReport(database, tenantId, dfrId, clock.now()))
  if (!found) throw new Refusal('reportUnknown')
  const { platform, answer } = openReport(found, await tenantKeyring.keysOf(tenantId))
  if (platform !== deviceType) throw new Refusal('reportUnknown')
  return answer
}
