// What does a question to an upstream carry beside the phone number?

import type { TraceHeaders } from '../telemetry/trace-headers.ts'

export interface Inquiry {
  /** Aborted at the deadline of the request. */
  signal: AbortSignal
  /** Sent to the upstream as x-correlator. */
  correlator: string
  /** Sent to the upstream too. */
  trace?: TraceHeaders | undefined
}
