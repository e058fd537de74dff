// Is there a change to the calls of a carried session that is stored twice, or as something else?

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { endpoints } from '@ringfence/contract'
import fc from 'fast-check'
import { sqliteDatabases } from '../../testing/databases.ts'
import { createApp, ordinaryFacts, type SdkClient, sdkClient } from '../../testing/sdk-client.ts'
import { startTestService } from '../../testing/test-service.ts'

const { path: intelligence } = endpoints.intelligence
const { path: push } = endpoints.pushFingerprint

/** A change of one byte, a cut, or the analysis of another call. */
const changes = fc.record({
  kind: fc.constantFrom('none', 'byte', 'cut', 'longer', 'other session', 'other request', 'without'),
  at: fc.nat({ max: 10_000 }),
})

test('stores a carried analysis once and unchanged, whatever is changed in its push', async (t) => {
  const settings = { overloadDelayMs: 60_000, appRatePerSecond: 100_000, appRateBurst: 1_000_000 }
  const database = await sqliteDatabases.open(t)
  const service = await startTestService(t, database, { settings })
  const app = await createApp(service)
  const engineCall = async (client: SdkClient) => {
    const { requestId, analysis = '' } = await client.analyse(ordinaryFacts, { carry: true })
    return { requestId, analysis }
  }
  const other = await engineCall(await sdkClient(service, { app }))
  let stored = 0
  await fc.assert(
    fc.asyncProperty(fc.array(changes, { minLength: 1, maxLength: 6 }), async (attempts) => {
      const client = await sdkClient(service, { app })
      const call = await engineCall(client)
      const second = await engineCall(client)
      const honest = { ...client.pushBody(call.requestId), data: call }
      let first: string | undefined
      for (const { kind, at } of attempts) {
        const { body, isHonest } = changed(honest, kind, at, { other: other.analysis, second: second.analysis })
        const answer = await client.post(push, body)
        if (isHonest) first ??= answer.body.dfrId
        assert.equal(answer.status, isHonest ? 200 : 401, `${kind} ${at}: ${JSON.stringify(answer.body)}`)
        if (isHonest) assert.equal(answer.body.dfrId, first)
      }
      if (first !== undefined) stored++
      const used = await client.post(intelligence, client.engineBody(ordinaryFacts, { challenge: client.challenge }))
      assert.equal(used.status, first === undefined ? 200 : 401, 'a refused push uses up no challenge')
    }),
    { numRuns: 60 },
  )
  const [row] = await database.query<{ n: number }>(
    'select count(*) as n from device_analysis where push_hash is not null',
  )
  assert.ok(stored > 5)
  assert.equal(row?.n, stored)
})

type Push = { readonly data: { readonly requestId: string; readonly analysis: string } }

function changed(body: Push, kind: string, at: number, foreign: { readonly other: string; readonly second: string }) {
  const { requestId, analysis } = body.data
  const withAnalysis = (text: string) => ({ body: { ...body, data: { requestId, analysis: text } }, isHonest: false })
  if (kind === 'byte') {
    const bytes = Buffer.from(analysis, 'base64url')
    bytes[at % bytes.length]! ^= 1 + (at % 255)
    return withAnalysis(bytes.toString('base64url'))
  }
  if (kind === 'cut') return withAnalysis(analysis.slice(0, at % analysis.length))
  if (kind === 'longer') return withAnalysis(analysis + analysis.slice(0, 1 + (at % 999)))
  if (kind === 'other session') return withAnalysis(foreign.other)
  if (kind === 'other request') return withAnalysis(foreign.second)
  if (kind === 'without') return { body: { ...body, data: { requestId } }, isHonest: false }
  return { body, isHonest: true }
}
