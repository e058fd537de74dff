// Do tokens that the network gives in the background stay with their numbers, and does polling end? CAMARA with CIBA.

import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { setTimeout as after } from 'node:timers/promises'
import { isDeepStrictEqual } from 'node:util'
import { startSandbox } from '@ringfence/sandbox'
import { holdTimers } from '../../testing/held-timers.ts'
import { until } from '../../testing/until.ts'
import { grant, type Reply, scriptedUpstream } from '../../upstream/testing/scripted-upstream.ts'
import { testResources } from '../../upstream/testing/test-resources.ts'
import { camara } from './camara.ts'
import type { CamaraSettings } from './camara-settings.ts'
import { inquiry, numberEnding, ordinaryNumber } from './testing/inquiries.ts'

const [swapped, ordinary] = [numberEnding('0110'), ordinaryNumber]

function connectorTo(t: TestContext, baseUrl: string, limits: Partial<CamaraSettings> = {}) {
  const connector = camara.create(
    'acme',
    {
      type: 'camara',
      baseUrl,
      token: {
        endpoint: `${baseUrl}/oauth2/token`,
        backchannelEndpoint: `${baseUrl}/oauth2/bc-authorize`,
        clientId: 'bank',
        grant: 'ciba',
        authentication: 'client_secret_basic',
        clientSecret: { env: 'SECRET' },
      },
      simSwap: {},
      ...limits,
    },
    testResources({ SECRET: 'secret' }),
  )
  t.after(() => connector.close?.())
  const ask = async (number: typeof ordinary, deadlineMs?: number) =>
    (await connector.checks.simSwap!(number, { maxAge: 240 }, inquiry(deadlineMs))).swapped
  return { connector, ask }
}

/** An operator that needs this many polls, and answers about the number of the token. */
async function operator(t: TestContext, poll: (count: number, id: string) => Reply | undefined = () => undefined) {
  const polls = new Map<string, number>()
  return scriptedUpstream(t, ({ path, body, headers }) => {
    const form = new URLSearchParams(body)
    if (path === '/oauth2/bc-authorize') {
      const id = form.get('login_hint')!.replace('tel:+', '')
      return { body: { auth_req_id: id, expires_in: 120, interval: 0.1 } }
    }
    if (path === '/oauth2/token') {
      const id = form.get('auth_req_id')!
      polls.set(id, (polls.get(id) ?? 0) + 1)
      return poll(polls.get(id)!, id) ?? grant(`token-of-${id}`, { id_token: 'not.a.jwt' })
    }
    return { body: { swapped: headers.authorization === `Bearer token-of-${swapped.digits}` } }
  })
}

const refused = (error: string): Reply => ({ status: 400, body: { error } })

test('numbers that are asked at the same time get their own tokens, and the number is sent as a hint only', async (t) => {
  const { url, received } = await operator(t, (count) => (count < 3 ? refused('authorization_pending') : undefined))
  const { ask } = connectorTo(t, url)
  const numbers = Array.from({ length: 10 }, (_, index) => (index % 2 === 0 ? swapped : ordinary))
  assert.deepEqual(
    await Promise.all(numbers.map((number) => ask(number))),
    numbers.map((number) => number === swapped),
  )
  const [first] = received.filter(({ path }) => path === '/oauth2/bc-authorize')
  const form = new URLSearchParams(first!.body)
  assert.equal(form.get('scope'), 'openid dpv:FraudPreventionAndDetection sim-swap:check')
  assert.equal(received.filter(({ path }) => path === '/oauth2/bc-authorize').length, 2)
  for (const { path, body } of received)
    if (path.startsWith('/sim-swap')) assert.deepEqual(JSON.parse(body), { maxAge: 240 })
})

test('a check stops waiting at its deadline, and the next one has the token', async (t) => {
  let identified = false
  const { url } = await operator(t, () => (identified ? undefined : refused('authorization_pending')))
  const { ask } = connectorTo(t, url)
  await assert.rejects(ask(ordinary, 300), { reason: 'timeout' })
  identified = true
  assert.equal(await ask(ordinary), false)
})

