// What must be known is known, or the decision is no ALLOW: whatever is left out, empty, late or wrong.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Decision, telecomChecks } from '@ringfence/contract'
import { browserIn, startWorld } from '../accounts/testing/world.ts'
import { browserClient, ordinaryFacts } from '../device/testdata/ordinary-report.ts'
import { tokenCalls } from '../sign-in/tokens/testing.ts'
import { eachDatabase } from '../testing/databases.ts'
import { createApp } from '../testing/sdk-client.ts'
import { startTestService, type TestService } from '../testing/test-service.ts'
import { decisionCalls, type Interception, intercepted, operatorWithin } from './testing.ts'

const userId = 'customer-4711'
const phoneNumber = '917020141726'
/** A challenge by email can be passed. */
const email = 'asha@shop.example'
/** Sandbox numbers: an operator that hangs, one that fails, a source that fails, an operator without checks, and no operator. */
const outages = { hangs: '917020140153', fails: '917020140133' }
const unsupported = { unsupported: '917020140140', unknown: '917020140132' }

type Body = Record<string, unknown>

/** What an honest page and backend send. Each report and token is a new one. */
async function honest(service: TestService, facts: object = ordinaryFacts): Promise<Body> {
  const client = await browserClient(service, { app: await createApp(service) })
  const { dfrId } = await client.fingerprint(facts)
  const token = await tokenCalls(service).issue()
  return { userId, phoneNumber, email, token, dfrId, params: { amount: 20 } }
}

const needed = {
  LOGIN: { token: 'login', dfrId: 'device' },
  SIGNUP: { dfrId: 'device' },
  PAYMENT: { dfrId: 'device', phoneNumber: 'phone' },
} as const
const whyMissing = ({ missing }: Decision) => Object.fromEntries(missing.map(({ what, why }) => [what, why]))
const codesOf = ({ reasons }: Decision) => reasons.map(({ code }) => code)

