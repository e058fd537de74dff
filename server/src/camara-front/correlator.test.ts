// Which x-correlator do our own CAMARA API and the sandbox operator accept?

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sqliteDatabases } from '../testing/databases.ts'
import { frontAndSandbox } from './testing/apis.ts'

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
