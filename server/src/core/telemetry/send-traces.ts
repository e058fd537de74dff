// How do spans reach the collector? In batches in the background; when it is slow or away, spans are dropped and nothing waits.

import {
  createContextKey,
  ROOT_CONTEXT,
  type Span,
  SpanKind,
  SpanStatusCode,
  TraceFlags,
  trace,
} from '@opentelemetry/api'
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http'
import {
  BatchSpanProcessor,
  ParentBasedSampler,
  type Sampler,
  SamplingDecision,
  TracerProvider,
} from '@opentelemetry/sdk-trace'
import type { Logger } from 'pino'
import type { TraceHeaders } from '../call.ts'
import { ringfenceVersion } from '../version.ts'
import { logLosses } from './lost-exports.ts'
import { resourceOfService, urlOf } from './otlp.ts'
import { readTraceHeaders } from './trace-headers.ts'
import type { Tracing } from './tracing.ts'

/** A collector that hangs delays a stop by this at most. */
const exportTimeoutMs = 2_000

export interface SentTraces extends Tracing {
  /** Sends what is waiting, for two seconds at most. Never rejects. */
  close(): Promise<void>
}

export function sendTraces(otlpEndpoint: string, traceRatio: number, log: Logger): SentTraces {
  const to = { url: urlOf(otlpEndpoint, 'traces'), timeoutMillis: exportTimeoutMs }
  const exporter = logLosses(new OTLPTraceExporter(to), 'traces', log)
  const provider = new TracerProvider({
    resource: resourceOfService(),
    sampler: new ParentBasedSampler({ root: asDecided }),
    spanProcessors: [new BatchSpanProcessor({ exporter, exportTimeoutMillis: exportTimeoutMs })],
  })
  const tracer = provider.getTracer('ringfence', ringfenceVersion())
  const isInShare = () => Math.random() < traceRatio

  return {
    request(received) {
      const parent = readTraceHeaders(received)
      const startTime = Date.now()
      const startedAt = performance.now()
      let isTrusted = false
      let span: Span | undefined
      // Decided and started when it is needed: only then is it known whether the caller may decide what is traced.
      const isTraced = () => (isTrusted ? isSampled(parent) : undefined) ?? isInShare()
      const start = (traced: boolean) =>
        tracer.startSpan('request', { kind: SpanKind.SERVER, startTime }, contextOf(parent, traced))
      return {
        trust() {
          isTrusted = true
        },
        get headers() {
          span ??= start(isTraced())
          return headersOf(span, parent)
        },
        end(method, route, status, requestId) {
          // Its ids went nowhere: most requests need no span.
          if (!span && !isTraced()) return
          span ??= start(true)
          if (span.isRecording()) {
            span.updateName(`${method} ${route}`)
            span.setAttributes({
              'http.request.method': method,
              'http.route': route,
              'http.response.status_code': status,
              'ringfence.request_id': requestId,
            })
            if (status >= 500) span.setStatus({ code: SpanStatusCode.ERROR })
          }
          span.end(startTime + performance.now() - startedAt)
        },
      }
    },
    upstreamCall(parent, upstream, call) {
      const traced = isSampled(parent) ?? isInShare()
      const span = tracer.startSpan(call, { kind: SpanKind.CLIENT }, contextOf(parent, traced))
      return {
        headers: headersOf(span, parent),
        end(outcome) {
          span.setAttributes({ 'ringfence.upstream': upstream, 'ringfence.outcome': outcome })
          if (outcome !== 'ok') span.setStatus({ code: SpanStatusCode.ERROR, message: outcome })
          span.end()
        },
      }
    },
    close: () => provider.shutdown().catch(() => undefined),
  }
}

const tracedKey = createContextKey('is traced')
/** For a trace that begins here. */
const asDecided: Sampler = {
  shouldSample: (context) => ({
    decision: context.getValue(tracedKey) ? SamplingDecision.RECORD_AND_SAMPLED : SamplingDecision.NOT_RECORD,
  }),
  toString: () => 'as decided',
}

/** The flag of the caller, if it sent one. */
const isSampled = ({ traceparent }: TraceHeaders): boolean | undefined =>
  traceparent === undefined ? undefined : (Number.parseInt(traceparent.slice(-2), 16) & TraceFlags.SAMPLED) > 0

/** `traced` replaces the flag of the caller. Not the ratio of its trace id, which it chose too. */
function contextOf({ traceparent }: TraceHeaders, traced: boolean) {
  if (traceparent === undefined) return ROOT_CONTEXT.setValue(tracedKey, traced)
  const [, traceId = '', spanId = ''] = traceparent.split('-')
  const traceFlags = traced ? TraceFlags.SAMPLED : TraceFlags.NONE
  return trace.setSpanContext(ROOT_CONTEXT, { traceId, spanId, traceFlags, isRemote: true })
}

function headersOf(span: Span, { tracestate }: TraceHeaders): TraceHeaders {
  const { traceId, spanId, traceFlags } = span.spanContext()
  const flags = traceFlags.toString(16).padStart(2, '0')
  return { traceparent: `00-${traceId}-${spanId}-${flags}`, ...(tracestate !== undefined && { tracestate }) }
}
