import assert from 'node:assert/strict'
import { test } from 'node:test'
import { endpoints } from '@ringfence/contract'
import { decisionCalls } from '../../decisions/testing.ts'
import { eachDatabase } from '../../testing/databases.ts'
import { startTestService } from '../../testing/test-service.ts'
import { countActivity } from '../overview/count-activity.ts'
import { adminClient } from '../testing.ts'
import { dropOldFolds } from './retention.ts'

const rule = { id: 'stop', name: 'Large payment', when: 'params.amount > 1000', action: 'BLOCK', score: 90 }

eachDatabase(({ engine, open }) => {
  const it = (title: string) => `${title} (${engine})`

  test(it('a label that arrives a year late counts on the day of its decision, and in no hour'), async (t) => {
    const database = await open(t)
    const service = await startTestService(t, database, { settings: { decisionDays: 800 } })
    const { clock, parts, post } = service
    const { decide, publish } = decisionCalls(service)
    await publish([rule] as never)
    const fold = async () => {
      clock.advance({ seconds: 30 })
      await countActivity(parts)
      await dropOldFolds(parts)
    }
    const label = async (decisionId: string, outcome: string) => {
      const { body } = await post(endpoints.labelReports.path, { labels: [{ decisionId, outcome }] })
      return body.accepted as number
    }
    const counts = async (kind: string) => {
      const rows = await database.query<{ span: string; at: number; name: string; n: number }>(
        `select span, starts_at as at, name, cast(amount as integer) as n from performance_count
          where kind = $1 and amount <> 0 order by span, starts_at`,
        [kind],
      )
      return rows.map(({ span, at, name, n }) => [span, Number(at), name, n])
    }
    const asked = { action: 'PAYMENT', userId: 'asha', params: { amount: 41_000, currency: 'INR' } }
    const decidedAt = clock.now()
    const day = decidedAt - (decidedAt % 86_400_000)
    const { decisionId } = (await decide(asked)).body
    await fold()
    assert.deepEqual(
      (await counts('decision')).map(([span]) => span),
      ['day', 'hour'],
    )
    clock.advance({ hours: 24 * 365 })
    await decide(asked)
    await fold()
    assert.equal(await label(decisionId, 'fraud'), 1)
    await fold()
    assert.deepEqual(await counts('label'), [['day', day, 'fraud', 1]], 'hours are stored for 90 days')
    assert.deepEqual(await counts('paidBad'), [['day', day, 'INR', 1]])

    const viewer = await adminClient(service, 'viewer')
    const { body } = await viewer('readPerformance', { days: 90 })
    assert.deepEqual(body.current.labels, {}, 'the figures of this quarter are of decisions of this quarter')
    assert.deepEqual(body.current.decisions, { BLOCK: 1 })

    assert.equal(await label(decisionId, 'legitimate'), 1)
    await fold()
    assert.deepEqual(await counts('label'), [['day', day, 'legitimate', 1]], 'it is taken back where it was counted')
    assert.deepEqual(await counts('paidBad'), [])

    clock.advance({ hours: 24 * 367 })
    await fold()
    assert.deepEqual(await counts('label'), [], 'a day is stored for two years')
    assert.equal(await label(decisionId, 'fraud'), 1, 'the decision is still there')
    await fold()
    assert.deepEqual(await counts('label'), [], 'and comes back with no label')
  })

  test(it('a label of a decision that has expired is unknown, and counts nowhere'), async (t) => {
    const database = await open(t)
    const service = await startTestService(t, database)
    const { decide, publish } = decisionCalls(service)
    await publish([rule] as never)
    const { decisionId } = (await decide({ action: 'PAYMENT', userId: 'asha', params: { amount: 41_000 } })).body
    service.clock.advance({ hours: 24 * 365 })
    const labels = [{ decisionId, outcome: 'fraud' }]
    const { body } = await service.post(endpoints.labelReports.path, { labels })
    assert.deepEqual([body.accepted, body.unknown], [0, [decisionId]])
    service.clock.advance({ seconds: 30 })
    await countActivity(service.parts)
    const rows = await database.query(`select 1 from performance_count where kind = 'label' and amount <> 0`)
    assert.deepEqual(rows, [])
  })
})
