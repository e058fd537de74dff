// What does the reference say about metrics? A row for each.

import { catalogue, type MetricRecord, nameInPrometheus } from '@ringfence/server/core/metrics/catalogue.ts'
import { code, page, table } from './markdown.ts'

export function metricsPage(): string {
  const rows = Object.values(catalogue).map((record: MetricRecord) => [
    code(nameInPrometheus(record)),
    record.type,
    record.labels.map((label) => code(label)).join(', '),
    record.help,
    record.read,
  ])
  return page(
    'Metrics',
    `Prometheus reads them from \`/metrics\`. They contain no personal data. Beside them are the \`process_\` and \`nodejs_\` metrics of
[prom-client](https://github.com/siimon/prom-client). [Monitoring](../guides/monitoring.md) says how to watch and what to do at an alert.`,
    table(['metric', 'type', 'labels', 'what it measures', 'how to read it'], rows),
  )
}
