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

const area = { areaType: 'CIRCLE', center: { latitude: 52.5, longitude: 13.4 }, radius: 300_000 }
const located = { device: { phoneNumber }, area }
const verify = { path: '/location-verification/v3/verify', scope: 'location-verification:verify' }
const recycled = { path: '/number-recycling/v0.3/check', scope: 'number-recycling:check' }
const match = { path: '/kyc-match/v0.5/match', scope: 'kyc-match:match' }
const locationVerification = { ...verify, checks: { locationVerification: {} } }
const numberRecycling = { ...recycled, checks: { numberRecycling: {} } }
const kycMatch = { ...match, checks: { kycMatch: {} } }

// `id`: that of the scenario in CAMARA's feature files.
const refusals = [
  ['location_verification_422.1', locationVerification, located, 422, 'LOCATION_VERIFICATION.AREA_NOT_COVERED'],
  ['location_verification_422.2', locationVerification, located, 422, 'LOCATION_VERIFICATION.INVALID_AREA'],
  [
    'location_verification_422.3',
    locationVerification,
    { ...located, maxAge: 60 },
    422,
    'LOCATION_VERIFICATION.UNABLE_TO_FULFILL_MAX_AGE',
  ],
  ['location_verification_422.4', locationVerification, located, 422, 'LOCATION_VERIFICATION.UNABLE_TO_LOCATE'],
  ['its documents', locationVerification, { ...located, maxAge: 0 }, 400, 'OUT_OF_RANGE'],
  ['its documents', numberRecycling, { phoneNumber, specifiedDate: '2020-01-01' }, 400, 'OUT_OF_RANGE'],
  ['its documents', kycMatch, { phoneNumber, name: 'A' }, 400, 'KNOW_YOUR_CUSTOMER.INVALID_PARAM_COMBINATION'],
] as const

for (const [id, call, sent, status, code] of refusals) {
  test(`${status} ${code} of the operator of ${call.path} reaches the client (${id})`, async (t) => {
    const answer = await asked(t, { ...call, reply: { status, body: { status, code, message: 'no' } } }, sent)
    assert.deepEqual([answer.status, answer.body.status, answer.body.code], [status, status, code])
    assert.ok(answer.body.message.length > 20)
  })
}

test('a code of another API is none of this one', async (t) => {
  for (const [code, status, expected] of [
    ['KNOW_YOUR_CUSTOMER.INVALID_PARAM_COMBINATION', 503, 'UNAVAILABLE'],
    ['constructor', 503, 'UNAVAILABLE'],
  ] as const) {
    const reply = { status: 422, body: { status: 422, code, message: 'no' } }
    const { body } = await asked(t, { ...locationVerification, reply }, located)
    assert.deepEqual([body.status, body.code], [status, expected])
  }
  const reply = { status: 400, body: { status: 400, code: 'OUT_OF_RANGE', message: 'no' } }
  const { body } = await asked(t, { ...kycMatch, reply }, { phoneNumber, birthdate: '1800-01-01' })
  assert.deepEqual([body.status, body.code], [422, 'SERVICE_NOT_APPLICABLE'], 'KYC match has no OUT_OF_RANGE')
  assert.match(body.message, /KYC match check with these parameters: send other values/)
})

for (const [path, scope, field, checks] of [
  [
    '/sim-swap/v2/retrieve-date',
    'sim-swap:retrieve-date',
    'latestSimChange',
    { simSwap: { calls: ['retrieve-date'] } },
  ],
  [
    '/device-swap/v1/retrieve-date',
    'device-swap:retrieve-date',
    'latestDeviceChange',
    { deviceSwap: { calls: ['retrieve-date'] } },
  ],
] as const) {
  test(`${path} passes on that the operator states no date, and an impossible one is no null`, async (t) => {
    const ask = (body: object) => asked(t, { path, scope, checks, reply: { body } }, { phoneNumber })
    const none = await ask({ [field]: null })
    assert.deepEqual([none.status, none.body], [200, { [field]: null }])
    const period = await ask({ [field]: null, monitoredPeriod: 120 })
    assert.deepEqual([period.status, period.body], [200, { [field]: null, monitoredPeriod: 120 }])
    for (const wrong of [{}, { [field]: '1900-01-01T00:00:00Z' }, { [field]: '' }]) {
      const { status, body } = await ask(wrong)
      assert.deepEqual([status, body.code], [503, 'UNAVAILABLE'], JSON.stringify(wrong))
    }
  })
}

test('a check of an operator that states no date has no result', async (t) => {
  const checks = { simSwap: { calls: ['retrieve-date'] } }
  const { status, body } = await asked(
    t,
    { ...simSwap, checks, reply: { body: { latestSimChange: null } } },
    { phoneNumber },
  )
  assert.deepEqual([status, body.code], [503, 'UNAVAILABLE'])
})

test('501 of the operator stays 501 NOT_IMPLEMENTED, and 422 SERVICE_NOT_APPLICABLE stays that', async (t) => {
  for (const [reply, status, code] of [
    [{ status: 501, body: { status: 501, code: 'NOT_IMPLEMENTED', message: 'no' } }, 501, 'NOT_IMPLEMENTED'],
    [{ status: 501, body: '' }, 501, 'NOT_IMPLEMENTED'],
    [
      { status: 422, body: { status: 422, code: 'SERVICE_NOT_APPLICABLE', message: 'no' } },
      422,
      'SERVICE_NOT_APPLICABLE',
    ],
  ] as const) {
    const answer = await asked(t, { ...simSwap, checks: { simSwap: {} }, reply }, { phoneNumber })
    assert.deepEqual([answer.status, answer.body.status, answer.body.code], [status, status, code])
  }
})
