// Does a decision judge one joined session? Who uses a device and a report is what the backend says, and no page can hide it.

import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import type { Decision } from '@ringfence/contract'
import { openDatabase } from '../../core/storage/open-database.ts'
import { browserClient, ordinaryFacts } from '../../device/testdata/ordinary-report.ts'
import { atEnd } from '../../testing/at-end.ts'
import { eachDatabase } from '../../testing/databases.ts'
import { createApp } from '../../testing/sdk-client.ts'
import { startTestService, type TestService } from '../../testing/test-service.ts'
import { decisionCalls } from '../testing.ts'

const codesOf = ({ reasons }: Decision) => reasons.map(({ code }) => code)
const whyMissing = ({ missing }: Decision) => Object.fromEntries(missing.map(({ what, why }) => [what, why]))

eachDatabase(({ engine, open, place }) => {
  const it = (promise: string) => `${promise} (${engine})`

  test(it('the page names nobody while the backend names 12 users of one device'), async (t) => {
    const service = await startTestService(t, await open(t))
    const { decide } = decisionCalls(service)
    const app = await createApp(service)
    const texts: string[] = []
    for (let user = 1; user <= 12; user++) {
      const { dfrId } = await (await browserClient(service, { app })).fingerprint(ordinaryFacts)
      const { body } = await decide({ action: 'LOGIN', userId: `user-${user}`, dfrId })
      const found = (body as Decision).reasons.find(({ code }) => code === 'ACCOUNTS_PER_DEVICE')
      texts.push(found?.text.split(' ')[0] ?? '')
      if (user >= 5) assert.ok(body.rules.fired.includes('many-accounts'), `user ${user}: ${body.rules.fired}`)
      service.clock.advance({ seconds: 60 })
    }
    assert.deepEqual(texts, ['', '', '3', '4', '5', '6', '7', '8', '9', '10', '11', '12'])
  })

  test(it('a number that the backend names counts as one that the page names, once'), async (t) => {
    const service = await startTestService(t, await open(t))
    const { decide, publish } = decisionCalls(service)
    await publish([
      { id: 'numbers', name: 'N', when: 'velocity.phoneNumbersPerDevice1h >= 3', action: 'WARN', score: 1 },
    ])
    const app = await createApp(service)
    const fired = async (userId: string, phoneNumber: string) => {
      const { dfrId } = await (await browserClient(service, { app })).fingerprint(ordinaryFacts)
      return (await decide({ userId, phoneNumber, dfrId })).body.rules.fired
    }
    assert.deepEqual(await fired('a', '917020141726'), [])
    assert.deepEqual(await fired('a', '917020141727'), [])
    assert.deepEqual(await fired('a', '917020141726'), [])
    assert.deepEqual(await fired('a', '917020141728'), ['numbers'])
  })

  test(it('one report serves one user: others are a reason, and beyond three it is no evidence'), async (t) => {
    const service = await startTestService(t, await open(t))
    const { decide } = decisionCalls(service)
    const { dfrId } = await (await browserClient(service, { app: await createApp(service) })).fingerprint(ordinaryFacts)
    const first = (await decide({ userId: 'a', dfrId }, { 'idempotency-key': 'k' })).body as Decision
    assert.deepEqual([codesOf(first).includes('REPORT_REUSED'), first.missing], [false, []])
    const again = (await decide({ userId: 'a', dfrId }, { 'idempotency-key': 'k' })).body as Decision
    assert.equal(again.decisionId, first.decisionId)
    for (const userId of ['b', 'c']) {
      const { body } = await decide({ userId, dfrId })
      assert.deepEqual(
        [codesOf(body).includes('REPORT_REUSED'), whyMissing(body), body.action],
        [true, {}, 'WARN'],
        JSON.stringify([body.reasons, body.rules]),
      )
    }
    for (const userId of ['d', 'e']) {
      const { body } = await decide({ userId, email: `${userId}@shop.example`, dfrId })
      assert.deepEqual([whyMissing(body), body.device], [{ device: 'reused' }, undefined])
      assert.deepEqual([codesOf(body).includes('REPORT_REUSED'), body.action], [true, 'CHALLENGE'])
    }
    assert.ok((await decide({ userId: 'a', dfrId })).body.device)
  })

  test(it('a person who had no user id yet is the same subject, but a number vouches for one user only'), async (t) => {
    const service = await startTestService(t, await open(t))
    const { decide } = decisionCalls(service)
    const { dfrId } = await (await browserClient(service, { app: await createApp(service) })).fingerprint(ordinaryFacts)
    const phoneNumber = '917020141726'
    const isReused = async (body: { phoneNumber: string; userId?: string }) =>
      codesOf((await decide({ ...(body as object), dfrId })).body).includes('REPORT_REUSED')
    assert.equal(await isReused({ phoneNumber }), false)
    assert.equal(await isReused({ phoneNumber, userId: 'a' }), false)
    assert.equal(await isReused({ phoneNumber, userId: 'b' }), true)
  })

  test(it('what is bad about a used-up report still counts against the session'), async (t) => {
    const service = await startTestService(t, await open(t))
    const { decide } = decisionCalls(service)
    const facts = { ...ordinaryFacts, automation: { ...ordinaryFacts.automation, webdriver: true } }
    const { dfrId } = await (await browserClient(service, { app: await createApp(service) })).fingerprint(facts)
    for (const userId of ['a', 'b', 'c', 'd', 'e']) {
      const { body } = await decide({ userId, dfrId })
      assert.equal(body.action, 'BLOCK', `${userId} ${JSON.stringify(body.rules)}`)
    }
  })

  test(it('60 decisions at once, on two servers, for 60 users with one report: three get it'), async (t) => {
    const settings = { masterKey: randomBytes(32).toString('base64'), overloadDelayMs: 60_000 }
    const at = await place(t)
    const servers: TestService[] = []
    for (let server = 0; server < 2; server++) {
      const database = await openDatabase(at)
      atEnd(t, () => database.close())
      servers.push(await startTestService(t, database, { settings }))
    }
    const [here, there] = servers as [TestService, TestService]
    const { dfrId } = await (await browserClient(here, { app: await createApp(here) })).fingerprint(ordinaryFacts)
    const headers = { ...here.credentials }
    const decisions = await Promise.all(
      Array.from({ length: 60 }, async (_, index) => {
        const { decide } = decisionCalls(index % 2 ? here : there)
        const { status, body } = await decide({ userId: `user-${index}`, dfrId }, headers)
        assert.equal(status, 200, JSON.stringify(body))
        return body as Decision
      }),
    )
    const reused = decisions.filter((each) => whyMissing(each).device === 'reused')
    assert.equal(reused.length, 57)
    const withDevice = decisions.filter(({ device }) => device)
    assert.equal(withDevice.filter((each) => codesOf(each).includes('REPORT_REUSED')).length, 2)
    const [row] = await here.parts.database.query<{ subjects: Uint8Array }>('select subjects from device_analysis')
    assert.equal(row!.subjects.length, 24)
  })
})
