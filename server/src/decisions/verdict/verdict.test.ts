// Does each decision say why it is as it is: what decided, what was not known, and what would have changed the answer?

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Decision, endpoints, verdictLength } from '@ringfence/contract'
import type { Action } from '../../rules/language/rule.ts'
import { ruleSetOf } from '../../rules/rule-set.ts'
import { eachDatabase } from '../../testing/databases.ts'
import { ordinaryFacts, sdkClient } from '../../testing/sdk-client.ts'
import { startTestService, type TestService } from '../../testing/test-service.ts'
import { decisionCalls } from '../testing.ts'

const swappedNumber = '917020140110'
const slowNumber = '917020140153'
const nothing = 'nothing speaks against this person'

async function start(service: TestService) {
  const { decide, publish, read } = decisionCalls(service)
  return {
    publish,
    read,
    async decided(body: object): Promise<Decision> {
      const answer = await decide(body)
      assert.equal(answer.status, 200, JSON.stringify(answer.body))
      const decision = answer.body as Decision
      assertConsistent(decision)
      return decision
    },
  }
}

/** What holds of every decision. */
function assertConsistent({ action, score, reasons, rules, missing, verdict }: Decision): void {
  const innocent = reasons.reduce((rest, { weight }) => rest * (1 - weight / 100), 1)
  assert.equal(score, Math.round((1 - innocent) * 1000) / 10, 'the weights make the score')
  if (action === 'BLOCK') assert.ok(score > 70, `BLOCK with ${score}`)
  else if (action !== 'ALLOW') assert.ok(score > 30, `${action} with ${score}`)
  const deciding = reasons.filter(({ code }) => code === 'RULE')
  assert.deepEqual(
    deciding.map(({ source }) => source),
    rules.decisive === undefined ? [] : [`rules.${rules.decisive}`],
  )
  assert.ok(verdict.length > 0 && verdict.length <= verdictLength, verdict)
  assert.doesNotMatch(verdict, /[\p{Cc}\p{Zl}\p{Zp}]/u)
  if (missing.length > 0) assert.ok(!verdict.includes(nothing), verdict)
}

const rule = (id: string, name: string, when: string, action: Action, score = 10) => ({ id, name, when, action, score })

