// What does a decision learn of its phone number from the calls that it makes, and does it say why it learned nothing?

import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Decision } from '@ringfence/contract'
import { StorageUnavailable } from '../../core/storage/database.ts'
import type { WrittenRule } from '../../rules/rule-set.ts'
import { identity, tokenCalls } from '../../sign-in/tokens/testing.ts'
import { longestWaitMs } from '../../telecom/answers-of-call.ts'
import { readQuestionName } from '../../telecom/question-name.ts'
import { eachDatabase } from '../../testing/databases.ts'
import { holdTimers } from '../../testing/held-timers.ts'
import { createApp } from '../../testing/sdk-client.ts'
import { startTestService, type TestService } from '../../testing/test-service.ts'
import { decisionCalls, type Interception, intercepted } from '../testing.ts'

/** SANDBOX_SOUTH and SANDBOX_NORTH serve them. */
const [southern, northern] = ['917020141726', '917020141001']
const userId = 'asha'

const newOperator: WrittenRule = {
  ...{ id: 'new-operator', name: 'New operator', when: 'account.newOperator', score: 10 },
  action: 'WARN',
}
const ported: WrittenRule = { ...newOperator, id: 'ported', when: 'telecom.portability.ported' }

const checksKnown = async ({ parts, tenantId }: TestService) =>
  (await parts.telecom.answers.known(tenantId, southern)).map(({ name }) => readQuestionName(name)?.check).toSorted()

/** Proven sessions of a person whose number is in the south. */
async function regular(service: TestService, decide: (body: object) => Promise<{ body: Decision }>, sessions: number) {
  for (let session = 0; session < sessions; session++) {
    service.clock.advance({ hours: 24 })
    const identities = [{ ...identity, identityType: 'EMAIL', identityValue: 'asha@shop.example' }]
    const token = await tokenCalls(service).issue({ userId, identities })
    assert.equal((await decide({ userId, phoneNumber: southern, token })).body.action, 'ALLOW')
  }
  service.clock.advance({ hours: 24 })
}

