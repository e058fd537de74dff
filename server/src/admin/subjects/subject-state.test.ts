// Does the state of a user, device or number say what its decisions and labels say?

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Decision, endpoints } from '@ringfence/contract'
import { decisionCalls } from '../../decisions/testing.ts'
import { eachDatabase } from '../../testing/databases.ts'
import { ordinaryFacts, sdkClient } from '../../testing/sdk-client.ts'
import { startTestService } from '../../testing/test-service.ts'
import { adminClient } from '../testing.ts'

const phoneNumber = '917020141726'

eachDatabase(({ engine, open }) => {
  const it = (title: string) => `${title} (${engine})`

  test(it('a device with nine chargebacks is bad for 30 days, and unknown without any decision since'), async (t) => {
    const service = await startTestService(t, await open(t))
    const { decide, publish } = decisionCalls(service)
    await publish([{ id: 'none', name: 'None', when: 'params.never', action: 'WARN', score: 1 }])
    const call = await adminClient(service, 'analyst')
    const sdk = await sdkClient(service)
    let deviceId = ''
    for (let session = 0; session < 9; session++) {
      const { dfrId } = await sdk.fingerprint(ordinaryFacts)
      const { device } = (await decide({ userId: 'u', phoneNumber, dfrId })).body as Decision
      deviceId = device?.deviceId || deviceId
      const labelled = await service.post(endpoints.labelReports.path, { labels: [{ dfrId, outcome: 'chargeback' }] })
      assert.equal(labelled.status, 200)
      service.clock.advance({ seconds: 60 })
    }
    const { state } = (await call('readDevice', { deviceId })).body
    assert.deepEqual([state.level, state.badLabels, state.passed], ['bad', 9, 9])
    assert.equal(state.text, 'In 30 days: 9 bad labels, 9 decisions not stopped.')
    service.clock.advance({ hours: 31 * 24 })
    const later = (await call('readDevice', { deviceId })).body.state
    assert.deepEqual([later.level, later.text], ['unknown', 'No decision and no label in 30 days.'])
  })

  test(it('a number is to be watched when a decision about it was stopped, and bad with a bad label'), async (t) => {
    const service = await startTestService(t, await open(t))
    const { decide, publish } = decisionCalls(service)
    await publish([{ id: 'large', name: 'Large', when: 'params.amount > 10', action: 'BLOCK', score: 1 }])
    const call = await adminClient(service, 'analyst')
    const stateOf = async () => (await call('readNumber', { phoneNumber })).body.state
    assert.equal((await stateOf()).level, 'unknown')
    const { decisionId } = (await decide({ userId: 'u', phoneNumber, params: { amount: 1 } })).body as Decision
    assert.equal((await stateOf()).level, 'good')
    await decide({ userId: 'u', phoneNumber, params: { amount: 11 } })
    assert.equal((await stateOf()).text, 'In 30 days: 1 decision stopped, 1 decision not stopped.')
    assert.equal((await stateOf()).level, 'watch')
    await service.post(endpoints.labelReports.path, { labels: [{ decisionId, outcome: 'fraud' }] })
    assert.equal((await stateOf()).level, 'bad')
  })

  test(it('an attacked user is not a bad one: what was stopped is apart, with its labels'), async (t) => {
    const service = await startTestService(t, await open(t))
    const { decide, publish } = decisionCalls(service)
    await publish([{ id: 'large', name: 'Large', when: 'params.amount > 10', action: 'BLOCK', score: 1 }])
    const call = await adminClient(service, 'analyst')
    const stateOf = async () => (await call('readUser', { userId: 'u' })).body.state
    const attack = (await decide({ userId: 'u', params: { amount: 11 } })).body as Decision
    await service.post(endpoints.labelReports.path, {
      labels: [{ decisionId: attack.decisionId, outcome: 'fraud', userId: 'u' }],
    })
    const attacked = await stateOf()
    assert.deepEqual([attacked.level, attacked.badLabels, attacked.refused], ['unknown', 0, 1])
    assert.equal(attacked.text, 'No proven session. Apart from it, 1 attempt stopped in 30 days.')
    const own = (await decide({ userId: 'u', params: { amount: 1 } })).body as Decision
    await service.post(endpoints.labelReports.path, { labels: [{ decisionId: own.decisionId, outcome: 'chargeback' }] })
    const bad = await stateOf()
    assert.deepEqual([bad.level, bad.badLabels, bad.refused], ['bad', 1, 1])
  })
})
