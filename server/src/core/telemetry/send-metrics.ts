// How do the metrics of Prometheus reach an OpenTelemetry collector? The same series every minute, cumulative since the start.

import { type HrTime, ValueType } from '@opentelemetry/api'
import { OTLPMetricExporter } from '@opentelemetry/exporter-metrics-otlp-http'
import {
  AggregationTemporality,
  DataPointType,
  MeterProvider,
  type MetricData,
  PeriodicExportingMetricReader,
} from '@opentelemetry/sdk-metrics'
import type { Logger } from 'pino'
import type { MetricObjectWithValues, MetricValue, MetricValueWithName } from 'prom-client'
import type { Metrics } from '../metrics/metrics.ts'
import { logLosses } from './lost-exports.ts'
import { resourceOfService, urlOf } from './otlp.ts'

const everyMs = 60_000
const exportTimeoutMs = 2_000

type PrometheusMetric = MetricObjectWithValues<MetricValue<string>>

/** Starts sending. `close` sends once more, and waits two seconds at most. */
export function sendMetrics(metrics: Metrics, otlpEndpoint: string, log: Logger): { close(): Promise<void> } {
  const resource = resourceOfService()
  const startTime = hrTime(performance.timeOrigin)
  const to = { url: urlOf(otlpEndpoint, 'metrics'), timeoutMillis: exportTimeoutMs }
  const exporter = logLosses(new OTLPMetricExporter(to), 'metrics', log)
  const reader = new PeriodicExportingMetricReader({
    exporter,
    exportIntervalMillis: everyMs,
    exportTimeoutMillis: exportTimeoutMs,
    metricProducers: [
      {
        async collect() {
          const endTime = hrTime(Date.now())
          const prometheus = (await metrics.read()) as PrometheusMetric[]
          const converted = prometheus.flatMap((metric) => dataOf(metric, { startTime, endTime }))
          const scopeMetrics = [{ scope: { name: 'ringfence' }, metrics: converted }]
          return { resourceMetrics: { resource, scopeMetrics }, errors: [] }
        },
      },
    ],
  })
  const provider = new MeterProvider({ resource, readers: [reader] })
  return { close: () => provider.shutdown().catch(() => undefined) }
}

interface Period {
  startTime: HrTime
  endTime: HrTime
}

function dataOf({ name, help, type, values }: PrometheusMetric, period: Period): MetricData[] {
  const base = {
    descriptor: { name, description: help, unit: name.endsWith('_seconds') ? 's' : '', valueType: ValueType.DOUBLE },
    aggregationTemporality: AggregationTemporality.CUMULATIVE,
  }
  const points = () => values.map(({ labels, value }) => ({ ...period, attributes: { ...labels }, value }))
  // prom-client types `type` as an enum, and reports its name.
  switch (String(type)) {
    case 'counter':
      return [{ ...base, dataPointType: DataPointType.SUM, isMonotonic: true, dataPoints: points() }]
    case 'gauge':
      return [{ ...base, dataPointType: DataPointType.GAUGE, dataPoints: points() }]
    case 'histogram':
      return [{ ...base, dataPointType: DataPointType.HISTOGRAM, dataPoints: histogramPoints(values, period) }]
    default:
      return []
  }
}

/** Prometheus counts each bucket with those below it, and in rows of their own; OTLP has one point with the counts of each bucket. */
function histogramPoints(rows: readonly MetricValue<string>[], period: Period) {
  const series = Map.groupBy(rows as readonly MetricValueWithName<string>[], ({ labels: { le: _, ...labels } }) =>
    JSON.stringify(labels),
  )
  return [...series].map(([key, ofSeries]) => {
    const ending = (end: string) => ofSeries.filter(({ metricName = '' }) => metricName.endsWith(end))
    const buckets = ending('_bucket')
    const upTo = buckets.map(({ value }) => value)
    return {
      ...period,
      attributes: JSON.parse(key) as Record<string, string>,
      value: {
        buckets: {
          boundaries: buckets.map(({ labels }) => Number(labels.le)).filter(Number.isFinite),
          counts: upTo.map((count, place) => count - (upTo[place - 1] ?? 0)),
        },
        sum: ending('_sum')[0]?.value ?? 0,
        count: ending('_count')[0]?.value ?? 0,
      },
    }
  })
}

const hrTime = (epochMs: number): HrTime => [Math.floor(epochMs / 1000), Math.round((epochMs % 1000) * 1e6)]
