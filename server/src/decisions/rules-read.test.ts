import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Decision, endpoints } from '@ringfence/contract'
import { ruleSetOf } from '../rules/rule-set.ts'
import { identity, tokenCalls } from '../sign-in/tokens/testing.ts'
import { eachDatabase } from '../testing/databases.ts'
import { ordinaryFacts, sdkClient } from '../testing/sdk-client.ts'
import { startTestService, type TestService } from '../testing/test-service.ts'
import { decisionCalls } from './testing.ts'

const rule = (id: string, when: string, action: 'WARN' | 'REVIEW' | 'CHALLENGE' | 'BLOCK' = 'WARN') => ({
  id,
  name: id,
  when,
  action,
  score: 10,
})

/** Makes this rule set decide, with whatever it declares. */
async function publish({ parts: needs, tenantId, clock }: TestService, ruleSet: object) {
  const version = await needs.rules.draft(tenantId, ruleSetOf(ruleSet), { by: 'test' })
  await needs.rules.live(tenantId, version, { by: 'test' }, { untried: true })
  clock.advance({ seconds: 1 })
}

eachDatabase(({ engine, open }) => {
  test(`rules read velocities of one's own, this decision included, and a retry counts once (${engine})`, async (t) => {
    const service = await startTestService(t, await open(t))
    const { decide } = decisionCalls(service)
    await publish(service, {
      velocity: {
        payments: { count: 'decisions', per: 'user', within: '24h' },
        cards: { distinct: 'params.card', per: 'user', within: '1h' },
      },
      rules: [rule('third-payment', 'velocity.payments >= 3'), rule('two-cards', 'velocity.cards >= 2', 'BLOCK')],
    })
    const pay = async (card: string, headers = {}) =>
      ((await decide({ userId: 'u', params: { card } }, headers)).body as Decision).rules.fired
    assert.deepEqual(await pay('a', { 'idempotency-key': '1' }), [])
    assert.deepEqual(await pay('a', { 'idempotency-key': '1' }), [], 'the same again')
    assert.deepEqual(await pay('a'), [])
    assert.deepEqual(await pay('a'), ['third-payment'])
    assert.deepEqual(await pay('b'), ['third-payment', 'two-cards'])
    service.clock.advance({ hours: 2 })
    assert.deepEqual(await pay('c'), ['third-payment'], 'the cards have left their window')
    const other = (await decide({ userId: 'another', params: { card: 'b' } })).body as Decision
    assert.deepEqual(other.rules.fired, [])
  })

  test(`an operator is called where a velocity leaves a rule open (${engine})`, async (t) => {
    const service = await startTestService(t, await open(t))
    const { decide } = decisionCalls(service)
    await publish(service, {
      velocity: { payments: { count: 'decisions', per: 'phoneNumber', within: '24h' } },
      rules: [rule('swap', 'velocity.payments >= 2 and telecom.simSwap.swapped', 'BLOCK')],
    })
    const body = { phoneNumber: '917020140110' }
    const first = (await decide(body)).body as Decision
    assert.equal(first.phone?.simSwap, undefined, 'not called')
    const second = (await decide(body)).body as Decision
    assert.equal(second.action, 'BLOCK')
  })

  test(`a token that a page made up does not keep an operator from being called (${engine})`, async (t) => {
    const service = await startTestService(t, await open(t))
    const { decide } = decisionCalls(service)
    await publish(service, {
      rules: [rule('swap', 'telecom.simSwap.swapped and not missing.everything', 'BLOCK')],
    })
    const { body } = await decide({ phoneNumber: '917020140110', token: `rft_${'x'.repeat(43)}` })
    assert.deepEqual(body.missing, [{ what: 'login', why: 'unknown' }])
    assert.deepEqual([body.action, body.phone.simSwap?.swapped], ['BLOCK', true])
    const known = await decide({ phoneNumber: '917020140110' })
    assert.equal(known.body.action, 'BLOCK', 'as without a token')
  })

  test(`a velocity of operators calls for the operator of each decision that it counts (${engine})`, async (t) => {
    const service = await startTestService(t, await open(t))
    const { decide } = decisionCalls(service)
    await publish(service, {
      velocity: {
        operators: { distinct: 'telecom.operator', per: 'user', within: '24h', when: 'action == "SIGNUP"' },
      },
      rules: [rule('many-operators', 'velocity.operators >= 2 and params.amount > 100', 'BLOCK')],
    })
    const of = async (phoneNumber: string, more: object = {}) =>
      (await decide({ action: 'SIGNUP', userId: 'u', phoneNumber, ...more })).body as Decision
    const first = await of('917020141726')
    assert.ok(first.phone?.portability, 'called, though the rule cannot fire without an amount')
    assert.equal((await of('61491570159', { action: 'LOGIN' })).phone?.portability, undefined, 'it does not count')
    const second = await of('61491570159', { params: { amount: 101 } })
    assert.notEqual(second.phone!.phoneDetail.operator, first.phone.phoneDetail.operator)
    assert.deepEqual(second.rules.fired, ['many-operators'])
  })

  test(`a rule that reads whether the operator is new calls for it, once anything can be new (${engine})`, async (t) => {
    const service = await startTestService(t, await open(t))
    const { decide } = decisionCalls(service)
    const { issue } = tokenCalls(service)
    await publish(service, { rules: [rule('other-operator', 'account.newOperator', 'CHALLENGE')] })
    const phoneNumber = '917020141726'
    const portability = async () => {
      const { phone } = (await decide({ userId: 'u', phoneNumber })).body as Decision
      return phone?.portability?.ported
    }
    assert.equal(await portability(), undefined, 'nothing can be new to an account without sessions')
    for (let day = 0; day < 3; day++) {
      service.clock.advance({ hours: 24 })
      const token = await issue({ userId: 'u', identities: [identity] })
      await decide({ userId: 'u', token })
    }
    assert.equal(await portability(), false)
  })

  test(`what an account is used to is learned from proven sessions only (${engine})`, async (t) => {
    const service = await startTestService(t, await open(t), { settings: { trustedProxies: '127.0.0.1' } })
    const { decide } = decisionCalls(service)
    const { issue } = tokenCalls(service)
    const accountOf = async (body: object) => ((await decide({ userId: 'u', ...body })).body as Decision).account!
    const identities = [
      {
        identityType: 'EMAIL',
        identityValue: 'u@shop.example',
        channel: 'OTP',
        methods: ['EMAIL'],
        verified: true,
        verifiedAt: '2026-03-01T11:59:58Z',
      },
    ]
    assert.equal((await accountOf({ ip: '49.36.128.1' })).sessions, 0, 'nothing is known')
    assert.equal((await accountOf({ ip: '49.36.128.1' })).sessions, 0, 'naming a user proves nothing')
    for (let day = 0; day < 6; day++) {
      service.clock.advance({ hours: 24 })
      const token = await issue({ userId: 'u', identities })
      await accountOf({ token, ip: '49.36.128.1' })
    }
    const known = await accountOf({ ip: '49.36.128.1' })
    assert.ok(known.sessions! >= 6)
    assert.equal(known.newCountry, false)
    assert.equal((await accountOf({ ip: '81.2.69.142' })).newCountry, true)
  })

  test(`a bad label withdraws what its decision taught the account (${engine})`, async (t) => {
    const service = await startTestService(t, await open(t), { settings: { trustedProxies: '127.0.0.1' } })
    const { decide } = decisionCalls(service)
    const sdk = await sdkClient(service, { headers: { 'x-forwarded-for': '49.36.128.1' } })
    const { dfrId } = await sdk.fingerprint(ordinaryFacts)
    await publish(service, { rules: [] })
    await service.post(endpoints.deviceFingerprint.path, { dfrId, deviceType: 'WEB', userId: 'u' })
    /** As another session sees the account: a session does not count for itself. */
    const sessions = async () => ((await decide({ userId: 'u' })).body as Decision).account?.sessions
    const { decisionId } = (await decide({ userId: 'u', dfrId })).body as Decision
    assert.equal(await sessions(), 1)
    await service.post(endpoints.labelReports.path, { labels: [{ decisionId, outcome: 'accountTakeover' }] })
    assert.equal(await sessions(), 0)
  })

  test(`REVIEW is the action of the answer and of its event (${engine})`, async (t) => {
    const service = await startTestService(t, await open(t))
    const { decide } = decisionCalls(service)
    await publish(service, { rules: [rule('look', 'params.amount > 1000', 'REVIEW')] })
    const { body } = await decide({ userId: 'u', params: { amount: 1001 } })
    assert.equal(body.action, 'REVIEW')
    assert.deepEqual(body.rules.fired, ['look'])
    const found = async (outcome: string) =>
      (await service.post(endpoints.searchEvents.path, { types: ['decision.created'], outcome })).body.events
    const [event] = await found('REVIEW')
    assert.deepEqual([event.outcome, event.data.action, 'review' in event.data], ['REVIEW', 'REVIEW', false])
    assert.deepEqual(await found('WARN'), [], 'a search for warnings finds only those that wait for nobody')
  })
})
