// Are traces and metrics sent to an OpenTelemetry collector? Only when one is configured.

import type { Logger } from 'pino'
import type { Settings } from '../config/settings.ts'
import type { Metrics } from '../metrics/metrics.ts'
import { passOn, type Tracing } from './tracing.ts'

export interface Telemetry {
  tracing: Tracing
  /** Sends what is waiting, for two seconds at most. Never rejects. */
  close(): Promise<void>
}

/** OpenTelemetry is loaded only when it is used: it would double the time of a start. */
export async function openTelemetry(
  { otlpEndpoint, traceRatio }: Pick<Settings, 'otlpEndpoint' | 'traceRatio'>,
  metrics: Metrics,
  log: Logger,
): Promise<Telemetry> {
  if (otlpEndpoint === undefined) return { tracing: passOn, close: async () => undefined }
  const [{ sendTraces }, { sendMetrics }] = await Promise.all([import('./send-traces.ts'), import('./send-metrics.ts')])
  const traces = sendTraces(otlpEndpoint, traceRatio, log)
  const sentMetrics = sendMetrics(metrics, otlpEndpoint, log)
  return {
    tracing: traces,
    async close() {
      await Promise.all([traces.close(), sentMetrics.close()])
    },
  }
}
