// How are upstreams doing? As this server has measured their calls since it started.

import type { Overview } from '@ringfence/contract'
import { catalogue, nameInPrometheus } from '../../core/metrics/catalogue.ts'
import type { Metrics } from '../../core/metrics/metrics.ts'

/** The upstream answered, though perhaps not for this number or person. */
const answered = new Set(['ok', 'unsupported', 'window', 'rejected'])

interface Calls {
  calls: number
  failed: number
  /** Attempts that took no longer than this many seconds. */
  readonly within: Map<number, number>
}

/** By name. A latency is the upper bound of its bucket, and absent beyond the last one. */
export async function operatorHealth(metrics: Pick<Metrics, 'read'>): Promise<Overview['operators']> {
  const name = nameInPrometheus(catalogue.upstreamCall)
  const metric = (await metrics.read()).find((each) => each.name === name)
  const byName = new Map<string, Calls>()
  for (const { labels, value, metricName } of (metric?.values ?? []) as readonly Sample[]) {
    const upstream = String(labels.upstream)
    const known = byName.get(upstream) ?? { calls: 0, failed: 0, within: new Map() }
    byName.set(upstream, known)
    if (metricName === `${name}_count`) {
      known.calls += value
      if (!answered.has(String(labels.outcome))) known.failed += value
    } else if (metricName === `${name}_bucket`) {
      const bound = labels.le === '+Inf' ? Number.POSITIVE_INFINITY : Number(labels.le)
      known.within.set(bound, (known.within.get(bound) ?? 0) + value)
    }
  }
  return [...byName]
    .map(([upstream, { calls, failed, within }]) => ({
      ...{ name: upstream, calls, failed },
      ...latency('medianMs', within, calls * 0.5),
      ...latency('slowMs', within, calls * 0.95),
    }))
    .toSorted((one, other) => (one.name < other.name ? -1 : 1))
}

interface Sample {
  readonly labels: Readonly<Record<string, string | number>>
  readonly value: number
  readonly metricName?: string
}

function latency(
  member: 'medianMs' | 'slowMs',
  within: ReadonlyMap<number, number>,
  wanted: number,
): Pick<Overview['operators'][number], 'medianMs' | 'slowMs'> {
  const [bound] = [...within].toSorted(([one], [other]) => one - other).find(([, count]) => count >= wanted) ?? []
  return bound === undefined || !Number.isFinite(bound) ? {} : { [member]: Math.round(bound * 1000) }
}
