import { feature } from '../feature.ts'
import { openAuditLog } from './audit.ts'
import type { TelemetryDoor } from './room.ts'
import { openTelemetry } from './telemetry.ts'

export const telemetry = feature({
  name: 'telemetry',
  needs: [],
  async open({ settings, metrics, clock, log, atClose }): Promise<TelemetryDoor> {
    const auditLog = openAuditLog(settings.auditLog, { clock, log })
    if (auditLog) atClose(() => auditLog.close())
    const { tracing, close } = await openTelemetry(settings, metrics, log)
    atClose(close)
    return { tracing, auditLog }
  },
})