eachDatabase(({ engine, open }) => {
  const it = (title: string) => `${title} (${engine})`

  test(
    it('a rule that blocks is named with its values and limits, and is a reason that makes the score'),
    async (t) => {
      const service = await startTestService(t, await open(t))
      const { decided, read } = await start(service)
      const ruleSet = ruleSetOf({
        require: {},
        velocity: { cards: { distinct: 'params.card', per: 'user', within: '24h' } },
        rules: [
          rule('many-cards', 'Many cards on one device', 'velocity.cards > 3 and action == "PAYMENT"', 'BLOCK'),
          rule('large', 'Large payment', 'params.amount > 1000', 'REVIEW'),
        ],
      })
      const version = await service.parts.rules.draft(service.tenantId, ruleSet, { by: 'test' })
      await service.parts.rules.live(service.tenantId, version, { by: 'test' }, { untried: true })
      service.clock.advance({ seconds: 1 })
      const pay = (card: string, amount: number | string) =>
        decided({ action: 'PAYMENT', userId: 'u', params: { card, amount } })
      for (const card of ['a', 'b', 'c']) assert.equal((await pay(card, 10)).action, 'ALLOW')
      const blocked = await pay('d', '1500.50')
      const text = 'Many cards on one device: 4 cards in 24 hours, limit 3'
      assert.deepEqual(blocked.reasons, [{ code: 'RULE', text, weight: 71, source: 'rules.many-cards' }])
      assert.equal(blocked.score, 71)
      assert.equal(
        blocked.verdict,
        `Blocked by ${text}. Without this rule it would have been sent to review by Large payment.`,
      )
      assert.deepEqual((await read(blocked.decisionId)).body, blocked, 'it is stored')
      const { body } = await service.post(endpoints.searchEvents.path, {
        types: ['decision.created'],
        outcome: 'BLOCK',
      })
      assert.equal(body.events[0].data.verdict, blocked.verdict)
      service.clock.advance({ hours: 50 })
      const reviewed = await pay('e', 1500)
      assert.equal(
        reviewed.verdict,
        'Sent to review by Large payment: amount 1,500, limit 1,000. Without this rule it would have been allowed.',
      )
      const { body: queue } = await service.post(endpoints.listReviews.path, {})
      assert.equal(queue.reviews[0].verdict, reviewed.verdict)
    },
  )

  test(it('what an operator did not answer in time is named, and nobody is called unsuspicious'), async (t) => {
    const { decided, publish } = await start(await startTestService(t, await open(t)))
    await publish([rule('swap', 'Recent SIM swap', 'telecom.simSwap.swapped', 'BLOCK')])
    const late = await decided({ phoneNumber: slowNumber, checks: ['callForwarding'], deadlineMs: 200 })
    assert.equal(late.action, 'ALLOW')
    assert.equal(
      late.verdict,
      'Allowed: no rule fired. Not known: SIM swap (operator timed out), call forwarding (operator timed out).',
    )
    const swapped = await decided({ phoneNumber: swappedNumber, simSwapMaxAgeHours: 72 })
    assert.equal(
      swapped.verdict,
      'Blocked by Recent SIM swap: the SIM was swapped within 72 hours. Without this rule it would have been allowed.',
    )
    assert.deepEqual(
      swapped.reasons.map(({ code, weight }) => [code, weight]),
      [
        ['SIM_SWAPPED', 60],
        ['RULE', 27.5],
      ],
    )
  })

  test(it('a decision that knows nothing does not say that nothing speaks against the person'), async (t) => {
    const service = await startTestService(t, await open(t))
    const { decided, publish } = await start(service)
    assert.equal((await decided({ userId: 'u' })).verdict, 'Allowed: no rule fired.')
    await publish([rule('x', 'X', 'vpn', 'WARN')])
    const sdk = await sdkClient(service)
    const { dfrId } = await sdk.fingerprint(ordinaryFacts)
    const known = await decided({ userId: 'u', dfrId })
    assert.match(known.verdict, /^Allowed: (nothing speaks against this person|no rule fired, and the score is \d+)/)
  })

  test(it('what is required and not known decides by name, with what it would have been'), async (t) => {
    const { decided, publish } = await start(await startTestService(t, await open(t)))
    await publish([rule('large', 'Large payment', 'params.amount > 1000', 'WARN')], {
      require: { PAYMENT: ['device', 'phone'] },
    })
    const email = 'u@shop.example'
    const small = await decided({ action: 'PAYMENT', userId: 'u', email, params: { amount: 10 } })
    assert.equal(small.action, 'CHALLENGE')
    assert.equal(
      small.verdict,
      'Challenged because something required is not known: device report (not given), phone number (not given). With device report and phone number known and clear, it would have been allowed.',
    )
    const large = await decided({ action: 'PAYMENT', userId: 'u', email, params: { amount: 2000 } })
    assert.match(large.verdict, /it would have been allowed with a warning by Large payment\.$/)
    const nobody = await decided({ action: 'PAYMENT', userId: 'u', params: { amount: 2000 } })
    assert.equal(nobody.action, 'REVIEW')
    assert.match(
      nobody.verdict,
      /^Sent to review because .*\. Nobody could pass a challenge, so a person has to look\. With /,
    )
  })

  test(it('neither personal data nor what a page sends gets into a verdict'), async (t) => {
    const { decided, publish } = await start(await startTestService(t, await open(t)))
    const hostile = '<img src=x onerror=alert(1)>\u2028\u202e'
    await publish([
      rule(
        'all',
        `Name ${'long '.repeat(18)}`.trim(),
        'phoneNumber == "917020141726" and email.address == "asha@example.com" and userId == "asha" and ip == "203.0.113.9" and exists params.payee and exists params.card',
        'BLOCK',
      ),
    ])
    const { verdict, reasons } = await decided({
      ...{ userId: 'asha', phoneNumber: '917020141726', email: 'asha@example.com', ip: '203.0.113.9' },
      params: { payee: hostile, card: 4_111_111_111_111_111 },
    })
    const text = `${verdict} ${JSON.stringify(reasons)}`
    assert.match(verdict, /phone number; email address; user id; and 3 more/)
    for (const secret of ['917020141726', '1726', 'asha', 'example.com', '203.0.113', 'onerror', '4,111', '4111']) {
      assert.ok(!text.includes(secret), `${secret} is in ${text}`)
    }
  })

  test(it('every default rule that blocks lifts the score over 70'), async (t) => {
    const { decided } = await start(await startTestService(t, await open(t)))
    const body = { userId: 'u', phoneNumber: swappedNumber, dfrId: 'never-issued' }
    const { action, verdict } = await decided(body)
    assert.equal(action, 'BLOCK')
    assert.match(
      verdict,
      /^Blocked by New device after a SIM swap: the SIM was swapped within 240 hours; device report/,
    )
    assert.equal(verdict.split('not one of yours').length, 2, 'said once')
  })
})
