import assert from 'node:assert/strict'
import { test } from 'node:test'
import { endpoints, Performance } from '@ringfence/contract'
import Value from 'typebox/value'
import { decisionCalls } from '../../decisions/testing.ts'
import { eachDatabase } from '../../testing/databases.ts'
import { startTestService } from '../../testing/test-service.ts'
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
