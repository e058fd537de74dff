// Does a client of our CAMARA API learn what the operator refused, in CAMARA's codes?

import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { askedBy, camaraOf } from '../telecom/connectors/testing/scripted-operator.ts'
import { sqliteDatabases } from '../testing/databases.ts'
import type { Reply } from '../upstream/testing/scripted-upstream.ts'
import { frontApi } from './testing/apis.ts'

const phoneNumber = '+917020141726'

/** Sends a call to a service whose operator answers it so. */
async function asked(
  t: TestContext,
  { reply, checks, path, scope }: { reply: Reply; checks: object; path: string; scope: string },
  body: object,
) {
  const edit = askedBy(await camaraOf(t, () => reply, checks))
  const api = await frontApi(t, await sqliteDatabases.open(t), { edit })
  const headers = { authorization: `Bearer ${await api.token(`dpv:FraudPreventionAndDetection ${scope}`)}` }
  return api.post(path, body, headers)
}

const simSwap = { path: '/sim-swap/v2/check', scope: 'sim-swap:check' }
const windows: [says: string, reply: Reply, checks: object][] = [
  [
    'looks back at most 120 hours: send maxAge, at most 120',
    { body: { latestSimChange: null, monitoredPeriod: 5 } },
    { simSwap: { calls: ['retrieve-date'] } },
  ],
  [
    'looks back less far: ask about a shorter time',
    { status: 400, body: { status: 400, code: 'OUT_OF_RANGE', message: 'no' } },
    { simSwap: {} },
  ],
]

for (const [says, reply, checks] of windows) {
  test(`an operator that ${says}, is OUT_OF_RANGE with these words`, async (t) => {
    const { body } = await asked(t, { ...simSwap, reply, checks }, { phoneNumber })
    const message = `The operator of the phone number ${says}`
    assert.deepEqual(body, { status: 400, code: 'OUT_OF_RANGE', message })
  })
}
