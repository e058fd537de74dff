import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Backtest, Backtests } from '@ringfence/contract'
import Value from 'typebox/value'
import { backtestContext } from '../../decisions/rule-changes/backtests.ts'
import { insertBacktest } from '../../decisions/rule-changes/store/backtests.ts'
import { decisionCalls } from '../../decisions/testing.ts'
import { eachDatabase } from '../../testing/databases.ts'
import { startTestService } from '../../testing/test-service.ts'
import { personWith, type TestPerson } from '../people/test-person.ts'

const text = `rules:
  - { id: large, name: Large, when: params.amount > 20, action: BLOCK, score: 1 }
  - { id: swap, name: Swap, when: telecom.simSwap.swapped, action: WARN, score: 1 }
`

async function ended({ call }: TestPerson, backtestId: string) {
  while (true) {
    const { body } = await call('readBacktest', { backtestId })
    if (body.state !== 'running') return body
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
}

eachDatabase(({ engine, open }) => {
  test(`a backtest says by day and rule what a version would have decided (${engine})`, async (t) => {
    const service = await startTestService(t, await open(t))
    const maya = await personWith(service, 'analyst', 'Maya')
    const { decide } = decisionCalls(service)
    const ids: string[] = []
    for (let day = 0; day < 3; day++) {
      for (const amount of [10, 30]) {
        const { body } = await decide({
          action: 'PAYMENT',
          userId: 'u',
          phoneNumber: '917020141726',
          params: { amount },
        })
        ids.push(body.decisionId)
      }
      service.clock.advance({ hours: 24 })
    }
    const again = await personWith(service, 'analyst', 'Ravi')
    const labels = [
      { decisionId: ids[1], outcome: 'fraud' },
      { decisionId: ids[3], outcome: 'legitimate' },
    ]
    assert.equal((await again.call('label', { labels })).body.accepted, 2)
    await again.call('saveRuleDraft', { text, basedOn: 0 })
    const { body: started } = await again.call('startBacktest', { version: 1 })
    assert.deepEqual([...Value.Errors(Backtest, started)], [])
    assert.deepEqual([started.total, started.startedBy, started.against], [6, 'Ravi', 0])
    const body = await ended(again, started.backtestId)
    assert.deepEqual([...Value.Errors(Backtest, body)], [])
    assert.deepEqual([body.state, body.done], ['done', 6])
    const { result } = body
    assert.deepEqual([result.all, result.byAction.BLOCK], [{ decisions: 6, bad: 1, good: 1 }, 3])
    assert.equal(result.days.length, 3)
    assert.deepEqual(
      result.days.map(({ byAction, before }: { byAction: object; before: object }) => [
        Reflect.get(byAction, 'BLOCK'),
        Reflect.get(before, 'BLOCK'),
      ]),
      Array(3).fill([1, 0]),
    )
    const [large] = result.rules
    assert.deepEqual(
      [large.id, large.fired, large.precision.share, large.recall],
      ['large', { decisions: 3, bad: 1, good: 1 }, 0.5, 1],
    )
    assert.deepEqual(large.examples, [ids[1], ids[3], ids[5]])
    assert.equal(result.operatorCalls.now.simSwap, 6)
    const { body: listed } = await maya
      .call('listBacktests')
      .then((answer) => (answer.status === 200 ? answer : again.call('listBacktests')))
    assert.deepEqual([...Value.Errors(Backtests, listed)], [])
    assert.equal(listed.backtests[0].result, undefined, 'without results')
  })

  test(`a backtest is cancelled, bounded, and interrupted by a restart (${engine})`, async (t) => {
    const service = await startTestService(t, await open(t))
    const maya = await personWith(service, 'analyst', 'Maya')
    const { parts: needs, tenantId, clock } = service
    assert.equal((await maya.call('startBacktest', { version: 9 })).body.type, '/problems/rule-version-unknown')
    const unknown = { backtestId: '00000000-0000-4000-8000-000000000000' }
    assert.equal((await maya.call('readBacktest', unknown)).body.type, '/problems/backtest-unknown')
    assert.equal((await maya.call('cancelBacktest', unknown)).body.type, '/problems/backtest-unknown')

    const started = await Promise.all(Array.from({ length: 8 }, () => maya.call('startBacktest', { version: 0 })))
    const refused = started.filter(({ status }) => status === 409)
    for (const { body } of refused) assert.equal(body.type, '/problems/backtests-busy')
    for (const { status, body } of started) if (status === 200) await ended(maya, body.backtestId)

    const id = '00000000-0000-4000-8000-000000000001'
    const keys = await needs.tenantKeyring.keysOf(tenantId)
    const order = { version: 0, against: 0, days: 30, by: 'Maya' }
    const sealed = keys.seal(JSON.stringify(order), backtestContext(tenantId, id))
    await insertBacktest(needs.database, { tenantId, id, startedAt: clock.now(), total: 5, sealed })
    assert.equal((await maya.call('readBacktest', { backtestId: id })).body.state, 'running')
    assert.deepEqual((await maya.call('cancelBacktest', { backtestId: id })).body, { cancelled: true })
    clock.advance({ seconds: 31 })
    assert.equal((await maya.call('readBacktest', { backtestId: id })).body.state, 'interrupted')

    await needs.ruleChanges.running.close()
    assert.equal((await maya.call('startBacktest', { version: 0 })).status, 503)
  })
})
