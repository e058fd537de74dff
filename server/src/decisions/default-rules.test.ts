// What do the default rules say of the parts of a decision that contradict each other, or that nobody knows?

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Decision, endpoints } from '@ringfence/contract'
import { combined } from '../device/scores/combine.ts'
import { browserClient, ordinaryFacts } from '../device/testdata/ordinary-report.ts'
import { recorded } from '../device/testdata/recordings.ts'
import { login, tokenCalls } from '../sign-in/tokens/testing.ts'
import { eachDatabase } from '../testing/databases.ts'
import { sdkClient } from '../testing/sdk-client.ts'
import { startTestService } from '../testing/test-service.ts'
import { decisionCalls } from './testing.ts'

const ordinaryNumber = '917020141726'
const swappedNumber = '917020140110'

eachDatabase(({ engine, open }) => {
  test(`blocks contradicting parts, challenges unknown ones, and lets an ordinary session pass (${engine})`, async (t) => {
    const service = await startTestService(t, await open(t))
    const { decide } = decisionCalls(service)
    const sdk = await browserClient(service)
    const fingerprintOf = async (updateInfo: object) => {
      const { requestId } = await sdk.analyse(ordinaryFacts, { updateInfo })
      return (await sdk.post(endpoints.pushFingerprint.path, sdk.pushBody(requestId))).body.dfrId
    }
    const dfrId = await fingerprintOf({ userId: 'ada', phoneNumber: ordinaryNumber })
    const token = await tokenCalls(service).issue({ ...login, userId: 'ada' })
    const decided = async (body: object) => {
      const { action, rules, reasons, score } = (await decide(body)).body as Decision
      assert.equal(
        score,
        combined(
          reasons.map(({ weight }) => ({ weight: weight / 100 })),
          100,
        ),
      )
      return [action, rules.decisive, reasons.find(({ code }) => code !== 'RULE')?.code]
    }
    const ada = { userId: 'ada', phoneNumber: ordinaryNumber }
    assert.deepEqual((await decided({ ...ada, token, dfrId }))[0], 'ALLOW')
    const contradicting = 'contradicting-parts'
    assert.deepEqual(await decided({ userId: 'eve', token }), [
      'BLOCK',
      'login-of-another-user',
      'LOGIN_OF_ANOTHER_USER',
    ])
    assert.deepEqual(await decided({ userId: 'eve', dfrId }), ['BLOCK', contradicting, 'DEVICE_OF_ANOTHER_USER'])
    assert.deepEqual(await decided({ phoneNumber: '917020141727', dfrId }), [
      'BLOCK',
      contradicting,
      'DEVICE_OF_ANOTHER_NUMBER',
    ])
    assert.deepEqual(await decided({ ...ada, token: 'rft_x' }), ['CHALLENGE', 'unknown-parts', 'TOKEN_INVALID'])
    assert.deepEqual(await decided({ ...ada, dfrId: 'x' }), ['CHALLENGE', 'unknown-parts', 'DEVICE_UNKNOWN'])
    assert.deepEqual(await decided({ phoneNumber: swappedNumber, dfrId: 'x' }), [
      'BLOCK',
      'swapped-sim-new-device',
      'SIM_SWAPPED',
    ])
    service.clock.advance({ seconds: 3601 })
    assert.deepEqual(await decided({ ...ada, dfrId }), ['CHALLENGE', 'unknown-parts', 'DEVICE_REPORT_EXPIRED'])
  })

  test(`challenges a device that is new to the account, and blocks it when the SIM was swapped (${engine})`, async (t) => {
    const service = await startTestService(t, await open(t))
    const { decide } = decisionCalls(service)
    const own = (await (await browserClient(service)).fingerprint(ordinaryFacts)).dfrId
    const of = async (body: object) => {
      const { action, rules, reasons } = (await decide({ userId: 'ada', email: 'ada@shop.example', ...body }))
        .body as Decision
      return [action, rules.decisive, reasons.map(({ code }) => code)]
    }
    assert.equal((await of({ dfrId: own }))[0], 'ALLOW', 'the first session of the account')
    const confirmed = { dfrId: own, deviceType: 'WEB', userId: 'ada' }
    assert.equal((await service.post(endpoints.deviceFingerprint.path, confirmed)).status, 200)
    service.clock.advance({ seconds: 86_400 })
    const { facts, headers } = recorded('firefox-ordinary')
    const other = await sdkClient(service, { headers: { 'user-agent': headers['user-agent']! } })
    const { dfrId } = await other.fingerprint(facts)
    assert.deepEqual(await of({ dfrId }), ['CHALLENGE', 'new-device-for-account', ['NEW_DEVICE_FOR_ACCOUNT', 'RULE']])
    assert.deepEqual(await of({ dfrId, phoneNumber: swappedNumber }), [
      'BLOCK',
      'swapped-sim-new-device',
      ['SIM_SWAPPED', 'NEW_DEVICE_FOR_ACCOUNT', 'RULE'],
    ])
  })

  test(`rules read the score that the reasons make, with the answers of operators (${engine})`, async (t) => {
    const service = await startTestService(t, await open(t))
    const { decide, publish } = decisionCalls(service)
    await publish([
      { id: 'band', name: 'Band', when: 'score > 50 and telecom.simSwap.swapped', action: 'BLOCK', score: 1 },
      { id: 'low', name: 'Low', when: 'score <= 50', action: 'WARN', score: 1 },
    ])
    const fired = async (body: object) => ((await decide(body)).body as Decision).rules.fired
    assert.deepEqual(await fired({ phoneNumber: swappedNumber }), ['band'])
    assert.deepEqual(await fired({ phoneNumber: ordinaryNumber }), ['low'])
  })
})
