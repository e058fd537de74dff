// What does the Grafana dashboard show? `npm run docs` writes deploy/monitoring/ringfence.json from this list.

import {
  DashboardBuilder,
  DashboardCursorSync,
  DatasourceVariableBuilder,
  QueryVariableBuilder,
  RowBuilder,
} from '@grafana/grafana-foundation-sdk/dashboard'
import { DataqueryBuilder } from '@grafana/grafana-foundation-sdk/prometheus'
import { PanelBuilder } from '@grafana/grafana-foundation-sdk/timeseries'

/** Queries by their legend. */
type Panel = readonly [title: string, unit: string, queries: Readonly<Record<string, string>>]

const job = 'job="$job"'
const api = `${job}, route!~"/health|/ready|/metrics"`
const perSecond = (metric: string, by: string, labels = job) =>
  `sum by (${by}) (rate(ringfence_${metric}{${labels}}[$__rate_interval]))`
const inHour = (metric: string, by: string, labels = job) =>
  `sum by (${by}) (increase(ringfence_${metric}{${labels}}[1h]))`
const percentile = (share: number, metric: string, by: string, labels = job) =>
  `histogram_quantile(${share}, ${perSecond(`${metric}_bucket`, `le, ${by}`, labels)})`
const gauge = (metric: string) => `${metric}{${job}}`

export const rows: Readonly<Record<string, readonly Panel[]>> = {
  'Traffic, latency, errors': [
    ['Requests', 'reqps', { '{{route}}': perSecond('http_request_seconds_count', 'route', api) }],
    ['99th percentile', 's', { '{{route}}': percentile(0.99, 'http_request_seconds', 'route', api) }],
    [
      '5xx',
      'reqps',
      { '{{route}} {{status}}': perSecond('http_request_seconds_count', 'route, status', `${api}, status=~"5.."`) },
    ],
    ['Refusals', 'reqps', { '{{failure}}': perSecond('refusals_total', 'failure') }],
    [
      'In flight and waiting',
      'short',
      {
        'in flight {{instance}}': gauge('ringfence_http_requests_in_flight'),
        'waiting {{instance}}': gauge('ringfence_http_requests_waiting'),
      },
    ],
  ],
  Telecom: [
    ['Checks', 'cps', { '{{check}} {{result}}': perSecond('checks_total', 'check, result') }],
    [
      'Calls to upstreams',
      'cps',
      { '{{upstream}} {{outcome}}': perSecond('upstream_call_seconds_count', 'upstream, outcome') },
    ],
    ['95th percentile of calls', 's', { '{{upstream}}': percentile(0.95, 'upstream_call_seconds', 'upstream') }],
    [
      'Cost of checks in an hour, in millionths',
      'short',
      { '{{connector}} {{check}} {{currency}}': inHour('check_cost_micros_total', 'connector, check, currency') },
    ],
    ['Open circuits', 'short', { '{{upstream}} {{service}} {{instance}}': gauge('ringfence_upstream_circuit_open') }],
  ],
  'Sign-in and messages': [
    ['Steps in an hour', 'short', { '{{channel}} {{step}}': inHour('sign_in_steps_total', 'channel, step') }],
    ['Refused messages in an hour', 'short', { '{{limit}}': inHour('messages_refused_total', 'limit') }],
    ['Telecom gate in an hour', 'short', { '{{outcome}}': inHour('gate_outcomes_total', 'outcome') }],
  ],
  'Decisions and events': [
    ['Decisions', 'cps', { '{{action}}': perSecond('decisions_total', 'action') }],
    ['Missing parts in an hour', 'short', { '{{part}} {{why}}': inHour('decision_parts_missing_total', 'part, why') }],
    ['Deliveries of events', 'cps', { '{{result}}': perSecond('event_deliveries_total', 'result') }],
    ['Waiting events', 'short', { '{{instance}}': gauge('ringfence_events_waiting') }],
    ['Oldest waiting event', 's', { '{{instance}}': gauge('ringfence_events_waiting_seconds') }],
    ['Look-ups in lists', 'cps', { '{{from}}': perSecond('list_look_ups_total', 'from') }],
    ['Memory of lists', 'bytes', { '{{instance}}': gauge('ringfence_lists_bytes') }],
  ],
  'Devices and rules': [
    ['Reports', 'cps', { '{{action}}': perSecond('reports_total', 'action') }],
    [
      'Rules that fired in an hour, the first 10',
      'short',
      { '{{rule}}': `topk(10, ${inHour('rules_fired_total', 'rule')})` },
    ],
    ['Recognitions', 'cps', { '{{platform}} {{by}}': perSecond('recognitions_total', 'platform, by') }],
    ['Unknown facts in an hour', 'short', { '{{platform}}': inHour('unknown_facts_total', 'platform') }],
    ['Age of data', 's', { '{{data}} {{instance}}': gauge('ringfence_data_age_seconds') }],
  ],
  Store: [
    ['Calls', 'cps', { '{{call}}': perSecond('store_call_seconds_count', 'call') }],
    ['99th percentile', 's', { '{{call}}': percentile(0.99, 'store_call_seconds', 'call') }],
    ['Unavailable', 'cps', { '{{reason}}': perSecond('store_unavailable_total', 'reason') }],
    [
      'Connections',
      'short',
      {
        '{{instance}} {{pool}} {{state}}': gauge('ringfence_store_connections'),
        '{{instance}} {{pool}} waiting': gauge('ringfence_store_waiting_calls'),
      },
    ],
  ],
  Process: [
    ['CPU', 'percentunit', { '{{instance}}': `rate(process_cpu_seconds_total{${job}}[$__rate_interval])` }],
    ['Event loop lag, 99th percentile', 's', { '{{instance}}': gauge('nodejs_eventloop_lag_p99_seconds') }],
    ['Memory', 'bytes', { '{{instance}}': gauge('process_resident_memory_bytes') }],
    ['Open files and connections', 'short', { '{{instance}}': gauge('process_open_fds') }],
    ['Clock skew', 's', { '{{instance}}': gauge('ringfence_clock_skew_seconds') }],
    ['Failed maintenance in an hour', 'short', { '{{task}}': inHour('maintenance_failures_total', 'task') }],
    ['Versions', 'short', { '{{version}}': `count by (version) (${gauge('ringfence_build_info')})` }],
  ],
}

export function dashboardJson(): string {
  const source = { type: 'prometheus', uid: '$datasource' }
  const board = new DashboardBuilder('Ringfence')
    .uid('ringfence')
    .refresh('30s')
    .time({ from: 'now-6h', to: 'now' })
    .tooltip(DashboardCursorSync.Crosshair)
    .withVariable(new DatasourceVariableBuilder('datasource').label('Data source').type('prometheus'))
    .withVariable(
      new QueryVariableBuilder('job').label('Job').datasource(source).query('label_values(ringfence_build_info, job)'),
    )
  let id = 0
  for (const [title, panels] of Object.entries(rows)) {
    board.withRow(new RowBuilder(title).id(++id))
    for (const [name, unit, queries] of panels) {
      const panel = new PanelBuilder().id(++id).title(name).unit(unit).datasource(source).span(8).height(8)
      for (const [i, [legend, expr]] of Object.entries(queries).entries()) {
        panel.withTarget(new DataqueryBuilder().refId('AB'[i]!).expr(expr).legendFormat(legend))
      }
      board.withPanel(panel)
    }
  }
  return `${JSON.stringify(board.build(), null, 1)}\n`
}
