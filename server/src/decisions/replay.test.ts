import assert from 'node:assert/strict'
import { test } from 'node:test'
import { endpoints } from '@ringfence/contract'
import { findReportLabels } from '../device/store/labels/report-labels.ts'
import { backtest } from '../rules/backtests/backtest.ts'
import { ruleSetOf } from '../rules/rule-set.ts'
import { eachDatabase } from '../testing/databases.ts'
import { startTestService } from '../testing/test-service.ts'
import { storedDecisions } from './stored/stored-decisions.ts'
import { decisionCalls } from './testing.ts'

const set = ruleSetOf({
  velocity: {
    cards: { distinct: 'params.card', per: 'user', within: '1h' },
    spent: { sum: 'params.amount', per: 'phoneNumber', within: '1d', when: 'action == "PAYMENT"' },
    attempts: { count: 'decisions', per: 'ipPrefix', within: '5m' },
  },
  rules: [
    { id: 'cards', name: 'Cards', when: 'velocity.cards > 2', action: 'BLOCK', score: 1 },
    { id: 'spent', name: 'Spent', when: 'velocity.spent > 500', action: 'CHALLENGE', score: 1 },
    { id: 'attempts', name: 'Attempts', when: 'velocity.attempts > 2', action: 'WARN', score: 1 },
  ],
})

eachDatabase(({ engine, open }) => {
  test(`a replay of stored decisions fires the rules that fired when they were made (${engine})`, async (t) => {
    const service = await startTestService(t, await open(t))
    const { parts: needs, tenantId, clock, post } = service
    const { decide } = decisionCalls(service)
    const version = await needs.rules.draft(tenantId, set, { by: 'test' })
    await needs.rules.live(tenantId, version, { by: 'test' }, { untried: true })
    clock.advance({ seconds: 1 })

    const fired: [decisionId: string, rules: string[]][] = []
    const actions: string[] = []
    let notKnown = 0
    for (let i = 0; i < 60; i++) {
      clock.advance({ seconds: (i * 7919) % 400 })
      const { status, body } = await decide({
        action: i % 3 === 0 ? 'LOGIN' : 'PAYMENT',
        userId: `u-${i % 4}`,
        phoneNumber: `91702014172${i % 2}`,
        ip: `198.51.100.${i % 5}`,
        params: { card: `card ${(i * i) % 7}`, amount: (i * 37) % 90 },
      })
      assert.equal(status, 200)
      fired.push([body.decisionId, body.rules.fired])
      actions.push(body.action)
      notKnown += Number(body.action === 'CHALLENGE' && body.rules.decisive === undefined)
    }
    const rules = new Set(fired.flatMap(([, ids]) => ids))
    assert.deepEqual([...rules].sort(), ['attempts', 'cards', 'spent'], 'each rule fires, and not always')
    assert.ok(fired.some(([, ids]) => ids.length === 0))

    const labelled = fired.find(([, ids]) => ids.includes('cards'))![0]
    await post(endpoints.labelReports.path, { labels: [{ decisionId: labelled, outcome: 'fraud' }] })
    const replayed = new Map<string, string[]>()
    const result = await backtest({
      rules: set,
      reports: storedDecisions(tenantId, needs),
      labelsOf: (reports) => findReportLabels(needs.database, tenantId, reports),
      onHit: ({ report, evaluation }) =>
        void replayed.set(
          report.decisionId!,
          evaluation.fired.map(({ id }) => id),
        ),
    })
    assert.deepEqual(
      fired.filter(([, ids]) => ids.length > 0),
      [...replayed],
    )
    assert.deepEqual(result.all, { reports: 60, bad: 1, good: 0 })
    assert.equal(result.rules[0]!.recall, 1)
    // Without a token and a report, what the rules allow is a challenge.
    for (const action of ['ALLOW', 'CHALLENGE', 'BLOCK'] as const) {
      assert.equal(result.byAction[action].reports, actions.filter((each) => each === action).length, action)
    }
    assert.ok(notKnown > 0)
    assert.equal(result.required.tally.reports, notKnown)
    assert.equal(result.required.byPart.device?.reports, notKnown)
  })
})