eachDatabase(({ engine, open }) => {
  const it = (promise: string) => `${promise} (${engine})`

  for (const action of ['LOGIN', 'SIGNUP', 'PAYMENT'] as const) {
    test(
      it(`${action} with any field left out, undefined, null, empty or of a wrong type is never allowed without it`),
      async (t) => {
        const service = await startTestService(t, await open(t))
        const { decide, publish } = decisionCalls(service)
        // No rule, but what must be known by default.
        await publish([], {})
        const whole = { action, ...(await honest(service)) }
        const allowed = (await decide(whole)).body as Decision
        assert.deepEqual([allowed.action, allowed.missing], ['ALLOW', []], JSON.stringify(allowed.reasons))

        for (const field of Object.keys(whole).filter((name) => name !== 'action')) {
          for (const value of ['left out', undefined, null, '', 5, [], { a: 1 }, true] as const) {
            const body: Body = { ...whole, ...(await honest(service)), [field]: value }
            if (value === 'left out') delete body[field]
            // A number that the sign-in proves is given too.
            if (action === 'PAYMENT' && field === 'phoneNumber') delete body.token
            const { status, body: answer } = await decide(body)
            const what = `${field}: ${JSON.stringify(value)} → ${status} ${JSON.stringify(answer.missing ?? answer)}`
            if (status !== 200) {
              assert.equal(status, 400, what)
              continue
            }
            const decision = answer as Decision
            const part: string | undefined = Reflect.get(needed[action], field)
            assert.equal(decision.action, part ? 'CHALLENGE' : 'ALLOW', what)
            if (!part) continue
            assert.equal(whyMissing(decision)[part], value === '' || value === null ? 'unknown' : 'not-given', what)
            assert.ok(codesOf(decision).includes('NOT_KNOWN'), what)
            assert.ok(decision.score > 0, what)
          }
        }
      },
    )
  }

  test(it('what is late is no ALLOW, and refuses nobody'), async (t) => {
    const interception: Interception = {}
    const service = await startTestService(t, intercepted(await open(t), interception))
    const { decide, publish } = decisionCalls(service)
    for (const [what, table] of [
      ['login', /^select .* from token\b/s],
      ['device', /from device_analysis\b/],
    ] as const) {
      for (const otherwise of ['CHALLENGE', 'BLOCK'] as const) {
        await publish([], { otherwise })
        const whole = await honest(service)
        interception.query = async (sql) => {
          if (table.test(sql)) await new Promise((resolve) => setTimeout(resolve, 400))
        }
        const { body } = await decide({ action: 'LOGIN', ...whole, deadlineMs: 150 })
        interception.query = () => {}
        assert.deepEqual([whyMissing(body)[what], body.action], ['deadline', 'CHALLENGE'], `${what}, ${otherwise}`)
      }
    }
  })

  test(it('an outage of an operator refuses nobody, and what nobody offers challenges nobody'), async (t) => {
    const service = await startTestService(t, await open(t), { edit: operatorWithin(300) })
    const { decide, publish } = decisionCalls(service)
    const readsPhone = { id: 'r', name: 'R', when: 'telecom.simSwap.swapped', action: 'BLOCK' as const, score: 1 }
    for (const otherwise of ['CHALLENGE', 'BLOCK', 'REVIEW'] as const) {
      await publish([readsPhone], { otherwise })
      for (const [name, number] of Object.entries(outages)) {
        const { token: _, ...body } = await honest(service)
        const { body: decision } = await decide({ action: 'PAYMENT', ...body, phoneNumber: number, deadlineMs: 30_000 })
        assert.equal(decision.action, otherwise === 'REVIEW' ? 'REVIEW' : 'CHALLENGE', `${name}, ${otherwise}`)
        assert.match(whyMissing(decision).simSwap!, /^operator-(timeout|failed)$/)
        const notKnown = (decision as Decision).reasons.find(({ code }) => code === 'NOT_KNOWN')
        assert.match(notKnown?.text ?? '', /^Required and not known: SIM swap \(operator (timed out|failed)\)$/)
        assert.ok(notKnown!.weight <= 31, 'it lifts the score to that of the action, and no further')
      }
      for (const [name, number] of Object.entries(unsupported)) {
        const { token: _, ...body } = await honest(service)
        const { body: decision } = await decide({ action: 'PAYMENT', ...body, phoneNumber: number, deadlineMs: 30_000 })
        assert.equal(decision.action, 'ALLOW', name)
        assert.ok(codesOf(decision).includes('PHONE_UNSUPPORTED'), name)
      }
    }
    // What was not given is another matter.
    await publish([], { otherwise: { PAYMENT: 'BLOCK' } })
    const { dfrId: _, ...body } = await honest(service)
    assert.equal((await decide({ action: 'PAYMENT', ...body })).body.action, 'BLOCK')
    assert.equal((await decide({ action: 'LOGIN', ...body })).body.action, 'CHALLENGE')
  })

  test(it('a near-empty report is incomplete, and what it shows still counts'), async (t) => {
    const service = await startTestService(t, await open(t))
    const { decide } = decisionCalls(service)
    for (const facts of [{}, { userAgent: 'Mozilla/5.0', language: 'en' }]) {
      const { body } = await decide({ action: 'SIGNUP', ...(await honest(service, facts)) })
      assert.deepEqual([whyMissing(body).device, body.action], ['incomplete', 'CHALLENGE'], JSON.stringify(facts))
      assert.ok(body.device)
      const { missing, verdict } = body as Decision
      const lacking = missing.find(({ what }) => what === 'device')?.facts ?? []
      assert.ok(
        ['automation', 'storage'].every((fact) => lacking.includes(fact)),
        `${lacking}`,
      )
      assert.equal(lacking.includes('userAgent'), !Object.hasOwn(facts, 'userAgent'))
      assert.match(verdict, /device report \(incomplete: \w+, \w+ and \d+ more\)/)
    }
  })

  test(it('a proven session on this installation within 12 hours stands for a sign-in'), async (t) => {
    const service = await startWorld(t, await open(t))
    const { decide } = decisionCalls(service)
    const asha = browserIn(service, await createApp(service))
    const login = async (token?: string) => {
      const { dfrId } = await asha.visits('home')
      return (await decide({ action: 'LOGIN', userId, email, dfrId, ...(token !== undefined && { token }) }))
        .body as Decision
    }
    assert.equal((await login()).action, 'CHALLENGE', 'nobody signed in yet')
    const first = await login(await tokenCalls(service).issue())
    assert.equal(first.action, 'ALLOW', JSON.stringify(first.reasons))
    service.clock.advance({ hours: 11 })
    assert.equal((await login()).action, 'ALLOW')
    service.clock.advance({ hours: 13 })
    const later = await login()
    assert.deepEqual([later.action, whyMissing(later)], ['CHALLENGE', { login: 'not-given' }])
    const thief = browserIn(service, await createApp(service))
    await login(await tokenCalls(service).issue())
    const { dfrId } = await thief.visits('home')
    assert.notEqual((await decide({ action: 'LOGIN', userId, dfrId })).body.action, 'ALLOW', 'another installation')
  })

  test(it('a param that a rule compares with a number and that is none is required and not known'), async (t) => {
    const service = await startTestService(t, await open(t))
    const { decide, publish } = decisionCalls(service)
    await publish([{ id: 'much', name: 'Much', when: 'params.amount > 5000', action: 'BLOCK', score: 1 }])
    const of = async (amount: unknown) => (await decide({ userId, email, params: { amount } })).body as Decision
    for (const amount of [99_999, '99999', '99999.00']) assert.equal((await of(amount)).action, 'BLOCK', `${amount}`)
    for (const amount of [5_000, '5000.000000', undefined])
      assert.equal((await of(amount)).action, 'ALLOW', `${amount}`)
    for (const amount of ['much', '', null, [99_999], { value: 99_999 }, true, '1e9', '99,999']) {
      const decision = await of(amount)
      assert.equal(decision.action, 'CHALLENGE', JSON.stringify(amount))
      assert.deepEqual(decision.missing, [{ what: 'params', why: 'not-a-number', path: 'params.amount' }])
    }
    assert.equal((await decide({ userId, params: { other: 'much' } })).body.action, 'ALLOW')
  })

  test(it('every telecom check without an answer is one of the reasons of an outage'), async (t) => {
    const service = await startTestService(t, await open(t))
    const { decide, publish } = decisionCalls(service)
    await publish([], {})
    const checks = telecomChecks.filter((check) => ['simSwap', 'callForwarding'].includes(check))
    const { token: _, ...body } = await honest(service)
    const { body: decision } = await decide({ action: 'PAYMENT', ...body, phoneNumber: outages.fails, checks })
    assert.deepEqual(decision.missing.map(({ what }: { what: string }) => what).sort(), [...checks].sort())
    assert.equal(decision.action, 'CHALLENGE')
  })
})
