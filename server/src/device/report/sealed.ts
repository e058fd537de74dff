// How is a report kept? Sealed, its answer as the text that goes out, so that reading it costs one look-up and no parsing.

import type { DeviceReport } from '@ringfence/contract'
import type { DevicePlatform } from '../../apps/app.ts'
import { JsonText } from '../../json-text.ts'
import type { TenantKeys } from '../../keyring.ts'
import type { StoredReport } from '../../storage/device-analyses.ts'
import type { MadeReport, ReportGrounds } from './make.ts'

/** Where a report is kept, and for whom. */
type Place = Pick<StoredReport, 'tenantId' | 'dfrId'>

const contextOf = ({ tenantId, dfrId }: Place) => `device report ${tenantId} ${dfrId}`

/** Three lines: platform, answer, grounds; JSON has no line ends of its own. */
export const sealReport = (
  { answer, grounds }: MadeReport,
  platform: DevicePlatform,
  place: Place,
  keys: TenantKeys,
): Uint8Array => keys.seal([platform, JSON.stringify(answer), JSON.stringify(grounds)].join('\n'), contextOf(place))

export interface OpenedReport {
  readonly platform: DevicePlatform
  readonly answer: JsonText<DeviceReport>
  readonly grounds: JsonText<ReportGrounds>
}

export function openReport(report: Place & Pick<StoredReport, 'sealed'>, keys: TenantKeys): OpenedReport {
  const [platform, answer = '', grounds = ''] = keys.open(report.sealed, contextOf(report)).split('\n')
  return {
    platform: platform as DevicePlatform,
    answer: new JsonText<DeviceReport>(answer),
    grounds: new JsonText<ReportGrounds>(grounds),
  }
}
