// What do the processes of one service report together? One figure of each series, which no end of a process makes smaller.

import { AggregatorRegistry } from 'prom-client'
import type { MetricSnapshot, MetricsText } from './metrics.ts'

/** The sum of counters and histograms; a gauge says how it is put together (catalogue.ts). */
export async function textOfAll(snapshots: readonly MetricSnapshot[]): Promise<MetricsText> {
  const registry = AggregatorRegistry.aggregate(snapshots.map((metrics) => [...metrics]))
  return { type: registry.contentType, body: await registry.metrics() }
}

/** What remains of processes that have ended: what they counted, not how they were. */
export async function countedBy(ended: readonly MetricSnapshot[]): Promise<MetricSnapshot> {
  const counted = ended.map((metrics) => metrics.filter(({ type }) => String(type) !== 'gauge'))
  return AggregatorRegistry.aggregate(counted).getMetricsAsJSON()
}
