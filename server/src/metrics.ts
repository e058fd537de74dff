// What does the service count and time? Prometheus metrics, without personal data.

import { collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import type { UpstreamMetrics } from './upstream/upstream-resources.ts'

export interface Metrics extends UpstreamMetrics {
  /** Counts an answered request. */
  request(route: string, status: number, seconds: number): void
  /** All metrics in Prometheus text format. */
  text(): Promise<{ type: string; body: string }>
}

export interface MetricsSources {
  requestsInFlight(): number
}

export function metrics({ requestsInFlight }: MetricsSources): Metrics {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  const requests = new Histogram({
    name: 'ringfence_http_request_seconds',
    help: 'Time from the arrival of a request to its response',
    labelNames: ['route', 'status'] as const,
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30],
    registers: [registry],
  })
  const upstream = new Histogram({
    name: 'ringfence_upstream_call_seconds',
    help: 'Duration of one attempt to call an upstream',
    labelNames: ['upstream', 'call', 'outcome'] as const,
    buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30],
    registers: [registry],
  })
  new Gauge({
    name: 'ringfence_http_requests_in_flight',
    help: 'Requests in flight',
    registers: [registry],
    collect() {
      this.set(requestsInFlight())
    },
  })
  const answered = childrenOf((route: string, status: number) => requests.labels(route, String(status)))
  return {
    request: (route, status, seconds) => answered(route, status).observe(seconds),
    upstreamCall: (name, call, outcome, seconds) => upstream.labels(name, call, outcome).observe(seconds),
    text: async () => ({ type: registry.contentType, body: await registry.metrics() }),
  }
}

/** Keeps each labelled child: hashing the labels at every request would cost more than the observation. */
function childrenOf<Child>(make: (route: string, status: number) => Child) {
  const children = new Map<string, Child>()
  return (route: string, status: number): Child => {
    const key = `${status} ${route}`
    let child = children.get(key)
    if (!child) {
      child = make(route, status)
      children.set(key, child)
    }
    return child
  }
}
