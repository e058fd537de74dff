// What stands in the row of an analysis? The analysis, and from its push on the report; compact, and sealed by the tenant's keys.

import type { DeviceReport } from '@ringfence/contract'
import type { DevicePlatform } from '../../apps/app.ts'
import type { TenantKeys } from '../../crypto/keyring.ts'
import { JsonText } from '../../json/json-text.ts'
import type { AnalysisKey, StoredAnalysis } from '../../storage/device-analyses.ts'
import type { Analysis } from '../analysis/analyse.ts'
import type { ReportBasis } from '../report/basis.ts'
import type { Compression } from './compression.ts'

export interface Kept {
  readonly analysis: Analysis
  readonly report?: KeptReport
}

export interface KeptReport {
  /** As it goes out, so that reading it costs no parsing. */
  readonly answer: JsonText<DeviceReport>
  readonly basis: ReportBasis
}

type SealedRow = AnalysisKey & Pick<StoredAnalysis, 'sealed'>

const contextOf = ({ tenantId, dfrId }: AnalysisKey) => `device analysis ${tenantId} ${dfrId}`

/** Lines, as JSON has no line ends of its own: platform, analysis, and of a report answer and basis. */
export function sealKept(
  { analysis, report }: Kept,
  row: AnalysisKey,
  keys: TenantKeys,
  compression: Compression,
): Uint8Array {
  const ofReport = report ? [report.answer.text, JSON.stringify(report.basis)] : []
  const text = [analysis.platform, JSON.stringify(deduplicate(analysis)), ...ofReport].join('\n')
  return keys.seal(compression.compress(text, idsIn(analysis)), contextOf(row))
}

/** A session's id ends in the second that it began. */
export const idsIn = ({ requestId, sessionId, deviceId }: Analysis): string[] =>
  [requestId, sessionId.slice(0, 36), deviceId].filter((id) => id !== undefined)

/** Throws when the row is not of this key, or was altered. */
export function openKept(row: SealedRow, keys: TenantKeys, compression: Compression): Kept {
  const { analysis, answer, basis } = linesOf(row, keys, compression)
  const isReported = answer !== undefined && basis !== undefined
  return {
    analysis: restore(JSON.parse(analysis)),
    ...(isReported && { report: { answer: new JsonText(answer), basis: JSON.parse(basis) } }),
  }
}

/** The report alone, of which nothing has to be parsed; undefined where nothing was pushed. */
export function openAnswer(
  row: SealedRow,
  keys: TenantKeys,
  compression: Compression,
): { platform: DevicePlatform; answer: JsonText<DeviceReport> } | undefined {
  const { platform, answer } = linesOf(row, keys, compression)
  return answer === undefined ? undefined : { platform, answer: new JsonText(answer) }
}

/** What is sealed, as the text that was made compact; dictionaries are made from such texts. */
export const keptText = (row: SealedRow, keys: TenantKeys, compression: Compression): string =>
  compression.expand(keys.openBytes(row.sealed, contextOf(row)))

function linesOf(row: SealedRow, keys: TenantKeys, compression: Compression) {
  const [platform, analysis = '', answer, basis] = keptText(row, keys, compression).split('\n')
  return { platform: platform as DevicePlatform, analysis, answer, basis }
}

/** Without what `deviceInfo` repeats. */
function deduplicate(analysis: Analysis): Analysis {
  const { deviceId: _, browserInfo, ...deviceInfo } = analysis.deviceInfo
  if (!browserInfo) return { ...analysis, deviceInfo }
  const { userAgent: __, ...browser } = browserInfo
  return { ...analysis, deviceInfo: { ...deviceInfo, browserInfo: browser } }
}

function restore(kept: Analysis): Analysis {
  const { deviceId, deviceInfo } = kept
  const { userAgent, browserInfo } = deviceInfo
  return {
    ...kept,
    deviceInfo: {
      ...deviceInfo,
      ...(deviceId !== undefined && { deviceId }),
      ...(browserInfo && userAgent !== undefined && { browserInfo: { ...browserInfo, userAgent } }),
    },
  }
}
