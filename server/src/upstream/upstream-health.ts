// How are the upstreams doing, as this server sees them? Read from what their guards measure.

import type { Clock } from '../core/clock.ts'
import type { Metrics } from '../core/metrics/metrics.ts'

export interface UpstreamHealth {
  readonly name: string
  readonly isOpen: boolean
  readonly calls: number
  readonly failures: number
  /** Of the calls that succeeded. */
  readonly averageMs: number | undefined
  readonly lastCallAt: number | undefined
  readonly lastFailureAt: number | undefined
  readonly lastFailure: string | undefined
}

export interface WatchedUpstreams {
  /** For the guards, in place of the metrics; it passes everything on. */
  readonly metrics: Pick<Metrics, 'observe' | 'set'> & Metrics
  /** By name. */
  health(): readonly UpstreamHealth[]
}

/** Outcomes in which an upstream works, but not for this number or person; the rest are failures. */
const answers = new Set(['ok', 'unsupported', 'window', 'rejected'])
/** Names are those of the configuration file. */
const mostUpstreams = 200

interface Seen {
  calls: number
  failures: number
  succeeded: number
  totalMs: number
  lastCallAt: number | undefined
  lastFailureAt: number | undefined
  lastFailure: string | undefined
  open: Set<string>
}

export function watchedUpstreams(metrics: Metrics, clock: Clock): WatchedUpstreams {
  const seen = new Map<string, Seen>()

  function of(name: string): Seen | undefined {
    const known = seen.get(name)
    if (known || seen.size >= mostUpstreams) return known
    const times = { lastCallAt: undefined, lastFailureAt: undefined, lastFailure: undefined }
    const added = { calls: 0, failures: 0, succeeded: 0, totalMs: 0, ...times, open: new Set<string>() }
    seen.set(name, added)
    return added
  }

  function note(name: string, outcome: string, seconds: number): void {
    const upstream = of(name)
    if (!upstream) return
    upstream.calls++
    upstream.lastCallAt = clock.now()
    if (outcome === 'ok') {
      upstream.succeeded++
      upstream.totalMs += seconds * 1000
    }
    if (answers.has(outcome)) return
    upstream.failures++
    upstream.lastFailureAt = clock.now()
    upstream.lastFailure = outcome
  }

  return {
    metrics: {
      ...metrics,
      observe(name, seconds, ...labels) {
        const [upstream = '', , outcome = ''] = labels as readonly string[]
        if (name === 'upstreamCall') note(upstream, outcome, seconds)
        metrics.observe(name, seconds, ...labels)
      },
      set(name, value, ...labels) {
        const [upstream = '', service = ''] = labels as readonly string[]
        if (name === 'upstreamCircuitOpen') {
          if (value === 1) of(upstream)?.open.add(service)
          else of(upstream)?.open.delete(service)
        }
        metrics.set(name, value, ...labels)
      },
    },
    health: () =>
      [...seen]
        .map(([name, { open, succeeded, totalMs, calls, failures, lastCallAt, lastFailureAt, lastFailure }]) => ({
          ...{ name, isOpen: open.size > 0, calls, failures, lastCallAt, lastFailureAt, lastFailure },
          averageMs: succeeded === 0 ? undefined : totalMs / succeeded,
        }))
        .sort((a, b) => a.name.localeCompare(b.name)),
  }
}
