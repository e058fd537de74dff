// What is traced? Each request, and each call to an upstream below it. Without a collector, the caller's trace is only passed on.

import type { IncomingHttpHeaders } from 'node:http'
import type { TraceHeaders } from '../call.ts'
import { readTraceHeaders } from './trace-headers.ts'

export interface Tracing {
  /** Starts the span of a request that arrived now. */
  request(headers: IncomingHttpHeaders): TracedRequest
  /** Starts the span of an upstream call below the span that `headers` name. */
  upstreamCall(headers: TraceHeaders, upstream: string, call: string): TracedCall
}

export interface TracedRequest {
  /** The caller proved who it is, before `headers` is read: its `sampled` flag says whether the request is traced. Strangers do not decide. */
  trust(): void
  /** For calls to upstreams. */
  readonly headers: TraceHeaders
  /** @param route the path of the row; never the path that was sent, which may contain a number */
  end(method: string, route: string, status: number, requestId: string): void
}

export interface TracedCall {
  readonly headers: TraceHeaders
  /** @param outcome as in the metric `ringfence_upstream_call_seconds` */
  end(outcome: string): void
}

const nothing = () => undefined

/** No spans of our own: operators see the caller's span as their parent. */
export const passOn: Tracing = {
  request: (headers) => ({ trust: nothing, headers: readTraceHeaders(headers), end: nothing }),
  upstreamCall: () => ({ headers: {}, end: nothing }),
}
