// What does a question to an upstream carry beside the phone number?

import type { Consent } from '@ringfence/contract'
import type { TraceHeaders } from '../core/call.ts'

export interface Inquiry {
  /** Aborted at the deadline of the request. */
  signal: AbortSignal
  /** Sent to the upstream as x-correlator. */
  correlator: string
  /** Sent to the upstream too. */
  trace?: TraceHeaders | undefined
  /** How old a stored answer may be, as the caller says; 0: it wants a new one. Absent: any. */
  maxAgeSeconds?: number | undefined
  /** What for, as the caller states it. */
  consent?: Consent | undefined
}
