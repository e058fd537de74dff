import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Decision } from '@ringfence/contract'
import { tokenCalls } from '../../sign-in/tokens/testing.ts'
import { eachDatabase } from '../../testing/databases.ts'
import { createApp } from '../../testing/sdk-client.ts'
import { startTestService, type TestService } from '../../testing/test-service.ts'
import { decisionCalls } from '../testing.ts'

const ordinaryNumber = '917020141726'
const swappedNumber = '917020140110'
const swapped100HoursAgo = '917020140111'

const identity = (identityType: 'MOBILE' | 'EMAIL', identityValue: string, verified = true) => ({
  identityType,
  identityValue,
  channel: 'OTP',
  methods: [identityType === 'MOBILE' ? 'SMS' : 'EMAIL'],
  verified,
  ...(verified && { verifiedAt: '2026-03-01T11:59:58Z' }),
})

/** A decision whose action is CHALLENGE. */
async function challenged(service: TestService, body: object): Promise<Decision> {
  const { decide, publish } = decisionCalls(service)
  await publish([{ id: 'always', name: 'Always', when: 'action == "PAYMENT"', action: 'CHALLENGE', score: 10 }])
  const { body: decision } = await decide({ action: 'PAYMENT', ...body })
  assert.equal(decision.action, 'CHALLENGE')
  return decision
}

