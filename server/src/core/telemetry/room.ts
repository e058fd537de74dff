// What do traces and audit lines give to other rooms?

import type { AuditLog } from './audit.ts'
import type { Tracing } from './tracing.ts'

export interface TelemetryDoor {
  tracing: Tracing
  /** Has audit lines beside the log; see audit.ts. */
  auditLog: AuditLog | undefined
}
