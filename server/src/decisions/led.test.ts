// What does a decision say about a customer who may be led through a payment? With the default rules, as a backend asks over HTTP.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { AndroidFacts, Decision } from '@ringfence/contract'
import { androidPhone } from '../device/testdata/phones.ts'
import { eachDatabase } from '../testing/databases.ts'
import { newInstallationKey } from '../testing/installation-key.ts'
import { createApp, sdkClient } from '../testing/sdk-client.ts'
import { startTestService, type TestService } from '../testing/test-service.ts'
import { decisionCalls } from './testing.ts'

const call: AndroidFacts = { audioMode: 2 }
const sharedScreen: AndroidFacts = { screenCapture: { isMirrored: false, isRecorded: true } }
const remoteAccess: AndroidFacts = { remoteAccessApps: ['com.example.remote'] }
const passwords: AndroidFacts = { accessibilityServices: ['com.example.passwords'] }
const overlay: AndroidFacts = { touch: { isObscured: true, isPartiallyObscured: true } }
const newPayee = { newPayee: true, amount: 400 }
const unusualAmount = { unusualAmount: true, amount: 4000 }

/** Asha's phone, on which something is while she pays. */
async function phoneOf(service: TestService) {
  const app = await createApp(service)
  const key = newInstallationKey()
  const { decide } = decisionCalls(service)
  return async (during: AndroidFacts, params: object): Promise<Decision> => {
    const client = await sdkClient(service, { app, platform: 'ANDROID', key })
    const { dfrId } = await client.fingerprint({ ...androidPhone().facts, ...during })
    const who = { userId: 'asha', phoneNumber: '917020141726', email: 'asha@shop.example' }
    const { status, body } = await decide({ action: 'PAYMENT', ...who, dfrId, params })
    assert.equal(status, 200, JSON.stringify(body))
    return body as Decision
  }
}

eachDatabase(({ engine, open }) => {
  test(`a new or unusual payment with a call or shared screen is a challenge, and with one more sign waits for a person (${engine})`, async (t) => {
    const pays = await phoneOf(await startTestService(t, await open(t)))
    const held = [
      await pays({ ...call, ...sharedScreen }, newPayee),
      await pays({ ...call, ...remoteAccess }, newPayee),
      await pays({ ...sharedScreen, ...remoteAccess }, unusualAmount),
      await pays(call, { ...newPayee, ...unusualAmount }),
      await pays(
        { ...call, ...sharedScreen, ...remoteAccess, ...passwords, ...overlay },
        { ...newPayee, ...unusualAmount },
      ),
    ]
    for (const { action, rules, review } of held) {
      assert.deepEqual([action, rules.decisive, review?.state], ['REVIEW', 'led-payment', 'open'])
    }
    for (const decision of [await pays(call, newPayee), await pays(sharedScreen, unusualAmount)]) {
      const { action, rules, challenge, message } = decision
      assert.deepEqual([action, rules.decisive, challenge?.state], ['CHALLENGE', 'payment-during-call', 'open'])
      assert.match(message!, /stop: it may be a scam/)
    }
  })

  test(`callers, users of accessibility services and of remote access for work go on (${engine})`, async (t) => {
    const pays = await phoneOf(await startTestService(t, await open(t)))
    const allowed = [
      await pays(call, { amount: 900 }),
      await pays({ ...call, ...sharedScreen, ...remoteAccess }, { amount: 900, newPayee: false }),
      await pays(remoteAccess, { ...newPayee, ...unusualAmount }),
      await pays({ ...passwords, ...overlay }, { ...newPayee, ...unusualAmount }),
      await pays({}, { ...newPayee, ...unusualAmount }),
    ]
    for (const { action, rules, reasons } of allowed) {
      assert.deepEqual([action, rules.fired], ['ALLOW', []], JSON.stringify(reasons))
    }
  })

  test(`what is on the phone weighs a little in the score, and leaves no trace on the device (${engine})`, async (t) => {
    const pays = await phoneOf(await startTestService(t, await open(t)))
    const codesOf = ({ reasons }: Decision) => reasons.map(({ code }) => code).toSorted()
    const usual = await pays({}, { amount: 900 })
    const busy = await pays({ ...call, ...overlay }, { amount: 900 })
    assert.deepEqual(codesOf(busy), ['ACTIVE_CALL', 'OVERLAY'])
    assert.ok(busy.score < 10 && busy.device?.sessionRiskScore === 0)
    const later = await pays({}, { amount: 900 })
    assert.deepEqual([codesOf(later), later.device?.deviceRiskScore], [[], 0], 'an earlier call says nothing')
    assert.deepEqual(usual.rules.fired, later.rules.fired)
  })
})
