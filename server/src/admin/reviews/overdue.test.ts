import assert from 'node:assert/strict'
import { test } from 'node:test'
import { endpoints, type QueuedReview } from '@ringfence/contract'
import { endDue } from '../../decisions/deadlines.ts'
import { decisionCalls } from '../../decisions/testing.ts'
import { eachDatabase } from '../../testing/databases.ts'
import { startTestService } from '../../testing/test-service.ts'
import { countActivity, recountActivity } from '../overview/count-activity.ts'
import { adminClient } from '../testing.ts'

const rules = [
  { id: 'look', name: 'Large', when: 'params.amount > 1000', action: 'REVIEW', score: 40 },
  { id: 'soon', name: 'Very large', when: 'params.amount > 5000', action: 'REVIEW', score: 60, reviewHours: 2 },
]

eachDatabase(({ engine, open }) => {
  const it = (title: string) => `${title} (${engine})`

  async function start(t: Parameters<typeof startTestService>[0]) {
    const service = await startTestService(t, await open(t))
    const { parts, post, clock } = service
    const { decide, publish } = decisionCalls(service)
    await publish(rules.toReversed() as never)
    const admin = await adminClient(service, 'owner')
    return {
      ...{ service, admin, clock },
      async reviewed(amount: number): Promise<string> {
        const { body } = await decide({ action: 'PAYMENT', userId: 'u-1', email: 'u@shop.example', params: { amount } })
        assert.equal(body.action, 'REVIEW')
        clock.advance({ seconds: 1 })
        return body.decisionId
      },
      async fold() {
        clock.advance({ seconds: 30 })
        await countActivity(parts)
      },
      later: async (hours: number) => {
        clock.advance({ hours })
        await Promise.all([endDue(parts), endDue(parts)])
      },
      async overdue(): Promise<string[]> {
        const { body } = await post(endpoints.searchEvents.path, { types: ['decision.review.overdue'] })
        return body.events.map(({ data }: { data: { decisionId: string } }) => data.decisionId).toReversed()
      },
      listed: async (fields: object = {}): Promise<QueuedReview[]> => (await admin('listReviews', fields)).body.reviews,
    }
  }

  test(it('a rule gives its reviews a deadline of their own, and an overdue one is an event, once'), async (t) => {
    const { service, reviewed, fold, later, overdue, listed, admin } = await start(t)
    const [usual, soon] = [await reviewed(1500), await reviewed(9000)]
    await fold()
    const rows = await listed()
    assert.deepEqual(
      rows.map(({ decisionId, isOverdue }) => [decisionId, isOverdue]),
      [
        [soon, false],
        [usual, false],
      ],
      'what is due first comes first',
    )
    assert.equal(Date.parse(rows[0]!.dueAt) - Date.parse(rows[0]!.createdAt), 2 * 3_600_000)
    const pages = await admin('listReviews', { limit: 1 })
    assert.deepEqual(
      (await listed({ limit: 1, cursor: pages.body.nextCursor })).map(({ decisionId }) => decisionId),
      [usual],
    )
    await later(1)
    assert.deepEqual(await overdue(), [])
    await later(1.5)
    assert.deepEqual(await overdue(), [soon])
    assert.deepEqual(
      (await listed({ filter: 'overdue' })).map(({ decisionId }) => decisionId),
      [soon],
    )
    await later(24)
    assert.deepEqual(await overdue(), [soon, usual])
    await recountActivity(service.tenantId, service.parts)
    await later(1)
    assert.deepEqual(await overdue(), [soon, usual], 'counting again makes no second event')
  })

  test(
    it('a deadline that is changed holds for open reviews too, but not for those of a rule with its own'),
    async (t) => {
      const { reviewed, fold, later, overdue, admin } = await start(t)
      const [usual, soon] = [await reviewed(1500), await reviewed(9000)]
      await fold()
      assert.equal((await admin('setReviewDeadline', { dueHours: 1 })).status, 200)
      await later(1.2)
      assert.deepEqual(await overdue(), [usual])
      const other = await reviewed(1500)
      await fold()
      await admin('setReviewDeadline', { dueHours: 48 })
      await later(2)
      assert.deepEqual(await overdue(), [usual, soon])
      await later(47)
      assert.deepEqual(await overdue(), [usual, soon, other])
    },
  )

  test(
    it('what is resolved is never overdue, and what waits for a challenge is when the challenge has expired'),
    async (t) => {
      const { reviewed, fold, later, overdue, listed, admin } = await start(t)
      const [resolved, waits] = [await reviewed(9000), await reviewed(9000)]
      await fold()
      await admin('resolveReview', { decisionId: resolved, outcome: 'approved' })
      assert.equal((await admin('askForChallenge', { decisionId: waits })).status, 200)
      await later(5)
      assert.deepEqual(await overdue(), [])
      assert.deepEqual(await listed({ filter: 'overdue' }), [])
      await later(20)
      await later(0.1)
      assert.deepEqual(await overdue(), [waits])
      assert.equal((await listed())[0]?.isOverdue, true)
    },
  )
})
