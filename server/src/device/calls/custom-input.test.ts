// Are `additionalInput` and params bounded, each and together, with an error that names the limit?

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { endpoints, type IntelligenceAnswer } from '@ringfence/contract'
import { sqliteDatabases } from '../../testing/databases.ts'
import { createApp, type SdkClient, sdkClient } from '../../testing/sdk-client.ts'
import { startTestService } from '../../testing/test-service.ts'

const { open } = sqliteDatabases
const push = endpoints.pushFingerprint.path

const nested = (levels: number): object => (levels === 1 ? { a: 1 } : { a: nested(levels - 1) })
const many = (keys: number) => Object.fromEntries(Array.from({ length: keys }, (_, i) => [`k${i}`, 'v']))
/** An object of this many bytes of JSON. */
const sized = (bytes: number) => ({ a: 'x'.repeat(bytes - '{"a":""}'.length) })

function pushOf(client: SdkClient, { requestId, analysis }: IntelligenceAnswer, params: object) {
  const body = client.pushBody(requestId, params)
  return analysis === undefined ? body : { ...body, data: { ...body.data, analysis } }
}

test('params and additionalInput together: 4096 bytes, 64 keys and 4 levels are accepted, one more is refused and named', async (t) => {
  const service = await startTestService(t, await open(t), { settings: { appRatePerSecond: 1000 } })
  const app = await createApp(service)
  let isCarried = false
  const visit = async (params: object, additionalInput?: unknown) => {
    isCarried = !isCarried
    const client = await sdkClient(service, { app })
    const engine = client.engineBody({}, { updateInfo: { additionalInput }, carry: isCarried })
    const analysed = await client.post(endpoints.intelligence.path, engine)
    if (analysed.status !== 200) return analysed
    return client.post(push, pushOf(client, analysed.body, params))
  }
  for (const [params, additionalInput, limit] of [
    [{}, sized(4094), undefined],
    [{}, sized(4095), '4096 bytes of JSON; they have 4097'],
    [{}, sized(4097), '4096 bytes of JSON; they have 4097'],
    [sized(4096), undefined, undefined],
    [sized(4097), undefined, '4096 bytes of JSON; they have 4097'],
    [sized(2048), sized(2048), undefined],
    [sized(2048), sized(2049), '4096 bytes of JSON; they have 4097'],
    [{ a: 'ü'.repeat(2048) }, undefined, '4096 bytes of JSON; they have 4104'],
    [many(64), undefined, undefined],
    [many(65), undefined, '64 keys, nested ones included; they have 65'],
    [{ list: [many(40), many(40)] }, undefined, '64 keys, nested ones included; they have 81'],
    [many(32), many(32), undefined],
    [many(32), many(33), '64 keys, nested ones included; they have 65'],
    [{}, many(65), '64 keys, nested ones included; they have 65'],
    [nested(4), undefined, undefined],
    [nested(5), undefined, '4 levels deep'],
    [{ a: [[[1]]] }, undefined, undefined],
    [{ a: [[[[]]]] }, undefined, '4 levels deep'],
    [{}, 'a text'.repeat(1000), undefined],
  ] as const) {
    const { status, body } = await visit(params, additionalInput)
    const what = JSON.stringify([params, additionalInput]).slice(0, 60)
    if (limit === undefined) assert.deepEqual([status, Object.keys(body)], [200, ['dfrId']], what)
    else {
      assert.equal(status, 400, what)
      assert.match(body.errorMessage, /^params and updateInfo\.additionalInput together may /)
      assert.ok(body.errorMessage.endsWith(limit), body.errorMessage)
    }
  }
})

test('a push with too many params leaves its analysis, so that a smaller one can follow', async (t) => {
  const service = await startTestService(t, await open(t))
  const client = await sdkClient(service)
  for (const carry of [true, false]) {
    const answer = await client.analyse({}, { carry })
    assert.equal((await client.post(push, pushOf(client, answer, many(65)))).status, 400)
    assert.equal((await client.post(push, pushOf(client, answer, many(64)))).status, 200)
  }
})
