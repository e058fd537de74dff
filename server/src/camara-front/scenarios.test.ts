// Do our own CAMARA API and the sandbox operator behave as CAMARA's feature files say? One list of scenarios for both.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sqliteDatabases } from '../testing/databases.ts'
import { type Api, frontAndSandbox } from './testing/apis.ts'
import type { Scenario } from './testing/scenario.ts'
import { scenarios } from './testing/scenarios.ts'

async function authorizationOf({ token = 'valid', scope }: Scenario, api: Api): Promise<Record<string, string>> {
  if (token === 'none') return {}
  const others = scope.startsWith('sim-swap') ? 'device-swap:check' : 'sim-swap:check'
  const text = await api.token(`dpv:FraudPreventionAndDetection ${token === 'of another API' ? others : scope}`)
  if (token === 'expired') api.expire()
  return { authorization: `Bearer ${token === 'changed' ? text.replace(/.{8}$/, 'AAAAAAAA') : text}` }
}

for (const base of ['our own API', 'the sandbox operator'] as const) {
  test(`${base} fulfils every scenario of CAMARA's feature files`, async (t) => {
    const apis = await frontAndSandbox(t, await sqliteDatabases.open(t))
    const api = apis[base]
    const failed: string[] = []
    for (const [index, scenario] of scenarios.entries()) {
      const { id, says, path, body, status, code, isRight } = scenario
      const correlator = `scenario-${index}`
      const headers = { ...(await authorizationOf(scenario, api)), 'x-correlator': correlator }
      const answer = await api.post(path, body, headers)
      const isError = status >= 400
      const fits =
        answer.status === status &&
        answer.headers.get('content-type')?.startsWith('application/json') === true &&
        answer.headers.get('x-correlator') === correlator &&
        (!isError || (answer.body.status === status && answer.body.code === code && answer.body.message?.length > 0)) &&
        (isRight?.(answer.body, api.nowMs()) ?? true)
      if (!fits) failed.push(`${id}: ${says}: ${answer.status} ${JSON.stringify(answer.body)}`)
    }
    assert.deepEqual(failed, [])
    assert.ok(scenarios.length > 400, `${scenarios.length}`)
  })
}

test('an empty x-correlator is as good as none, at both', async (t) => {
  const apis = await frontAndSandbox(t, await sqliteDatabases.open(t))
  for (const api of Object.values(apis)) {
    const authorization = `Bearer ${await api.token('dpv:FraudPreventionAndDetection sim-swap:check')}`
    const headers = { authorization, 'x-correlator': '' }
    const answer = await api.post('/sim-swap/v2/check', { phoneNumber: '+917020141726' }, headers)
    assert.equal(answer.status, 200, JSON.stringify(answer.body))
  }
})

test('an x-correlator that is not of the form is INVALID_ARGUMENT, at both', async (t) => {
  const apis = await frontAndSandbox(t, await sqliteDatabases.open(t))
  for (const api of Object.values(apis)) {
    const authorization = `Bearer ${await api.token('dpv:FraudPreventionAndDetection sim-swap:check')}`
    for (const correlator of ['with a space', 'x'.repeat(257), 'a,b']) {
      const headers = { authorization, 'x-correlator': correlator }
      const { status, body } = await api.post('/sim-swap/v2/check', { phoneNumber: '+917020141726' }, headers)
      assert.deepEqual([status, body.code], [400, 'INVALID_ARGUMENT'], correlator)
    }
  }
})
