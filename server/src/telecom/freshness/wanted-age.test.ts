// Does a caller get an answer as new as it asks for, by every way to a check?

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { endpoints } from '@ringfence/contract'
import { basic, frontService } from '../../camara-front/testing/apis.ts'
import { eachDatabase } from '../../testing/databases.ts'
import { ordinary, startRoutedService } from '../routing/testing.ts'

type Headers = Readonly<Record<string, string>>

eachDatabase(({ engine, open }) => {
  const it = (promise: string) => `${promise} (${engine})`
  const options = { settings: { simSwapReuseSeconds: 600, portabilityReuseSeconds: 600 } }
  const later = () => new Promise((done) => setTimeout(done, 10))

  for (const [way, path, body] of [
    ['/v1/telecom/checks', endpoints.telecomChecks.path, { checks: { simSwap: {} } }],
    ['a decision', endpoints.decide.path, { checks: ['simSwap'] }],
  ] as const) {
    test(it(`with no-cache and max-age, ${way} calls the operator although an answer is stored`), async (t) => {
      const { post, upstreams, clock } = await startRoutedService(t, await open(t), {
        ...options,
        routing: { otherwise: [{ connector: 'acme' }] },
      })
      /** Whether the operator was called. */
      const isNew = async (headers: Headers = {}) => {
        const { status, body: answer } = await post(path, { phoneNumber: ordinary, ...body }, headers)
        assert.equal(status, 200, JSON.stringify(answer))
        assert.equal((answer.checks ?? answer.phone).simSwap.swapped, false)
        const calls = upstreams.acme.calls.last(100)
        upstreams.acme.calls.clear()
        return calls.some((call) => call.path.startsWith('/sim-swap'))
      }
      while (await isNew()) await later()
      clock.advance({ seconds: 30 })
      assert.equal(await isNew({ 'cache-control': 'max-age=31' }), false)
      assert.equal(await isNew({ 'cache-control': 'max-age=30' }), true)
      clock.advance({ seconds: 1 })
      assert.equal(await isNew({ 'cache-control': 'no-cache' }), true)
    })
  }

  test(it('with no-cache, our CAMARA API calls the operator although an answer is stored'), async (t) => {
    const { url, credentials, sandbox } = await frontService(t, await open(t), options)
    const authorization = basic(credentials.clientId, credentials.clientSecret)
    const form = new URLSearchParams({ grant_type: 'client_credentials', scope: 'sim-swap:check' })
    const token = await fetch(`${url}/camara/oauth2/token`, { method: 'POST', headers: { authorization }, body: form })
    const { access_token } = (await token.json()) as { access_token: string }
    const isNew = async (headers: Headers = {}) => {
      sandbox.calls.clear()
      const response = await fetch(`${url}/sim-swap/v2/check`, {
        method: 'POST',
        headers: { authorization: `Bearer ${access_token}`, 'content-type': 'application/json', ...headers },
        body: JSON.stringify({ phoneNumber: `+${ordinary}` }),
      })
      assert.deepEqual([response.status, await response.json()], [200, { swapped: false }])
      return sandbox.calls.last(100).some((call) => call.path.endsWith('/sim-swap/v2/check'))
    }
    while (await isNew()) await later()
    assert.equal(await isNew(), false)
    assert.equal(await isNew({ 'cache-control': 'no-cache' }), true)
  })
})