eachDatabase(({ engine, open }) => {
  test(`a later sign-in of the same user passes a challenge, once and permanently (${engine})`, async (t) => {
    const service = await startTestService(t, await open(t))
    const { passChallenge, read } = decisionCalls(service)
    const { issue } = tokenCalls(service)
    const { decisionId, challenge } = await challenged(service, {
      userId: 'u-1',
      phoneNumber: ordinaryNumber,
      email: 'u@shop.example',
    })
    assert.deepEqual(challenge, {
      state: 'open',
      identityTypes: ['MOBILE', 'EMAIL'],
      expiresAt: '2026-03-01T12:10:01.000Z',
    })
    service.clock.advance({ seconds: 30 })
    const token = await issue({ userId: 'u-1', identities: [identity('MOBILE', ordinaryNumber)] })
    const both = await Promise.all([passChallenge(decisionId, token), passChallenge(decisionId, token)])
    for (const { status, body } of both) {
      assert.equal(status, 200, JSON.stringify(body))
      assert.equal(body.challenge.state, 'passed')
      assert.equal(body.challenge.passedAt, '2026-03-01T12:00:31.000Z')
      assert.equal(body.action, 'CHALLENGE', 'the decision stays as it was made')
    }
    service.clock.advance({ hours: 1 })
    assert.equal((await read(decisionId)).body.challenge.state, 'passed', 'also after its time')
  })

  test(`refuses a sign-in of before, of somebody else, or without a verified identity (${engine})`, async (t) => {
    const service = await startTestService(t, await open(t))
    const { passChallenge, read } = decisionCalls(service)
    const { issue } = tokenCalls(service)
    const stolen = await issue({ userId: 'u-1', identities: [identity('EMAIL', 'u@shop.example')] })
    service.clock.advance({ seconds: 1 })
    const { decisionId } = await challenged(service, {
      userId: 'u-1',
      phoneNumber: ordinaryNumber,
      email: 'u@shop.example',
    })
    service.clock.advance({ seconds: 1 })
    const refusedWith = async (token: string, pattern: RegExp) => {
      const { status, body } = await passChallenge(decisionId, token)
      assert.equal(status, 400)
      assert.equal(body.errorCode, '70016')
      assert.match(body.description, pattern)
    }
    await refusedWith(stolen, /signed in before the decision/)
    await refusedWith('rft_rubbish', /unknown, used up or revoked/)
    const attacker = await issue({ userId: 'attacker', identities: [identity('MOBILE', '917020141799')] })
    await refusedWith(attacker, /not of the user of the decision/)
    const unverified = await issue({ userId: 'u-1', identities: [identity('MOBILE', ordinaryNumber, false)] })
    await refusedWith(unverified, /no verified identity/)
    service.clock.advance({ seconds: 600 })
    assert.equal((await read(decisionId)).body.challenge.state, 'expired')
    const late = await issue({ userId: 'u-1', identities: [identity('MOBILE', ordinaryNumber)] })
    await refusedWith(late, /expired; make another decision/)
  })

  test(`whoever chose the number or email address of a decision cannot pass it as somebody else (${engine})`, async (t) => {
    const service = await startTestService(t, await open(t))
    const { passChallenge } = decisionCalls(service)
    const { issue } = tokenCalls(service)
    const own = { phoneNumber: '917020141799', email: 'Own@shop.example' }
    const ofVictim = await challenged(service, { userId: 'victim', ...own })
    const ofNobody = [await challenged(service, own), await challenged(service, own)]
    const [byNumber, byEmail] = await Promise.all([
      issue({ userId: 'attacker', identities: [identity('MOBILE', own.phoneNumber)] }),
      issue({ userId: 'attacker', identities: [identity('EMAIL', 'own@Shop.example')] }),
    ])
    for (const token of [byNumber, byEmail]) {
      const { status, body } = await passChallenge(ofVictim.decisionId, token)
      assert.equal(status, 400)
      assert.match(body.description, /not of the user of the decision/)
    }
    for (const [index, token] of [byNumber, byEmail].entries()) {
      const { status } = await passChallenge(ofNobody[index]!.decisionId, token)
      assert.equal(status, 200, 'a decision without a user')
    }
  })

  test(`a sign-in passes one challenge, so that no other decision rides along (${engine})`, async (t) => {
    const service = await startTestService(t, await open(t))
    const { decide, passChallenge, read } = decisionCalls(service)
    const { issue } = tokenCalls(service)
    const shown = await challenged(service, { userId: 'u-1', email: 'u@shop.example', params: { amount: 5 } })
    const hidden = (
      await decide({ action: 'PAYMENT', userId: 'u-1', email: 'u@shop.example', params: { amount: 5000 } })
    ).body
    const signIn = () => issue({ userId: 'u-1', identities: [identity('EMAIL', 'u@shop.example')] })
    const ids: [string, string] = [shown.decisionId, hidden.decisionId]
    const token = await signIn()
    const passed = await Promise.all(ids.map((id) => passChallenge(id, token)))
    assert.deepEqual(passed.map(({ status }) => status).toSorted(), [200, 400])
    const place = passed.findIndex(({ status }) => status === 400)
    assert.match(passed[place]!.body.description, /passed another challenge; sign in once more/)
    assert.equal((await passChallenge(ids[1 - place]!, token)).status, 200, 'a repeated call is a success')
    assert.equal((await read(ids[place]!)).body.challenge.state, 'open')
    assert.equal((await passChallenge(ids[place]!, await signIn())).status, 200)
  })

  test(`a code to a number whose SIM was swapped passes nothing (${engine})`, async (t) => {
    const service = await startTestService(t, await open(t))
    const { passChallenge } = decisionCalls(service)
    const { issue } = tokenCalls(service)
    const body = { userId: 'u-1', phoneNumber: swappedNumber, email: 'u@shop.example', checks: ['simSwap'] }
    const { decisionId, challenge } = await challenged(service, body)
    assert.deepEqual(challenge!.identityTypes, ['EMAIL'])
    const byThief = await issue({ userId: 'u-1', identities: [identity('MOBILE', swappedNumber)] })
    assert.equal((await passChallenge(decisionId, byThief)).status, 400)
    // Number Verification proves the new SIM.
    const silently = { ...identity('MOBILE', swappedNumber), channel: 'SILENT_AUTH', methods: ['SILENT_AUTH'] }
    const byNewSim = await issue({ userId: 'u-1', identities: [silently] })
    assert.equal((await passChallenge(decisionId, byNewSim)).status, 400)
    const byEmail = await issue({ userId: 'u-1', identities: [identity('EMAIL', 'u@shop.example')] })
    assert.equal((await passChallenge(decisionId, byEmail)).status, 200)
  })

  test(`a swap that is stored keeps codes away, also when the decision asks about a shorter window (${engine})`, async (t) => {
    const service = await startTestService(t, await open(t))
    const { decide, publish } = decisionCalls(service)
    await createApp(service)
    const when = 'action == "PAYMENT" and not telecom.simSwap.swapped'
    await publish([{ id: 'always', name: 'Always', when, action: 'CHALLENGE', score: 10 }])
    const body = { userId: 'u-1', phoneNumber: swapped100HoursAgo, email: 'u@shop.example', checks: ['simSwap'] }
    assert.equal((await decide(body)).body.phone.simSwap.swapped, true)
    service.clock.advance({ seconds: 600 })
    const { phone, challenge } = (await decide({ ...body, action: 'PAYMENT', simSwapMaxAgeHours: 24 })).body
    assert.deepEqual([phone.simSwap.swapped, phone.simSwap.maxAgeHours], [false, 24])
    assert.deepEqual(challenge.identityTypes, ['EMAIL'])
  })

  test(`without a userId, only the number and email address of the request can pass (${engine})`, async (t) => {
    const service = await startTestService(t, await open(t))
    const { decide, passChallenge } = decisionCalls(service)
    const typesFor = async (body: object) => (await challenged(service, body)).challenge!.identityTypes
    assert.deepEqual(await typesFor({ phoneNumber: ordinaryNumber }), ['MOBILE'])
    assert.deepEqual(await typesFor({ email: 'u@shop.example' }), ['EMAIL'])
    const body = { action: 'PAYMENT', phoneNumber: swappedNumber, checks: ['simSwap'] }
    const { decisionId, action } = (await decide(body)).body
    assert.equal(action, 'REVIEW', 'nobody could pass a challenge')
    const token = await tokenCalls(service).issue({ userId: 'u-1', identities: [identity('EMAIL', 'u@shop.example')] })
    assert.match((await passChallenge(decisionId, token)).body.description, /action of the decision is not CHALLENGE/)
  })

  test(`a decision without a challenge has none to pass (${engine})`, async (t) => {
    const service = await startTestService(t, await open(t))
    const { decide, passChallenge } = decisionCalls(service)
    const { decisionId } = (await decide({ userId: 'u-1' })).body
    const { body } = await passChallenge(decisionId, 'rft_any')
    assert.match(body.description, /action of the decision is not CHALLENGE/)
    assert.equal((await passChallenge('019ab000-0000-7000-8000-000000000000', 'rft_any')).status, 404)
  })
})
