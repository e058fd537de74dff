// Which events does a device report have? That it was made, and that a rule blocked the session.

import type { SessionCall } from '../../apps/call.ts'
import type { NewEvent } from '../../core/event-recorder.ts'
import type { Analysis } from '../../device/analysis/analyse.ts'
import type { AnalysisColumns } from '../../device/store/device-analyses.ts'
import type { MadeReport } from '../make.ts'

export function eventsOfReport(
  { report, action, fired }: MadeReport,
  { analysis, columns, call }: { analysis: Analysis; columns: AnalysisColumns; call: SessionCall },
): NewEvent[] {
  const { deviceId, network } = analysis
  const { userId } = analysis.updateInfo
  const { session, device } = report.basis.scores
  const data = {
    dfrId: columns.dfrId,
    requestId: analysis.requestId,
    appId: call.app.id,
    platform: analysis.platform,
    deviceId,
    userId: userId || undefined,
    action,
    sessionRiskScore: session.score,
    deviceRiskScore: device.score,
    rules: fired.map(({ id }) => id),
    ipAddress: network?.ip,
  }
  const { accountHash: userHash, numberHash, deviceHash, ipHash } = columns
  const event = {
    data,
    orderedBy: deviceId === undefined ? `report ${columns.dfrId}` : `device ${deviceId}`,
    subjects: { requestId: analysis.requestId },
    hashes: { userHash, numberHash, deviceHash, ipHash },
    outcome: action,
  }
  const created: NewEvent = { type: 'device.report.created', ...event }
  return action === 'BLOCK' ? [created, { type: 'device.rule.blocked', ...event }] : [created]
}