test('sign-ins of all numbers share one limit, and one without a check gives its place to the next number', async (t) => {
  const identified = new Set<string>()
  const polls = new Map<string, number>()
  const { url, received } = await operator(t, (_, id) => {
    polls.set(id, (polls.get(id) ?? 0) + 1)
    return identified.has(id) ? undefined : refused('authorization_pending')
  })
  const { ask } = connectorTo(t, url, { concurrentCalls: 2, waitingCalls: 1 })
  const [first, second, third, ...others] = ['2001', '2002', '2003', '2004', '2005', '2006'].map(numberEnding)
  const reasonOf = (error: { reason: string }) => error.reason
  const deadlines = holdTimers(t, 4_321)
  const asked = [first!, second!, third!].map((number) => ask(number, 4_321).catch(reasonOf))
  const overflowing = others.map((number) => ask(number, 4_321).catch(reasonOf))
  assert.deepEqual(await Promise.all(overflowing), ['overloaded', 'overloaded', 'overloaded'])
  await until(() => [first!, second!].every(({ digits }) => polls.has(digits)))
  deadlines.fire()
  assert.deepEqual(await Promise.all(asked), ['timeout', 'timeout', 'timeout'])

  // Nobody waits for them any more: the first two give their places, and the third is still polled for its next check.
  for (const { digits } of [third!, ...others]) identified.add(digits)
  assert.deepEqual(await Promise.all(others.slice(0, 2).map((number) => ask(number))), [false, false])
  assert.equal(await ask(third!), false)
  const hints = received.filter(({ path }) => path === '/oauth2/bc-authorize').map(({ body }) => body)
  assert.equal(hints.filter((body) => body.includes(third!.digits)).length, 1)
  const pollsOfFirst = () => [first!, second!].map(({ digits }) => polls.get(digits))
  // They are not polled any more.
  await until(async () => {
    const before = pollsOfFirst()
    await after(500)
    return isDeepStrictEqual(pollsOfFirst(), before)
  })
})

test('a subscriber who refuses, an expired request and an unusable answer are failures of that number only', async (t) => {
  for (const error of ['access_denied', 'expired_token', 'invalid_grant']) {
    let isRefused = true
    const { url } = await operator(t, () => (isRefused ? refused(error) : undefined))
    const { ask } = connectorTo(t, url)
    for (let count = 0; count < 4; count++) await assert.rejects(ask(ordinary), { reason: 'rejected' }, error)
    isRefused = false
    assert.equal(await ask(swapped), true, 'the circuit is closed')
  }
  const { url } = await scriptedUpstream(t, () => ({ body: { auth_req_id: 'a b', expires_in: 60 } }))
  await assert.rejects(connectorTo(t, url).ask(ordinary), { reason: 'format' })
})

test('the sandbox plays an operator of such tokens, which identifies the subscriber after a second', async (t) => {
  const { clock } = testResources()
  const sandbox = await startSandbox({ clock, clients: [{ clientId: 'bank', clientSecret: 'secret' }] })
  t.after(() => sandbox.close())
  const { ask } = connectorTo(t, sandbox.url)
  assert.deepEqual(await Promise.all([ask(swapped, 60_000), ask(ordinary, 60_000)]), [true, false])
  const response = await fetch(`${sandbox.url}/.well-known/oauth-authorization-server`)
  const metadata = (await response.json()) as Record<string, unknown>
  assert.equal(metadata.backchannel_authentication_endpoint, `${sandbox.url}/oauth2/bc-authorize`)
  const poll = (id: string) =>
    fetch(`${sandbox.url}/oauth2/token`, {
      method: 'POST',
      headers: { authorization: `Basic ${Buffer.from('bank:secret').toString('base64')}` },
      body: new URLSearchParams({ grant_type: 'urn:openid:params:grant-type:ciba', auth_req_id: id }),
    }).then(async (response) => [response.status, ((await response.json()) as { error: string }).error])
  assert.deepEqual(await poll('unknown'), [400, 'invalid_grant'])
})
