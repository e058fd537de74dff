// What is known when a backend reads a report?

import type { Analysis } from '../../device/analysis/analyse.ts'
import type { RecordedReport } from '../../device/store/record.ts'

export interface IncludeInput {
  readonly tenantId: string
  readonly analysis: Analysis
  readonly report: RecordedReport
  /** The user that the backend names. */
  readonly userId?: string
}
