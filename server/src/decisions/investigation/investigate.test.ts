import assert from 'node:assert/strict'
import { test } from 'node:test'
import { InvestigatedDecision } from '@ringfence/contract'
import Value from 'typebox/value'
import { adminClient } from '../../admin/testing.ts'
import { eachDatabase } from '../../testing/databases.ts'
import { startTestService } from '../../testing/test-service.ts'
import { decisionCalls } from '../testing.ts'

const rules = [
  { id: 'look', name: 'Large payment', when: 'action == "PAYMENT" and params.amount > 1000', action: 'WARN', score: 4 },
  { id: 'stop', name: 'Mule', when: 'action == "PAYMENT" and inList("mules", phoneNumber)', action: 'BLOCK', score: 9 },
  { id: 'other', name: 'Sign-up', when: 'action == "SIGNUP" and params.amount > 9000', action: 'BLOCK', score: 9 },
]
const phoneNumber = '917020141726'

eachDatabase(({ engine, open }) => {
  const it = (title: string) => `${title} (${engine})`

  test(it('shows what was asked, each rule that fired or nearly fired, and what it read'), async (t) => {
    const service = await startTestService(t, await open(t))
    const { decide, publish } = decisionCalls(service)
    const call = await adminClient(service, 'analyst')
    await call('createList', { name: 'mules', kind: 'phoneNumber', purpose: 'block' })
    await publish(rules as never)
    const sent = { action: 'PAYMENT', userId: 'asha', phoneNumber, email: 'A@Shop.example', params: { amount: 1500 } }
    const { decisionId } = (await decide(sent)).body
    // Later rules and entries of lists change nothing.
    service.clock.advance({ seconds: 5 })
    await call('addListEntries', { name: 'mules', entries: [{ value: phoneNumber }] })
    await publish([{ ...rules[0], id: 'new', when: 'params.amount > 1' }] as never)

    const { status, body } = await call('readDecision', { decisionId })
    assert.equal(status, 200, JSON.stringify(body))
    assert.deepEqual([...Value.Errors(InvestigatedDecision, body)], [])
    assert.deepEqual(body.subject, {
      operation: 'PAYMENT',
      ...{ userId: 'asha', phoneNumber, email: 'a@shop.example', params: { amount: 1500 } },
    })
    const state = ({ id, state: is, conditions }: InvestigatedDecision['evaluated'] & { [name: string]: unknown }) => [
      ...[id, is],
      (conditions as { holds: boolean; values: object }[]).map(({ holds, values }) => [holds, values]),
    ]
    assert.deepEqual(body.evaluated.map(state), [
      [
        'look',
        'fired',
        [
          [true, { action: 'PAYMENT' }],
          [true, { 'params.amount': 1500 }],
        ],
      ],
      [
        'stop',
        'nearly',
        [
          [true, { action: 'PAYMENT' }],
          [false, { phoneNumber }],
        ],
      ],
    ])
    assert.equal(body.silent, 1)
    assert.equal(body.dfrId, undefined)
  })

  test(it('shows labels, the latest known first, and no rules to a role that may not read them'), async (t) => {
    const service = await startTestService(t, await open(t))
    const { decide, publish } = decisionCalls(service)
    await publish(rules.slice(0, 1) as never)
    const { decisionId } = (await decide({ action: 'PAYMENT', userId: 'asha', params: { amount: 1500 } })).body
    const call = await adminClient(service, 'analyst')
    assert.deepEqual((await call('readDecision', { decisionId })).body.labels, [])
    await call('label', { labels: [{ decisionId, outcome: 'fraud' }] })
    const now = new Date(service.clock.now()).toISOString()
    const { body } = await call('readDecision', { decisionId })
    assert.deepEqual(body.labels, [{ outcome: 'fraud', of: 'decision', knownAt: now, labelledAt: now }])

    const support = await adminClient(service, 'support')
    const shown = (await support('readDecision', { decisionId })).body
    assert.deepEqual([shown.evaluated, shown.silent, shown.rules.fired], [undefined, undefined, ['look']])
  })
})
