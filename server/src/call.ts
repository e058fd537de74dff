// Who asks, under which ids, and until when? What a handler knows of a call beside its body; it knows no HTTP.

import type { Caller } from './credentials.ts'

export interface Call {
  readonly caller: Caller
  readonly requestId: string
  /** CAMARA's x-correlator, passed on upstream. */
  readonly correlator: string
  /** Aborted when the answer is due. */
  readonly signal: AbortSignal
  /** What the answer rests on; filled by the work, told in headers of every answer, refusals included. */
  readonly provenance: Provenance
}

export interface Provenance {
  /** Something of it is made up by the sandbox operator. */
  sandbox: boolean
  /** Seconds since the question was asked upstream, where the answer was reused. */
  ageSeconds?: number
}
