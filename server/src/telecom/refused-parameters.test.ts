import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { sqliteDatabases } from '../testing/databases.ts'
import { startTestService } from '../testing/test-service.ts'
import { grant, scriptedUpstream } from '../upstream/testing/scripted-upstream.ts'

const ordinary = '917020141726'

/** A service whose operators are all asked by this connector. */
async function serviceWith(t: TestContext, connector: object) {
  return startTestService(t, await sqliteDatabases.open(t), {
    edit: (parts) => ({
      ...parts,
      connectors: { ...parts.connectors, acme: connector as never },
      operators: parts.operators.map((entry) => ({ ...entry, connector: 'acme' })),
    }),
  })
}

test('a vendor that answers for one window only is refused with that window, longer or shorter', async (t) => {
  const last = { last_sim_swap_date: null, swapped_period: 'PT48H', swapped_in_period: false }
  const { url } = await scriptedUpstream(t, () => ({
    body: { sim_swap: { last_sim_swap: last, error_code: null } },
  }))
  const twilio = { type: 'twilio-lookup', baseUrl: url, accountSid: 'AC1', authToken: { env: 'SANDBOX_SECRET' } }
  const { post } = await serviceWith(t, twilio)
  for (const maxAge of [24, 240]) {
    const { status, body } = await post('/v1/telecom/sim-swap-check', { phoneNumber: ordinary, maxAge })
    assert.deepEqual(
      [status, body.errorCode, body.description],
      [400, 'P7312', 'The operator of the phone number supports only a window of 48 hours'],
    )
  }
  const { body } = await post('/v1/telecom/sim-swap-check', { phoneNumber: ordinary, maxAge: 48 })
  assert.equal(body.swapped, false)
})

test('an area that the operator does not accept is a wrong parameter, not a check without support', async (t) => {
  const { url } = await scriptedUpstream(t, ({ path }) => {
    const code = 'LOCATION_VERIFICATION.INVALID_AREA'
    return path === '/oauth2/token' ? grant() : { status: 422, body: { status: 422, code, message: 'too small' } }
  })
  const { post } = await serviceWith(t, {
    type: 'camara',
    baseUrl: url,
    token: {
      endpoint: `${url}/oauth2/token`,
      clientId: 'bank',
      authentication: 'client_secret_basic',
      clientSecret: { env: 'SANDBOX_SECRET' },
    },
    locationVerification: {},
  })
  const checks = { locationVerification: { latitude: 52.5, longitude: 13.4, radius: 10 } }
  const { body } = await post('/v1/telecom/checks', { phoneNumber: ordinary, checks })
  const { error } = body.checks.locationVerification
  assert.deepEqual([error.errorCode, error.message], ['P7343', 'Parameters not supported for operator'])
  assert.match(error.description, /location verification check with these parameters; send others/)
})
