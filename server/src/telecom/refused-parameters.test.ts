// Does a caller learn what the operator of a number supports, when it does not answer for this window or with these parameters?

import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { sqliteDatabases } from '../testing/databases.ts'
import { startTestService } from '../testing/test-service.ts'
import { type Reply, scriptedUpstream } from '../upstream/testing/scripted-upstream.ts'
import { askedBy, camaraOf } from './connectors/testing/scripted-operator.ts'

const ordinary = '917020141726'
const [simSwapPath, checksPath] = ['/v1/telecom/sim-swap-check', '/v1/telecom/checks'] as const

async function serviceWith(t: TestContext, connector: object, operator: object = {}) {
  return startTestService(t, await sqliteDatabases.open(t), { edit: askedBy(connector, operator) })
}

const monitored = (days: number) => ({ body: { latestSimChange: null, monitoredPeriod: days } })
const tooFar = { status: 400, body: { status: 400, code: 'OUT_OF_RANGE', message: 'too far' } }
const windows: [title: string, reply: Reply, operator: object, says: string][] = [
  ['the limit is configured', {}, { simSwap: { limitHours: 120 } }, 'looks back at most 120 hours'],
  ['the monitored period is the limit', monitored(5), {}, 'looks back at most 120 hours'],
  ['the limit is not known', tooFar, {}, 'looks back less far: ask about a shorter time'],
  ['no day is monitored', monitored(0), {}, 'looks back less far: ask about a shorter time'],
]

for (const [title, reply, operator, says] of windows) {
  test(`P7312 and P7342 say that the operator ${says}, when ${title}`, async (t) => {
    const calls = { simSwap: { calls: ['retrieve-date'] } }
    const checks = reply === tooFar ? { simSwap: {} } : calls
    const { post } = await serviceWith(t, await camaraOf(t, () => reply, checks), operator)
    const { status, body } = await post(simSwapPath, { phoneNumber: ordinary, maxAge: 240 })
    const description = `The operator of the phone number ${says}`
    assert.deepEqual([status, body.errorCode, body.description], [400, 'P7312', description])
    const listed = await post(checksPath, { phoneNumber: ordinary, checks: { simSwap: { maxAge: 240 } } })
    const { errorCode, description: same } = listed.body.checks.simSwap.error
    assert.deepEqual([errorCode, same], ['P7312', description])
  })
}

test('a device swap window that the operator refuses is P7342, in the words of P7312', async (t) => {
  const limited = await serviceWith(t, await camaraOf(t, () => tooFar, { deviceSwap: {} }), {
    deviceSwap: { limitHours: 168 },
  })
  const described = async ({ post }: typeof limited, maxAge: number) => {
    const { body } = await post(checksPath, { phoneNumber: ordinary, checks: { deviceSwap: { maxAge } } })
    const { errorCode, description } = body.checks.deviceSwap.error
    return [errorCode, description]
  }
  const expected = (says: string) => ['P7342', `The operator of the phone number ${says}`]
  assert.deepEqual(await described(limited, 169), expected('looks back at most 168 hours'))
  assert.deepEqual(await described(limited, 168), expected('looks back less far: ask about a shorter time'))
})

test('a vendor that answers for one window only is refused with that window, longer or shorter', async (t) => {
  const last = { last_sim_swap_date: null, swapped_period: 'PT48H', swapped_in_period: false }
  const { url } = await scriptedUpstream(t, () => ({
    body: { sim_swap: { last_sim_swap: last, error_code: null } },
  }))
  const twilio = { type: 'twilio-lookup', baseUrl: url, accountSid: 'AC1', authToken: { env: 'SANDBOX_SECRET' } }
  const { post } = await serviceWith(t, twilio)
  for (const maxAge of [24, 240]) {
    const { status, body } = await post(simSwapPath, { phoneNumber: ordinary, maxAge })
    assert.deepEqual(
      [status, body.errorCode, body.description],
      [400, 'P7312', 'The operator of the phone number answers for a window of 48 hours only: send maxAge 48'],
    )
  }
  const { body } = await post(simSwapPath, { phoneNumber: ordinary, maxAge: 48 })
  assert.equal(body.swapped, false)
})

const circle = { latitude: 52.5, longitude: 13.4, radius: 10, maxAgeSeconds: 60 }
const refusedParameters = [
  ['locationVerification', circle, 422, 'LOCATION_VERIFICATION.INVALID_AREA', 'send another area, such as a larger'],
  ['locationVerification', circle, 422, 'LOCATION_VERIFICATION.AREA_NOT_COVERED', 'send an area that its network'],
  ['locationVerification', circle, 422, 'LOCATION_VERIFICATION.UNABLE_TO_FULFILL_MAX_AGE', 'allow an older location'],
  ['locationVerification', circle, 400, 'OUT_OF_RANGE', 'allow an older location'],
  ['numberRecycling', { since: '2020-01-01' }, 400, 'OUT_OF_RANGE', 'send a later date'],
  ['tenure', { since: '2020-01-01' }, 400, 'OUT_OF_RANGE', 'send a later date'],
  ['kycMatch', { name: 'Asha' }, 400, 'KNOW_YOUR_CUSTOMER.INVALID_PARAM_COMBINATION', 'send other fields'],
  ['kycMatch', { birthdate: '1800-01-01' }, 400, 'OUT_OF_RANGE', 'send other values'],
] as const

for (const [name, params, status, code, hint] of refusedParameters) {
  test(`${code} to ${name} is P7343, and says: ${hint}`, async (t) => {
    const body = { status, code, message: 'no' }
    const { post } = await serviceWith(t, await camaraOf(t, () => ({ status, body }), { [name]: {} }))
    const answer = await post(checksPath, { phoneNumber: ordinary, checks: { [name]: params } })
    const { errorCode, message, description } = answer.body.checks[name].error
    assert.deepEqual([errorCode, message], ['P7343', 'Parameters not supported for operator'])
    assert.match(description, new RegExp(`check with these parameters: ${hint}`))
  })
}

test('a device that the network cannot locate is a failed check, with no word about parameters', async (t) => {
  const body = { status: 422, code: 'LOCATION_VERIFICATION.UNABLE_TO_LOCATE', message: 'no' }
  const { post } = await serviceWith(t, await camaraOf(t, () => ({ status: 422, body }), { locationVerification: {} }))
  const answer = await post(checksPath, { phoneNumber: ordinary, checks: { locationVerification: circle } })
  assert.equal(answer.body.checks.locationVerification.error.errorCode, 'P7344')
})

test('a code that an object has by inheritance is no refusal', async (t) => {
  const body = { status: 422, code: 'constructor', message: 'no' }
  const { post } = await serviceWith(t, await camaraOf(t, () => ({ status: 422, body }), { tenure: {} }))
  const answer = await post(checksPath, { phoneNumber: ordinary, checks: { tenure: { since: '2020-01-01' } } })
  assert.equal(answer.body.checks.tenure.error.errorCode, 'P7344')
})
