// How is something counted and timed? Typed by the catalogue, without personal data, and cheap enough for every request.

import {
  Counter,
  collectDefaultMetrics,
  Gauge,
  Histogram,
  type MetricObjectWithValues,
  type MetricValue,
  Registry,
} from 'prom-client'
import { type Catalogue, catalogue, type GaugeRecord, type MetricRecord, nameInPrometheus } from './catalogue.ts'

type NamesOf<Type extends MetricRecord['type']> = {
  [Name in keyof Catalogue]: Catalogue[Name]['type'] extends Type ? Name : never
}[keyof Catalogue]

/** One text for each label of the metric, in their order. */
type LabelsOf<Name extends keyof Catalogue> = Texts<Catalogue[Name]['labels']>
type Texts<Labels extends readonly string[]> = { -readonly [Place in keyof Labels]: string }

export type CounterName = NamesOf<'counter'>
export type GaugeName = NamesOf<'gauge'>
export type HistogramName = NamesOf<'histogram'>

export interface Metrics {
  /** Adds 1. */
  count<Name extends CounterName>(name: Name, ...labels: LabelsOf<Name>): void
  /** Adds an amount. */
  add<Name extends CounterName>(name: Name, amount: number, ...labels: LabelsOf<Name>): void
  /** Adds a duration in seconds. */
  observe<Name extends HistogramName>(name: Name, seconds: number, ...labels: LabelsOf<Name>): void
  set<Name extends GaugeName>(name: Name, value: number, ...labels: LabelsOf<Name>): void
  /** Reads the gauge whenever somebody asks for metrics; `read` calls `set`. */
  atEachScrape(read: () => void | Promise<void>): void
  /** All metrics with their values, for OTLP. */
  read(): Promise<MetricSnapshot>
  /** The same without the gauges of `atEachScrape`: cheap. */
  counted(): Promise<MetricSnapshot>
  /** All metrics in Prometheus text format, of all processes of this service. */
  text(): Promise<MetricsText>
  /** This process is one of several. `ofAll` returns the text of all of them. */
  share(ofAll: () => Promise<MetricsText>): void
}

export type MetricSnapshot = MetricObjectWithValues<MetricValue<string>>[]

export interface MetricsText {
  readonly type: string
  readonly body: string
}

/** Series of one metric. A tenant may have many rules; the ones beyond this are counted together as `other`. */
const mostSeries = 1_000

/** Gauges of prom-client whose names end like those of counters: Prometheus' linter rejects them. */
const misnamed = ['nodejs_active_handles_total', 'nodejs_active_requests_total', 'nodejs_active_resources_total']

export function metrics(): Metrics {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  for (const name of misnamed) registry.removeSingleMetric(name)
  const reads: (() => void | Promise<void>)[] = []
  let ofAllProcesses: (() => Promise<MetricsText>) | undefined
  const readAll = () => Promise.all(reads.map((read) => read()))
  const counters = seriesOf('counter', (options) => {
    const counter = new Counter({ ...options, registers: [registry] })
    return (labels) => counter.labels(...labels)
  })
  const gauges = seriesOf('gauge', ({ ofWorkers: aggregator = 'sum', ...options }) => {
    const gauge = new Gauge({ ...options, aggregator, registers: [registry] })
    return (labels) => gauge.labels(...labels)
  })
  const histograms = seriesOf('histogram', ({ buckets = [], ...options }) => {
    const histogram = new Histogram({ ...options, buckets: [...buckets], registers: [registry] })
    return (labels) => histogram.labels(...labels)
  })
  return {
    count: (name, ...labels) => counters(name, labels as readonly string[]).inc(),
    add: (name, amount, ...labels) => counters(name, labels as readonly string[]).inc(amount),
    observe: (name, seconds, ...labels) => histograms(name, labels as readonly string[]).observe(seconds),
    set: (name, value, ...labels) => gauges(name, labels as readonly string[]).set(value),
    atEachScrape: (read) => void reads.push(read),
    async read() {
      await readAll()
      return registry.getMetricsAsJSON()
    },
    counted: () => registry.getMetricsAsJSON(),
    async text() {
      if (ofAllProcesses) return ofAllProcesses()
      await readAll()
      return { type: registry.contentType, body: await registry.metrics() }
    },
    share(ofAll) {
      ofAllProcesses = ofAll
    },
  }
}

interface MetricOptions {
  name: string
  help: string
  labelNames: string[]
  buckets?: readonly number[]
  ofWorkers?: GaugeRecord['ofWorkers']
}

/** Keeps each labelled series: hashing the labels at every request would cost more than the count. */
function seriesOf<Series>(
  type: MetricRecord['type'],
  register: (options: MetricOptions) => (labels: readonly string[]) => Series,
): (name: keyof Catalogue, labels: readonly string[]) => Series {
  const registered = new Map<keyof Catalogue, { series: Map<string, Series>; add(labels: readonly string[]): Series }>()
  for (const [name, record] of Object.entries(catalogue) as [keyof Catalogue, MetricRecord][]) {
    if (record.type !== type) continue
    const { help, labels } = record
    const more = {
      ...(record.type === 'histogram' && { buckets: record.buckets }),
      ...(record.type === 'gauge' && { ofWorkers: record.ofWorkers }),
    }
    const options = { name: nameInPrometheus(record), help, labelNames: [...labels], ...more }
    registered.set(name, { series: new Map(), add: register(options) })
  }
  return (name, labels) => {
    const { series, add } = registered.get(name)!
    const key = labels.join('\n')
    const known = series.get(key)
    if (known) return known
    if (series.size >= mostSeries) return add(labels.map(() => 'other'))
    const added = add(labels)
    series.set(key, added)
    return added
  }
}
