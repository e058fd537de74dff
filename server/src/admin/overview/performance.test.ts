import assert from 'node:assert/strict'
import { test } from 'node:test'
import { endpoints, Performance, RuleFigures } from '@ringfence/contract'
import Value from 'typebox/value'
import { checksCalled, decisionCalls, operatorWithin } from '../../decisions/testing.ts'
import { eachDatabase } from '../../testing/databases.ts'
import { startTestService } from '../../testing/test-service.ts'
import { until } from '../../testing/until.ts'
import { adminClient } from '../testing.ts'
import { countActivity } from './count-activity.ts'

const rules = [
  { id: 'look', name: 'Large payment', when: 'params.amount > 1000', action: 'REVIEW', score: 40 },
  { id: 'warn', name: 'Small payment', when: 'params.amount < 10', action: 'WARN', score: 10 },
]

eachDatabase(({ engine, open }) => {
  const it = (title: string) => `${title} (${engine})`

  test(it('compares a period with the one before, and ranks rules by the good people that they stopped'), async (t) => {
    const service = await startTestService(t, await open(t))
    const { clock, parts, post } = service
    const { decide, publish } = decisionCalls(service)
    await publish(rules as never)
    const viewer = await adminClient(service, 'viewer')
    const read = async (request: object): Promise<Performance> => {
      const { status, body } = await viewer('readPerformance', request)
      assert.equal(status, 200, JSON.stringify(body))
      assert.deepEqual([...Value.Errors(Performance, body)], [])
      return body
    }
    const pay = async (amount: number, outcome?: string, action = 'PAYMENT') => {
      const { body } = await decide({ action, userId: 'asha', params: { amount, currency: 'INR' } })
      if (outcome) await post(endpoints.labelReports.path, { labels: [{ decisionId: body.decisionId, outcome }] })
    }
    await pay(100)
    clock.advance({ hours: 24 * 8 })
    await pay(1, 'legitimate')
    await pay(2000, 'legitimate')
    await pay(3000, 'fraud')
    await pay(500, 'fraud', 'TRANSFER')
    clock.advance({ seconds: 30 })
    await countActivity(parts)
    const week = await read({ days: 7 })
    assert.deepEqual(week.current.decisions, { ALLOW: 1, WARN: 1, REVIEW: 2 })
    assert.deepEqual(week.previous.decisions, { ALLOW: 1 })
    assert.deepEqual(week.current.labels, { fraud: 2, legitimate: 2 })
    assert.deepEqual([week.current.badStopped, week.current.goodStopped], [1, 1])
    assert.deepEqual(week.current.amounts, [
      { currency: 'INR', blockedFraud: 3000, missedFraud: 500, goodRefused: 2000, total: 5501 },
    ])
    assert.deepEqual(week.rules, [
      { rule: 'look', fired: 2, firedBefore: 0, decided: 2, bad: 1, good: 1, overturned: 0 },
      { rule: 'warn', fired: 1, firedBefore: 0, decided: 1, bad: 0, good: 0, overturned: 0 },
    ])
    assert.equal(week.steps.length, 7)
    assert.deepEqual(week.steps.at(-1)?.figures.decisions, week.current.decisions)
    assert.deepEqual(week.operations, ['PAYMENT', 'TRANSFER'])
    assert.deepEqual((await read({ days: 30, operation: 'TRANSFER' })).current.decisions, { ALLOW: 1 })
    assert.deepEqual((await read({ days: 30, country: 'IN' })).current.decisions, {})
    const day = await read({ days: 1 })
    assert.deepEqual([day.stepSeconds, day.steps.length], [3600, 24])
    assert.deepEqual(day.current.decisions, week.current.decisions)
  })

  test(it('shows how long operators took, with what it cost, and the 95 % of the period before'), async (t) => {
    const costs = { currency: 'EUR', prices: { sandbox: { simSwap: 12_000, otherwise: 0 } } }
    const service = await startTestService(t, await open(t), {
      edit: (parts) => ({ ...operatorWithin(30_000)(parts), costs }),
    })
    const { clock, parts, sandbox } = service
    const { decide, publish } = decisionCalls(service)
    await publish([])
    // Time passes only while an operator is said to work.
    let nowMs = performance.now()
    t.mock.method(performance, 'now', () => nowMs)
    const check = async (tookMs: number, times: number) => {
      for (let i = 0; i < times; i++) {
        const { id } = sandbox.faults.switchOn({ kind: 'slow', delayMs: 600_000, route: '/sim-swap/v2/check' })
        const before = checksCalled(service)
        const decided = decide({ userId: 'asha', phoneNumber: '917020141726', checks: ['simSwap'], deadlineMs: 30_000 })
        await until(() => checksCalled(service) > before)
        nowMs += tookMs
        sandbox.faults.switchOff(id)
        await decided
      }
    }
    await check(1500, 1)
    clock.advance({ hours: 24 * 8 })
    await check(5, 4)
    await check(400, 1)
    clock.advance({ seconds: 30 })
    await countActivity(parts)
    const read = async (role: 'owner' | 'support') =>
      ((await (await adminClient(service, role))('readPerformance', { days: 7 })).body as Performance).checks
    const [found, ...others] = await read('owner')
    assert.deepEqual([found?.check, found?.operator, found?.answered, others], ['simSwap', 'SANDBOX_SOUTH', 5, []])
    assert.equal(found?.cost, 0.06)
    assert.ok(found.medianMs! < 315 && found.slowMs! >= 315, JSON.stringify(found))
    assert.ok(found.slowBeforeMs! > 1250 && found.slowBeforeMs! > found.slowMs!, JSON.stringify(found))
    assert.equal((await read('support'))[0]?.cost, undefined, 'a role without system.read sees no cost')
  })

  test(it('shows of each rule how often it fired by day, and how many good people it stopped'), async (t) => {
    const service = await startTestService(t, await open(t))
    const { clock, parts, post } = service
    const { decide, publish } = decisionCalls(service)
    await publish(rules as never)
    const viewer = await adminClient(service, 'viewer')
    const read = async (): Promise<RuleFigures> => {
      const { status, body } = await viewer('readRuleFigures')
      assert.equal(status, 200, JSON.stringify(body))
      assert.deepEqual([...Value.Errors(RuleFigures, body)], [])
      return body
    }
    assert.deepEqual((await read()).rules, [])
    const pay = async (amount: number, outcome?: string) => {
      const { body } = await decide({ action: 'PAYMENT', userId: 'asha', params: { amount } })
      if (outcome) await post(endpoints.labelReports.path, { labels: [{ decisionId: body.decisionId, outcome }] })
    }
    await pay(2000)
    clock.advance({ hours: 24 * 8 })
    for (const outcome of ['legitimate', 'fraud', undefined]) await pay(2000, outcome)
    await pay(1, 'legitimate')
    clock.advance({ seconds: 30 })
    await countActivity(parts)
    const found = new Map((await read()).rules.map(({ rule, ...figures }) => [rule, figures]))
    const days = (past: number, today: number) => [...Array(21).fill(0), past, ...Array(7).fill(0), today]
    assert.deepEqual(found.get('look'), {
      ...{ byDay: days(1, 3), decided: 4, bad: 1, good: 1, goodStopped: 1, overturned: 0 },
    })
    assert.deepEqual(found.get('warn'), {
      ...{ byDay: days(0, 1), decided: 1, bad: 0, good: 1, goodStopped: 0, overturned: 0 },
    })
  })

  test(it('shows a tenant with nothing as nothing, and a role without system.read no upstreams'), async (t) => {
    const service = await startTestService(t, await open(t))
    const support = await adminClient(service, 'support')
    const { body } = await support('readPerformance', { days: 90 })
    assert.deepEqual([...Value.Errors(Performance, body)], [])
    assert.deepEqual([body.current.decisions, body.rules, body.upstreams, body.cost], [{}, [], [], undefined])
    assert.equal(body.steps.length, 90)
    assert.equal((await support('readPerformance', { days: 2 })).status, 400)
  })
})
