import assert from 'node:assert/strict'
import { test } from 'node:test'
import { endpoints } from '@ringfence/contract'
import { readRuleSet } from '../../rules/rule-set.ts'
import { eachDatabase, sqliteDatabases } from '../../testing/databases.ts'
import { createApp, type SdkClient, sdkClient } from '../../testing/sdk-client.ts'
import { startTestService, type TestService } from '../../testing/test-service.ts'
import { storedReports } from '../stored-reports.ts'

const push = endpoints.pushFingerprint.path

/** The push as text, its params written as they are given. */
const pushText = (client: SdkClient, requestId: string, params: string) =>
  `{${params},${JSON.stringify(client.pushBody(requestId)).slice(1)}`

/** The answer as text, as a client in another language reads it. */
async function textOf(service: TestService, client: SdkClient, path: string, body: string): Promise<string> {
  const response = await fetch(service.url + path, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...client.headers, ...service.credentials },
    body,
  })
  assert.equal(response.status, 200)
  return response.text()
}

eachDatabase(({ engine, open }) => {
  test(`4.7.1 stores params verbatim, with every digit of a number (${engine})`, async (t) => {
    const service = await startTestService(t, await open(t))
    const values = {
      orderId: '12345678901234567890',
      amount: '1000.00',
      huge: '1e400',
      none: '-0',
      long: '0.12345678901234567890',
      nested: '{"a":[9007199254740993,{"b":null}],"__proto__":1E2,"é😀":"\\ud800\\u0000"}',
    }
    const settings = { additionalDataFields: Object.keys(values), revealReport: true }
    const client = await sdkClient(service, { app: await createApp(service, { settings }) })
    const { requestId } = await client.analyse()
    const params = Object.entries(values)
      .map(([name, value]) => `"${name}":${value}`)
      .join(',')
    const revealed = await textOf(service, client, push, pushText(client, requestId, params))
    const [, dfrId] = /^\{"dfrId":"([0-9a-f]{32})","intelligenceResponse":\{/.exec(revealed) ?? []
    const report = await textOf(
      service,
      client,
      endpoints.deviceFingerprint.path,
      JSON.stringify({ dfrId, deviceType: 'WEB' }),
    )
    assert.ok(report.endsWith(`"additionalData":{${params}}}`), report)
    assert.equal(revealed, `{"dfrId":"${dfrId}","intelligenceResponse":${report}}`)
    const other = await client.post(push, pushText(client, requestId, params.replace('567890', '567891')))
    assert.equal(other.status, 401, 'another number is another body')
  })
})

test('gives rules and a backtest the same numbers', async (t) => {
  const service = await startTestService(t, await sqliteDatabases.open(t))
  const { parts: needs, tenantId } = service
  const when = 'params.amount == 1000 and params.huge > 5 and params.id > 12345678901234560000'
  const { ruleSet } = readRuleSet({ rules: [{ id: 'r', name: 'R', when, action: 'BLOCK', score: 9 }] })
  const version = await needs.rules.draft(tenantId, ruleSet, { by: 'test' })
  await needs.rules.live(tenantId, version, { by: 'test' }, { untried: true })
  const client = await sdkClient(service)
  const { requestId } = await client.analyse()
  const params = '"amount":1000.00,"huge":1e400,"id":12345678901234567890'
  const { dfrId } = (await client.post(push, pushText(client, requestId, params))).body
  const { body } = await service.post(endpoints.deviceFingerprint.path, { dfrId, deviceType: 'WEB' })
  assert.deepEqual(body.appliedRules.rules, { 'r : R': 9 })
  const [kept] = await Array.fromAsync(storedReports(tenantId, needs))
  assert.deepEqual(kept?.input.params, { amount: 1000, huge: Number.POSITIVE_INFINITY, id: 12345678901234567000 })
})

test('refuses a push over 64 KiB or with too deep nesting', async (t) => {
  const service = await startTestService(t, await sqliteDatabases.open(t))
  const client = await sdkClient(service)
  const { requestId } = await client.analyse()
  const large = await client.post(push, pushText(client, requestId, `"a":"${'x'.repeat(65_536)}"`))
  assert.deepEqual([large.status, large.body.errorMessage], [413, 'The body may have at most 65536 bytes'])
  for (const depth of [65, 3_000, 30_000]) {
    const deep = await client.post(push, pushText(client, requestId, `"a":${'['.repeat(depth)}${']'.repeat(depth)}`))
    assert.deepEqual([deep.status, deep.body.errorMessage], [400, 'the body may be nested at most 16 levels deep'])
  }
  assert.equal((await client.post(push, pushText(client, requestId, '"a":1'))).status, 200, 'nothing was kept of them')
})