eachDatabase(({ engine, open }) => {
  const it = (promise: string) => `${promise} (${engine})`

  // A rule that reads nothing else calls nobody for an account in which nothing can be new yet.
  for (const [rules, sessions] of [
    [[newOperator, ported], 3],
    [[newOperator], 6],
  ] as const) {
    test(
      it(`after ${sessions} sessions, a decision that asks who serves a number sees a new operator of the account`),
      async (t) => {
        const service = await startTestService(t, await open(t))
        const { decide, publish } = decisionCalls(service)
        await publish(rules)
        await regular(service, decide, sessions)
        const usual = (await decide({ userId, phoneNumber: southern })).body as Decision
        assert.equal(usual.phone?.phoneDetail.operator, 'SANDBOX_SOUTH')
        assert.deepEqual([usual.account?.sessions, usual.account?.newOperator], [sessions, false])
        const other = (await decide({ userId, phoneNumber: northern })).body as Decision
        assert.equal(other.phone?.phoneDetail.operator, 'SANDBOX_NORTH')
        assert.deepEqual([other.account?.newOperator, other.rules.fired], [true, ['new-operator']])
      },
    )
  }

  const asks = ['simSwap.swapped', 'callForwarding.active'].map(
    (path): WrittenRule => ({ ...newOperator, id: path.split('.')[0]!, when: `telecom.${path}` }),
  )

  test(it('answers of operators are stored in the commit of the decision'), async (t) => {
    const interception: Interception = {}
    const service = await startTestService(t, intercepted(await open(t), interception))
    const { decide, publish } = decisionCalls(service)
    await publish(asks)
    // Rules of a tenant with an app read what was answered.
    await createApp(service)
    // Now known: a decision does not wait for an answer that waits for this read.
    assert.equal(await service.parts.apps.tenantHasApps(service.tenantId), true)
    let ofDecision: string[] = []
    interception.batch = (texts) => {
      const tables = texts.map((text) => /insert into (\w+)/.exec(text)![1]!)
      if (tables.includes('decision')) ofDecision = tables.toSorted()
    }
    // With who serves the number, and whose answers they are.
    const together = ['decision', 'event', ...Array(4).fill('telecom_answer')]
    // An answer does not wait long for a decision that a busy machine holds up.
    holdTimers(t, longestWaitMs)
    await decide({ phoneNumber: southern })
    assert.deepEqual(ofDecision, together)
  })

  test(it('answers of operators are stored also when the decision cannot be stored'), async (t) => {
    const interception: Interception = {}
    const service = await startTestService(t, intercepted(await open(t), interception))
    const { decide, publish } = decisionCalls(service)
    await publish(asks)
    await createApp(service)
    interception.batch = (texts) => {
      if (texts.some((text) => text.includes('insert into decision'))) throw new StorageUnavailable('the disk is full')
    }
    assert.equal((await decide({ phoneNumber: southern })).status, 503)
    assert.deepEqual(await checksKnown(service), ['callForwarding', 'portability', 'simSwap'])
  })

  test(it('says why a check has no answer, so that a backend knows what to do about it'), async (t) => {
    const service = await startTestService(t, await open(t))
    const { decide, publish } = decisionCalls(service)
    await publish([])
    const missing = async (body: object) => {
      const answer = await decide({ checks: ['simSwap', 'callForwarding', 'portability'], ...body })
      return Object.fromEntries((answer.body as Decision).missing.map(({ what, why }) => [what, why]))
    }
    const all = (why: string) => ({ simSwap: why, callForwarding: why, portability: why })
    assert.deepEqual(await missing({ phoneNumber: southern }), {})
    assert.deepEqual(
      await missing({ phoneNumber: '917020140132' }),
      all('operator-unknown'),
      'the source does not know it',
    )
    assert.deepEqual(await missing({ phoneNumber: '917020140133' }), all('operator-failed'), 'the source is down')
    const unsupported = { simSwap: 'unsupported', callForwarding: 'unsupported' }
    assert.deepEqual(await missing({ phoneNumber: '917020140140' }), unsupported)
    const window = { phoneNumber: '917020140114', simSwapMaxAgeHours: 169 }
    assert.deepEqual(await missing(window), { simSwap: 'window-unsupported' })
    assert.deepEqual(await missing({ ...window, simSwapMaxAgeHours: 168 }), {}, 'a shorter window has an answer')
    assert.deepEqual(await missing({ userId }), all('no-number'))
    assert.deepEqual(await missing({ token: 'rubbish' }), { login: 'unknown', ...all('no-number') })
  })

  test(it('a sign-in by number teaches nothing while its operator answers only for a shorter window'), async (t) => {
    const service = await startTestService(t, await open(t))
    const { decide, publish } = decisionCalls(service)
    await publish([])
    const phoneNumber = '917020140114'
    const sessionsAfter = async (simSwapMaxAgeHours: number) => {
      service.clock.advance({ hours: 24 })
      const token = await tokenCalls(service).issue({
        userId,
        identities: [{ ...identity, identityValue: phoneNumber }],
      })
      await decide({ userId, phoneNumber, token, checks: ['simSwap'], simSwapMaxAgeHours })
      return (await decide({ userId })).body.account.sessions
    }
    assert.equal(await sessionsAfter(200), 0)
    assert.equal(await sessionsAfter(168), 1)
  })

  test(it('a window that the limit of the configuration excludes is missing with the same reason'), async (t) => {
    const service = await startTestService(t, await open(t), {
      edit: (parts) => ({
        ...parts,
        operators: parts.operators.map((entry) => ({ ...entry, simSwap: { limitHours: 168 } })),
      }),
    })
    const { decide } = decisionCalls(service)
    const body = { phoneNumber: southern, checks: ['simSwap'] }
    const long = (await decide({ ...body, simSwapMaxAgeHours: 200 })).body as Decision
    assert.deepEqual(long.missing, [{ what: 'simSwap', why: 'window-unsupported' }])
    assert.equal((await decide(body)).body.phone.simSwap.maxAgeHours, 168)
  })

  test(
    it('a source that answers after the deadline of its upstream is a timeout, not an unknown operator'),
    async (t) => {
      const service = await startTestService(t, await open(t), {
        edit: ({ portabilitySources, ...parts }) => ({
          ...parts,
          portabilitySources: { sandbox: { ...portabilitySources.sandbox!, timeoutMs: 100 } as { type: string } },
        }),
      })
      service.sandbox.faults.switchOn({ kind: 'slow', delayMs: 3000, route: '/portability/v1/numbers/{digits}' })
      const { decide } = decisionCalls(service)
      const { missing } = (await decide({ phoneNumber: southern, checks: ['portability'], deadlineMs: 5000 }))
        .body as Decision
      const why = 'operator-timeout'
      assert.deepEqual(missing, [
        { what: 'simSwap', why },
        { what: 'callForwarding', why },
        { what: 'portability', why },
      ])
    },
  )
})
