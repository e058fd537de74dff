// Whatever a backend sends, it gets a status that the contract names, and a body of its schema.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Endpoint, endpoints, pathFields } from '@ringfence/contract'
import fc from 'fast-check'
import Value from 'typebox/value'
import { decisionCalls } from '../decisions/testing.ts'
import { tokenCalls } from '../sign-in/tokens/testing.ts'
import { arbitraryBody, type KnownValues } from '../testing/arbitrary-request.ts'
import { eachDatabase } from '../testing/databases.ts'
import { ordinaryFacts, sdkClient } from '../testing/sdk-client.ts'
import { startTestService, type TestService } from '../testing/test-service.ts'

const names = [
  ...([
    'decide',
    'readDecision',
    'passChallenge',
    'listReviews',
    'resolveReview',
    'searchEvents',
    'labelReports',
  ] as const),
  ...([
    'createList',
    'describeLists',
    'deleteList',
    'addListEntries',
    'removeListEntries',
    'lookUpList',
    'readList',
  ] as const),
]

/** What exists, so that requests go beyond the check of their fields. */
async function somethingOfEach(service: TestService): Promise<KnownValues> {
  const { decide, publish } = decisionCalls(service)
  const { post } = service
  await publish([
    { id: 'ask', name: 'Ask', when: 'action == "PAYMENT"', action: 'CHALLENGE', score: 10 },
    { id: 'look', name: 'Look', when: 'action == "SIGNUP"', action: 'REVIEW', score: 10 },
  ])
  for (const kind of ['text', 'ip', 'phoneNumber', 'emailDomain', 'networkOperator']) {
    await post(endpoints.createList.path, { name: kind, kind, purpose: 'watch' })
  }
  const { requestId, dfrId } = await (await sdkClient(service)).fingerprint(ordinaryFacts)
  const token = await tokenCalls(service).issue()
  const decisions = await Promise.all(
    ['PAYMENT', 'SIGNUP', 'LOGIN'].map((action) => decide({ action, userId: 'customer-4711', dfrId, token })),
  )
  return {
    decisionId: [...decisions.map(({ body }) => body.decisionId), '019ab000-0000-7000-8000-000000000000'],
    ...{ token: [token, `${token}x`], dfrId: [dfrId], requestId: [requestId] },
    userId: ['customer-4711', '__proto__', 'u\u0000\ud800'],
    phoneNumber: ['917020141726', '917020140110'],
    action: ['PAYMENT', 'SIGNUP'],
    ip: ['203.0.113.7', '::ffff:10.0.0.1', '2001:db8::1'],
    email: ['a@shop.example', 'a@\u0000'],
    name: ['text', 'ip', 'phoneNumber', 'constructor'],
    value: ['10.0.0.0/8', '::/0', '917020141726', 'a@shop.example', '\ud800', 'a\u0000b'],
    deadlineMs: [100, 150],
  }
}

eachDatabase(({ engine, open }) => {
  test(`answers every request with a status and a body that the contract names (${engine})`, async (t) => {
    const service = await startTestService(t, await open(t))
    const known = await somethingOfEach(service)
    const ids = known.decisionId!.map(String)
    const inPath = fc.oneof({ weight: 6, arbitrary: fc.constantFrom(...ids) }, fc.webSegment())
    const requests = fc.oneof(
      ...names.map((name) =>
        fc.record({
          endpoint: fc.constant<Endpoint>(endpoints[name]),
          body: arbitraryBody(endpoints[name].request, name === 'deleteList' ? { name: ['gone'] } : known),
          id: inPath,
          key: fc.constantFrom(undefined, 'one', 'two', 'with space', 'x'.repeat(300)),
        }),
      ),
    )
    const send = async ({ method, path }: Endpoint, id: string, body: string, headers: Record<string, string>) => {
      const whole = path.replace(/\{\w+\}/, id)
      if (method === 'POST') return service.post(whole, body, headers)
      const response = await fetch(service.url + whole, { headers: { ...service.credentials, ...headers } })
      return { status: response.status, body: await response.json() }
    }
    await fc.assert(
      fc.asyncProperty(requests, async ({ endpoint, body, id, key }) => {
        if (pathFields(endpoint.path).length > 0 && id === '') return
        const headers = { ...(key !== undefined && { 'idempotency-key': key }) }
        const answer = await send(endpoint, id, body, headers)
        const schema = answer.status === 200 ? endpoint.answer : endpoint.refusals[answer.status]?.body
        const found = `${answer.status} ${JSON.stringify(answer.body)}`
        assert.ok(schema && answer.status !== 500 && answer.status !== 503, found)
        assert.deepEqual([...Value.Errors(schema, answer.body)], [], found)
      }),
      { numRuns: engine === 'sqlite' ? 400 : 150 },
    )
  })
})
