// Is every body bounded before a schema reads it, and does everything fit that its schema allows?

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type AdminEndpointName, adminEndpoints, endpoints, everyEndpoint, readSamples } from '@ringfence/contract'
import type { TSchema } from 'typebox'
import { adminClient } from '../../admin/testing.ts'
import type { Refusal } from '../../core/errors.ts'
import { exceededBound } from '../../core/json/json-bounds.ts'
import { surfaceOf } from '../../parts.ts'
import { sqliteDatabases } from '../../testing/databases.ts'
import { ordinaryFacts, sdkClient } from '../../testing/sdk-client.ts'
import { startTestService } from '../../testing/test-service.ts'
import { boundsOf } from './body-bounds.ts'

const { open } = sqliteDatabases

const flat = (members: number) => Object.fromEntries(Array.from({ length: members }, (_, at) => [`k${at}`, 1]))
const nested = (levels: number) => `${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}`
const samples = readSamples()

test('refuses a body of 20,000 members, one that is 100 levels deep, and a long name, on every endpoint, naming the bound', async (t) => {
  const { parts: needs } = await startTestService(t, await open(t))
  const rows = surfaceOf(needs).filter((row) => row.kind === 'endpoint' && row.method === 'POST' && !row.takesLines)
  assert.ok(rows.length > 100)
  const cases = [
    [JSON.stringify(flat(20_000)), /^the body may have at most \d+ members and items, nested ones included$/],
    [`[${'1,'.repeat(20_000)}1]`, /^the body may have at most \d+ members/],
    [nested(100), /^the body may be nested at most \d\d levels deep$/],
    [`{"${'n'.repeat(2000)}":1}`, /^the body may have names of at most 512 bytes$/],
    [`{"a":${'1'.repeat(2000)}}`, /^the body may have numbers of at most 1024 characters$/],
  ] as const
  for (const [text, mistake] of cases) {
    const bytes = Buffer.from(text)
    for (const row of rows) {
      if (row.kind !== 'endpoint') continue
      assert.throws(
        () => row.body.parse(bytes),
        ({ failure, details }: Refusal) => failure === 'fieldInvalid' && mistake.test(details.mistake!),
        row.path,
      )
    }
  }
})

test('takes every sample, and a list call of as many entries as the schema allows', () => {
  for (const { request } of everyEndpoint) {
    const { $id } = request as { $id?: string }
    for (const sample of Object.values(samples[String($id)] ?? {}))
      assert.equal(
        exceededBound(Buffer.from(JSON.stringify(sample)), boundsOf(request as TSchema)),
        undefined,
        String($id),
      )
  }
  const [sample] = Object.values(samples.AddListEntriesRequest!) as [{ entries: object[] }]
  const most = { ...sample, entries: Array(1000).fill(sample.entries[0]) }
  assert.equal(exceededBound(Buffer.from(JSON.stringify(most)), boundsOf(endpoints.addListEntries.request)), undefined)
})

test('an SDK that is newer than the server works: its unknown facts are dropped and counted', async (t) => {
  const service = await startTestService(t, await open(t))
  const sdk = await sdkClient(service)
  const { requestId } = await sdk.analyse({ ...ordinaryFacts, ...flat(500), newer: { parts: [1, 2, { deep: true }] } })
  assert.ok(requestId)
  const metrics = await (await fetch(`${service.url}/metrics`)).text()
  assert.match(metrics, /ringfence_unknown_facts_total\{platform="WEB"\} 501/)
})

test('20,000 unknown facts are refused, and use up no challenge', async (t) => {
  const service = await startTestService(t, await open(t))
  const sdk = await sdkClient(service)
  for (const body of [
    sdk.engineBody({ ...ordinaryFacts, ...flat(20_000) }),
    { ...sdk.engineBody(ordinaryFacts), factsMissing: flat(20_000) },
  ]) {
    const { status, body: answer } = await sdk.post(endpoints.intelligence.path, body)
    assert.equal(status, 400)
    assert.match(answer.errorMessage, /^the body may have at most \d+ members and items, nested ones included$/)
  }
  assert.equal((await sdk.post(endpoints.intelligence.path, sdk.engineBody(ordinaryFacts))).status, 200)
})

test('a deep body is refused with 400 at every call of the admin API that writes', async (t) => {
  const service = await startTestService(t, await open(t), { settings: { appRateBurst: 10_000 } })
  const call = await adminClient(service, 'owner')
  for (const [name, { method }] of Object.entries(adminEndpoints)) {
    if (method !== 'POST') continue
    const { status, body } = await call(name as AdminEndpointName, JSON.parse(nested(5000)))
    assert.equal(status, 400, name)
    assert.match(body.detail, /the body may be nested at most \d\d levels deep/, name)
  }
})

test('the audit line of a change is short and has no field that the call ignores', async (t) => {
  const service = await startTestService(t, await open(t))
  const call = await adminClient(service, 'admin')
  const wide = Object.fromEntries(Array.from({ length: 900 }, (_, at) => [`k${at}`, 'x'.repeat(60)]))
  await call('createList', { name: 'n', kind: 'text', purpose: 'watch', passwort: 'secret', others: wide })
  await call('createApp', { name: 'shop', settings: wide })
  const { body } = await call('listAudit')
  const lines = JSON.stringify(body)
  assert.doesNotMatch(lines, /secret|passwort|others/)
  for (const line of body.lines) assert.ok(JSON.stringify(line).length < 6_000)
  assert.match(lines, /createList/)
})
