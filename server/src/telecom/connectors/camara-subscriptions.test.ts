// Does an operator get each subscription to SIM swaps once, and each end of one until it takes it?

import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { grant, type Reply, scriptedUpstream } from '../../upstream/testing/scripted-upstream.ts'
import { testResources } from '../../upstream/testing/test-resources.ts'
import { UpstreamError } from '../../upstream/upstream-error.ts'
import { camara } from './camara.ts'
import type { CamaraSettings } from './camara-settings.ts'
import { inquiry, ordinaryNumber } from './testing/inquiries.ts'

const request = { sink: 'https://ringfence.example/sink', accessToken: 'token', until: Date.UTC(2026, 11, 1) }

/** An operator with these replies, in their order; the last one stays. */
const operator = (t: TestContext, ...replies: Reply[]) => operatorWith(t, {}, replies)

async function operatorWith(t: TestContext, settings: Partial<CamaraSettings>, replies: readonly Reply[]) {
  const resources = testResources({ SECRET: 'secret' })
  const waiting = [...replies]
  const { url, received } = await scriptedUpstream(t, ({ path }) => {
    if (path === '/oauth2/token') return grant()
    return waiting.length > 1 ? waiting.shift()! : waiting[0]!
  })
  const connector = camara.create(
    'acme',
    {
      type: 'camara',
      baseUrl: url,
      token: {
        endpoint: `${url}/oauth2/token`,
        clientId: 'bank',
        authentication: 'client_secret_basic',
        clientSecret: { env: 'SECRET' },
      },
      sandbox: true,
      simSwap: {},
      simSwapSubscriptions: {},
      ...settings,
    },
    resources,
  )
  t.after(() => connector.close?.())
  const sent = () => received.filter(({ path }) => path !== '/oauth2/token').map(({ method }) => method)
  const correlators = () => received.map(({ headers }) => headers['x-correlator']).filter((each) => each !== undefined)
  return { subscriptions: connector.swapSubscriptions!, sent, correlators, received }
}

test('after an answer that says nothing, the operator may have subscribed, so that it is not asked again', async (t) => {
  for (const reply of [{ status: 502 }, { status: 503 }, { status: 504 }, 'reset'] satisfies Reply[]) {
    const { subscriptions, sent } = await operator(t, reply, { status: 201, body: { id: 's-1' } })
    await assert.rejects(subscriptions.subscribe(ordinaryNumber, request, inquiry()), UpstreamError)
    assert.deepEqual(sent(), ['POST'], JSON.stringify(reply))
  }
})

test('a token that the operator refuses is replaced, and one subscription is made', async (t) => {
  const { subscriptions, sent } = await operator(t, { status: 401 }, { status: 201, body: { id: 's-1' } })
  assert.deepEqual(await subscriptions.subscribe(ordinaryNumber, request, inquiry()), { id: 's-1' })
  assert.deepEqual(sent(), ['POST', 'POST'])
})

test('the end of a subscription is sent again after a 503: a second one changes nothing', async (t) => {
  const { subscriptions, sent } = await operator(t, { status: 503 }, { status: 404 })
  await subscriptions.end('s-1', inquiry())
  assert.deepEqual(sent(), ['DELETE', 'DELETE'])
})

test('the correlator has the form that every version of the API takes', async (t) => {
  const { subscriptions, correlators } = await operator(t, { status: 201, body: { id: 's-1' } }, { status: 404 })
  const asked = { ...inquiry(), correlator: 'a:b' }
  await subscriptions.subscribe(ordinaryNumber, request, asked)
  await subscriptions.end('s-1', asked)
  assert.deepEqual(correlators(), ['a-b', 'a-b'])
})

test('subscriptions may have a base URL of their own, and state the purpose in the form of the operator', async (t) => {
  const other = await scriptedUpstream(t, () => ({ status: 201, body: { id: 's-1' } }))
  const settings = { scopeFormat: 'purpose#api', simSwapSubscriptions: { baseUrl: `${other.url}/events/` } } as const
  const { subscriptions, received } = await operatorWith(t, settings, [{ status: 500 }])
  await subscriptions.subscribe(ordinaryNumber, request, inquiry())
  assert.equal(other.received[0]?.path, '/events/sim-swap-subscriptions/v0.4/subscriptions')
  const scope = new URLSearchParams(received[0]!.body).get('scope')
  assert.equal(scope, 'dpv:FraudPreventionAndDetection#sim-swap-subscriptions')
  const wrong = { sandbox: false, simSwapSubscriptions: { baseUrl: 'http://operator.example' } }
  await assert.rejects(operatorWith(t, wrong, []), /^Error: simSwapSubscriptions\.baseUrl must begin with https/)
})
