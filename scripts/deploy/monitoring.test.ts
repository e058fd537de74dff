// Do the alerts fire when they should, and do alerts and dashboard ask for metrics that exist?

import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { failures } from '@ringfence/contract'
import { catalogue, type MetricRecord, nameInPrometheus } from '@ringfence/server/core/metrics/catalogue.ts'
import { metrics } from '@ringfence/server/core/metrics/metrics.ts'
import { parse } from 'yaml'
import { whyMissing } from '../debian-packages.ts'
import { rows } from './dashboard.ts'

const root = join(import.meta.dirname, '../..')
const folder = join(root, 'deploy/monitoring')
const read = (file: string) => readFileSync(join(root, file), 'utf8')

interface Alert {
  alert: string
  expr: string
  labels: { severity: string }
  annotations: { summary: string; runbook_url: string }
}
const alertFile = parse(read('deploy/monitoring/alerts.yaml')) as { groups: { rules: Alert[] }[] }
const alerts = alertFile.groups.flatMap(({ rules }) => rules)
const panels = Object.values(rows).flat()
const dashboardQueries = panels.flatMap(([, , queries]) => Object.values(queries))

const isInstalled = () => spawnSync('promtool', ['--version']).status === 0
const missing = await whyMissing(isInstalled, 'prometheus')
const skip = missing && `needs ${missing}`

function promtool(...words: string[]): void {
  const { status, stdout, stderr } = spawnSync('promtool', words, { cwd: folder, encoding: 'utf8' })
  assert.equal(status, 0, stdout + stderr)
}

test('Prometheus accepts the alerts', { skip }, () => promtool('check', 'rules', 'alerts.yaml'))

test('each alert fires in its situation and in no other', { skip }, () => {
  promtool('test', 'rules', 'alerts.test.yaml')
  const situations = read('deploy/monitoring/alerts.test.yaml')
  for (const { alert } of alerts)
    assert.ok(situations.includes(`alertname="${alert}"`), `no test in which ${alert} fires`)
})

test('Prometheus parses every query of the dashboard', { skip }, (t) => {
  const own = mkdtempSync(join(tmpdir(), 'ringfence-dashboard-'))
  t.after(() => rmSync(own, { recursive: true }))
  // In Grafana the interval is a variable.
  const rules = dashboardQueries.map((query, i) => ({
    record: `q${i}`,
    expr: query.replaceAll('$__rate_interval', '5m'),
  }))
  writeFileSync(join(own, 'rules.yaml'), JSON.stringify({ groups: [{ name: 'dashboard', rules }] }))
  promtool('check', 'rules', join(own, 'rules.yaml'))
})

test('alerts and dashboard ask only for metrics, labels and failures that exist', async () => {
  const records = Object.values(catalogue) as MetricRecord[]
  const labelsOf = new Map(
    records.flatMap((record) => {
      const name = nameInPrometheus(record)
      const names = record.type === 'histogram' ? ['_bucket', '_count', '_sum'].map((end) => name + end) : [name]
      return names.map((each) => [each, record.labels] as const)
    }),
  )
  const { body } = await metrics().text()
  const ofProcess = new Set([...body.matchAll(/^# TYPE ((?:process|nodejs)_\S+)/gm)].map(([, name]) => name))
  for (const query of [...alerts.map(({ expr }) => expr), ...dashboardQueries]) {
    const selected = [...query.matchAll(/\b((?:ringfence|process|nodejs)_\w+)(?:\{([^}]*)\})?/g)]
    assert.ok(selected.length > 0 || query.includes('up{'), query)
    for (const [, name = '', selector = ''] of selected) {
      assert.ok(labelsOf.has(name) || ofProcess.has(name), `${name} does not exist`)
      for (const [, label = '', value = ''] of selector.matchAll(/(\w+)(?:=~|!~|!=|=)"([^"]*)"/g)) {
        assert.ok(label === 'job' || labelsOf.get(name)?.includes(label), `${name} has no label ${label}`)
        if (label === 'failure') assert.ok(value === 'internalError' || Object.hasOwn(failures, value), value)
      }
    }
  }
})

test('every metric of the catalogue is on the dashboard', () => {
  const shown = dashboardQueries.join('\n')
  for (const record of Object.values(catalogue)) assert.ok(shown.includes(nameInPrometheus(record)), record.name)
})

test('every alert has a severity, a summary, and a section that says what to do', () => {
  const page = read('docs/reference/alerts.md')
  for (const { alert, labels, annotations } of alerts) {
    assert.match(labels.severity, /^(critical|warning)$/)
    assert.ok(annotations.summary.length > 10, alert)
    assert.equal(annotations.runbook_url, `docs/reference/alerts.md#${alert.toLowerCase()}`)
    assert.match(page, new RegExp(`^## ${alert}\n\n[A-Z\`]`, 'm'), alert)
  }
  const sections = [...page.matchAll(/^## (Ringfence\w+)$/gm)].map(([, name]) => name)
  assert.deepEqual(
    sections,
    alerts.map(({ alert }) => alert),
    'in the order of alerts.yaml',
  )
})

test('the dashboard has one data source, which people choose, and panels with titles of their own', () => {
  const text = read('deploy/monitoring/ringfence.json')
  const sources = new Set([...text.matchAll(/"uid": "([^"]+)"/g)].map(([, uid]) => uid))
  assert.deepEqual(sources, new Set(['ringfence', '$datasource']))
  for (const [row, each] of Object.entries(rows)) {
    assert.equal(new Set(each.map(([title]) => title)).size, each.length, row)
  }
})
