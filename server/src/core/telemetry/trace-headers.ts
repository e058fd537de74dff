// Which trace does a request belong to? The headers of W3C Trace Context, level 1, as far as they are well-formed.

import type { IncomingHttpHeaders } from 'node:http'
import type { TraceHeaders } from '../call.ts'

/** Version 00: trace id and parent id, neither all zeros, and flags. */
const wellFormed = /^00-(?!0{32})[0-9a-f]{32}-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}$/
const visibleAscii = /^[\x20-\x7e]{1,512}$/

const none: TraceHeaders = {}

/** The trace of the caller. A malformed `traceparent` starts no trace, and its `tracestate` is dropped (section 3.3.1). */
export function readTraceHeaders({ traceparent, tracestate }: IncomingHttpHeaders): TraceHeaders {
  if (typeof traceparent !== 'string' || !wellFormed.test(traceparent)) return none
  if (typeof tracestate !== 'string' || !visibleAscii.test(tracestate)) return { traceparent }
  return { traceparent, tracestate }
}
