// What is stored of an analysis? The analysis, and after its push the report: compressed, and sealed with the tenant's keys.

import type { DevicePlatform, DeviceReport } from '@ringfence/contract'
import type { TenantKeys } from '../../core/crypto/keyring.ts'
import { JsonText } from '../../core/json/json-text.ts'
import type { Analysis } from '../analysis/analyse.ts'
import type { Compression } from './compression/compression.ts'
import type { AnalysisKey, StoredAnalysis } from './device-analyses.ts'

export interface AnalysisRecord {
  readonly analysis: Analysis
  readonly report?: RecordedReport
}

/** `Basis`: what it rests on, as device-report/basis.ts says. */
export interface RecordedReport<Basis = unknown> {
  /** Stored as the JSON that is returned, so that reading it needs no parsing. */
  readonly answer: JsonText<DeviceReport>
  readonly basis: Basis
}

type SealedRow = AnalysisKey & Pick<StoredAnalysis, 'sealed'>

export const contextOf = ({ tenantId, dfrId }: AnalysisKey) => `device analysis ${tenantId} ${dfrId}`

/**
 * One part per line, because JSON.stringify writes no line ends: platform, analysis, report, basis of the report.
 * `text` is that of the analysis, if the caller has it already.
 */
export function sealRecord(
  { analysis, report }: AnalysisRecord,
  row: AnalysisKey,
  keys: TenantKeys,
  compression: Compression,
  text = textOfAnalysis(analysis),
): Uint8Array {
  const ofReport = report ? [report.answer.text, JSON.stringify(report.basis)] : []
  const lines = [analysis.platform, text, ...ofReport]
  return keys.seal(compression.compress(lines.join('\n'), idsIn(analysis)), contextOf(row))
}

/** JSON in one line, without what `deviceInfo` repeats. */
export const textOfAnalysis = (analysis: Analysis): string => JSON.stringify(deduplicate(analysis))

export const analysisOfText = (text: string): Analysis => restore(JSON.parse(text))

/** The UUIDs in the text of an analysis. A session id is a UUID followed by its start time. */
export const idsIn = ({ requestId, sessionId, deviceId, installationId }: Analysis): string[] =>
  [requestId, sessionId.slice(0, 36), deviceId, installationId].filter((id) => id !== undefined)

/** Throws when the row was sealed with another key, or was altered. */
export function openRecord(row: SealedRow, keys: TenantKeys, compression: Compression): AnalysisRecord {
  const { analysis, answer, basis } = linesOf(row, keys, compression)
  const isReported = answer !== undefined && basis !== undefined
  return {
    analysis: analysisOfText(analysis),
    ...(isReported && { report: { answer: new JsonText(answer), basis: JSON.parse(basis) } }),
  }
}

/** The report alone, without parsing; undefined before the push. */
export function openReport(
  row: SealedRow,
  keys: TenantKeys,
  compression: Compression,
): { platform: DevicePlatform; answer: JsonText<DeviceReport> } | undefined {
  const { platform, answer } = linesOf(row, keys, compression)
  return answer === undefined ? undefined : { platform, answer: new JsonText(answer) }
}

/** The text before compression; compression dictionaries are trained on such texts. */
export const recordText = (row: SealedRow, keys: TenantKeys, compression: Compression): string =>
  compression.expand(keys.openBytes(row.sealed, contextOf(row)))

function linesOf(row: SealedRow, keys: TenantKeys, compression: Compression) {
  const [platform, analysis = '', answer, basis] = recordText(row, keys, compression).split('\n')
  return { platform: platform as DevicePlatform, analysis, answer, basis }
}

/** Leaves out what `deviceInfo` repeats. */
function deduplicate(analysis: Analysis): Analysis {
  const { deviceId: _, browserInfo, ...deviceInfo } = analysis.deviceInfo
  if (!browserInfo) return { ...analysis, deviceInfo }
  const { userAgent: __, ...browser } = browserInfo
  return { ...analysis, deviceInfo: { ...deviceInfo, browserInfo: browser } }
}

function restore(stored: Analysis): Analysis {
  const { deviceId, deviceInfo } = stored
  const { userAgent, browserInfo } = deviceInfo
  return {
    ...stored,
    deviceInfo: {
      ...deviceInfo,
      ...(deviceId !== undefined && { deviceId }),
      ...(browserInfo && userAgent !== undefined && { browserInfo: { ...browserInfo, userAgent } }),
    },
  }
}
