// Do metrics say what happened, in names that Prometheus accepts?

import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { test } from 'node:test'
import { whyMissing } from '../../../../scripts/debian-packages.ts'
import { eachDatabase, sqliteDatabases } from '../../testing/databases.ts'
import { sdkClient } from '../../testing/sdk-client.ts'
import { startTestService } from '../../testing/test-service.ts'
import { scriptedUpstream } from '../../upstream/testing/scripted-upstream.ts'
import { catalogue, nameInPrometheus } from './catalogue.ts'
import { metrics } from './metrics.ts'

eachDatabase(({ engine, open }) => {
  test(`${engine}: counts checks by operator and result, recognitions, reports, and refusals by failure`, async (t) => {
    const service = await startTestService(t, await open(t))
    const { url, post } = service
    const check = (phoneNumber: string) => post('/v1/telecom/sim-swap-check', { phoneNumber })
    for (const number of ['917020141726', '917020140110', '12']) await check(number)
    const client = await sdkClient(service)
    await client.fingerprint()
    const text = await (await fetch(`${url}/metrics`)).text()
    assert.match(text, /checks_total\{check="simSwap",operator="[A-Z_]+",result="no",source="operator"\} 1\n/)
    assert.match(text, /checks_total\{check="simSwap",operator="[A-Z_]+",result="yes",source="operator"\} 1\n/)
    assert.match(text, /refusals_total\{failure="invalidPhoneNumber"\} 1\n/)
    assert.match(text, /recognitions_total\{platform="WEB",by="none"\} 1\n/)
    assert.match(text, /reports_total\{platform="WEB",action="[A-Z]+"\} 1\n/)
    assert.match(text, /data_age_seconds\{data="ip-city [^"]+"\} \d+/)
  })
})

test('an operator that the configuration does not name is no label: a source may write a phone number there', async (t) => {
  const { url: source } = await scriptedUpstream(t, ({ path }) => ({ body: { operator: `X${path.slice(1)}` } }))
  const { url, post } = await startTestService(t, await sqliteDatabases.open(t), {
    edit: ({ connectors, ...parts }) => ({
      ...parts,
      connectors: {
        ...connectors,
        hub: {
          ...{ type: 'http', baseUrl: source, sandbox: true },
          operator: {
            path: '/{digits}',
            answer: { operator: '$.operator' },
            samples: [{ response: { operator: 'a' }, answer: { operator: 'a' } }],
          },
        } as never,
      },
      portabilitySources: { hub: { type: 'connector', connector: 'hub' } as never },
      routing: { otherwise: [{ connector: 'sandbox' }] },
    }),
  })
  const { body } = await post('/v1/telecom/sim-swap-check', { phoneNumber: '917020141726' })
  assert.equal(body.phoneDetail.operator, 'X917020141726')
  const text = await (await fetch(`${url}/metrics`)).text()
  assert.match(text, /checks_total\{check="simSwap",operator="other",result="no",source="operator"\} 1\n/)
  assert.ok(!text.includes('917020141726'))
})

const isInstalled = () => spawnSync('promtool', ['--version']).status === 0
const missing = await whyMissing(isInstalled, 'prometheus')

test('every metric of the catalogue passes the linter of Prometheus', {
  skip: missing && `needs ${missing}`,
}, async () => {
  const counted = metrics()
  for (const [name, { type, labels }] of Object.entries(catalogue)) {
    // biome-ignore lint/suspicious/noExplicitAny: every metric in turn, whatever its labels
    const { count, observe, set } = counted as any
    const values = labels.map(() => 'x')
    if (type === 'counter') count(name, ...values)
    else if (type === 'gauge') set(name, 1, ...values)
    else observe(name, 0.5, ...values)
  }
  const { body } = await counted.text()
  for (const record of Object.values(catalogue)) assert.ok(body.includes(`# HELP ${nameInPrometheus(record)} `))
  const { status, stdout, stderr } = spawnSync('promtool', ['check', 'metrics'], {
    input: body,
    encoding: 'utf8',
  })
  assert.deepEqual([status, stdout + stderr], [0, ''])
})

test('counts series beyond the limit together, so that labels cannot fill the memory', async () => {
  const counted = metrics()
  for (let rule = 0; rule < 1_200; rule++) counted.count('rulesFired', `rule-${rule}`)
  const { body } = await counted.text()
  assert.match(body, /ringfence_rules_fired_total\{rule="rule-999"\} 1\n/)
  assert.match(body, /ringfence_rules_fired_total\{rule="other"\} 200\n/)
})
