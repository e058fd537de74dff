import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Decision, endpoints, Review, Reviews } from '@ringfence/contract'
import Value from 'typebox/value'
import { eachDatabase } from '../../testing/databases.ts'
import { startTestService, type TestService } from '../../testing/test-service.ts'
import { decisionCalls } from '../testing.ts'

const rules = [
  { id: 'look', name: 'Large payment', when: 'params.amount > 1000', action: 'REVIEW', score: 40 },
  { id: 'stop', name: 'Far too large', when: 'params.amount > 9000', action: 'BLOCK', score: 90 },
]

async function start(service: TestService) {
  const calls = decisionCalls(service)
  await calls.publish(rules as never)
  const decide = async (amount: number, userId = 'u-1001'): Promise<Decision> => {
    const { status, body } = await calls.decide({ action: 'PAYMENT', userId, params: { amount } })
    assert.equal(status, 200, JSON.stringify(body))
    service.clock.advance({ seconds: 1 })
    return body
  }
  return {
    ...calls,
    decide,
    async list(body: object = {}): Promise<Reviews> {
      const answer = await service.post(endpoints.listReviews.path, body)
      assert.equal(answer.status, 200, JSON.stringify(answer.body))
      assert.deepEqual([...Value.Errors(Reviews, answer.body)], [])
      return answer.body
    },
    resolve: (decisionId: string, body: object, headers = {}) =>
      service.post(endpoints.resolveReview.path.replace('{decisionId}', decisionId), body, headers),
  }
}

const idsOf = ({ reviews }: Reviews) => reviews.map(({ decisionId }) => decisionId)

eachDatabase(({ engine, open }) => {
  const it = (title: string) => `${title} (${engine})`

  test(it('a decision that a rule sends to REVIEW waits in the queue, oldest first'), async (t) => {
    const { decide, list, read } = await start(await startTestService(t, await open(t)))
    assert.deepEqual(await list(), { reviews: [] })
    const first = await decide(1500)
    assert.deepEqual([first.action, first.review], ['REVIEW', { state: 'open' }])
    assert.deepEqual([...Value.Errors(Decision, first)], [])
    assert.deepEqual((await read(first.decisionId)).body, first)
    assert.equal((await decide(10)).review, undefined)
    const blocked = await decide(9500)
    assert.deepEqual([blocked.action, blocked.review], ['BLOCK', undefined], 'a stricter rule decides')
    const others = [await decide(1600), await decide(1700, 'ben')].map(({ decisionId }) => decisionId)
    const ids = [first.decisionId, ...others]
    assert.deepEqual(idsOf(await list()), ids)
    const [review] = (await list()).reviews
    const { decisionId, createdAt, score } = first
    const expected = {
      decisionId,
      createdAt,
      state: 'open',
      operation: 'PAYMENT',
      score,
      rules: ['look'],
      ruleName: 'Large payment',
      verdict: first.verdict,
      userId: 'u-1001',
    }
    assert.deepEqual({ ...review, reasons: [] }, { ...expected, reasons: [] })

    const page = await list({ limit: 2 })
    assert.deepEqual(idsOf(page), ids.slice(0, 2))
    const last = await list({ limit: 2, cursor: page.nextCursor })
    assert.deepEqual([idsOf(last), last.nextCursor], [ids.slice(2), undefined])
  })

  test(it('a reviewer approves or blocks once, with an event; repeating it is a success'), async (t) => {
    const service = await startTestService(t, await open(t))
    const { decide, list, read, resolve } = await start(service)
    const [first, second] = [await decide(1500), await decide(1600)]
    const resolution = { outcome: 'approved', by: 'maya', note: 'She called us back' }
    const resolvedAt = new Date(service.clock.now()).toISOString()
    const { status, body } = await resolve(first.decisionId, resolution)
    assert.equal(status, 200, JSON.stringify(body))
    assert.deepEqual([...Value.Errors(Review, body)], [])
    const { outcome: state, by, note } = resolution
    assert.deepEqual([body.state, body.by, body.note, body.resolvedAt], [state, by, note, resolvedAt])
    assert.deepEqual((await read(first.decisionId)).body.review, { state, by, note, resolvedAt })

    service.clock.advance({ seconds: 5 })
    const again = await resolve(first.decisionId, resolution)
    assert.deepEqual([again.status, again.body], [200, body])
    for (const other of [
      { outcome: 'blocked', by: 'maya' },
      { outcome: 'approved', by: 'tim' },
    ]) {
      const late = await resolve(first.decisionId, other)
      assert.deepEqual([late.status, late.body.errorCode], [409, '70410'])
      assert.equal(late.body.description, `The review is already resolved: approved by maya at ${resolvedAt}`)
    }
    assert.equal((await resolve(second.decisionId, { outcome: 'blocked', by: 'tim' })).status, 200)
    assert.deepEqual(await list(), { reviews: [] })
    assert.deepEqual(idsOf(await list({ state: 'approved' })), [first.decisionId])
    assert.deepEqual(idsOf(await list({ state: 'blocked' })), [second.decisionId])
    assert.equal((await read(second.decisionId)).body.action, 'REVIEW', 'the decision itself does not change')

    const found = await service.post(endpoints.searchEvents.path, {
      userId: 'u-1001',
      types: ['decision.review.resolved'],
    })
    assert.deepEqual(
      found.body.events.map(({ outcome, data }: { outcome: string; data: { by: string } }) => [outcome, data.by]),
      [
        ['blocked', 'tim'],
        ['approved', 'maya'],
      ],
    )
  })

  test(it('of two reviewers at once one decides, and the other learns who'), async (t) => {
    const service = await startTestService(t, await open(t))
    const { decide, resolve } = await start(service)
    for (let round = 0; round < 5; round++) {
      const { decisionId } = await decide(1500)
      const answers = await Promise.all([
        resolve(decisionId, { outcome: 'approved', by: 'maya' }),
        resolve(decisionId, { outcome: 'blocked', by: 'tim' }),
      ])
      assert.deepEqual(answers.map(({ status }) => status).toSorted(), [200, 409])
      const winner = answers.find(({ status }) => status === 200)!.body
      const loser = answers.find(({ status }) => status === 409)!.body
      assert.match(loser.description, new RegExp(`${winner.state} by ${winner.by} at`))
      const events = await service.post(endpoints.searchEvents.path, { types: ['decision.review.resolved'] })
      assert.equal(events.body.events.length, round + 1)
    }
  })

  test(it('a decision without a review, of another tenant, or that has expired is unknown'), async (t) => {
    const service = await startTestService(t, await open(t))
    const { decide, resolve, list } = await start(service)
    const { parts: needs } = service
    const other = await needs.tenantKeyring.createTenant('other')
    const credentials = { ...(await needs.clients.createClient(other.id, 'other')) }
    const plain = await decide(10)
    const reviewed = await decide(1500)
    const resolution = { outcome: 'approved', by: 'maya' }
    const unknown = async (decisionId: string, headers = {}) => {
      const { status, body } = await resolve(decisionId, resolution, headers)
      assert.deepEqual([status, body.errorCode], [404, '70017'])
    }
    await unknown(plain.decisionId)
    await unknown('01933b2e-7c1a-7b5e-9d0f-3f2a1b4c5d6e')
    await unknown(reviewed.decisionId, credentials)
    assert.deepEqual((await service.post(endpoints.listReviews.path, {}, credentials)).body, { reviews: [] })
    for (const [body, description] of [
      [{ by: 'maya' }, /outcome/],
      [{ outcome: 'open', by: 'maya' }, /outcome/],
      [{ outcome: 'approved' }, /by/],
      [{ ...resolution, note: 'x'.repeat(2001) }, /note/],
    ] as const) {
      const refused = await resolve(reviewed.decisionId, body)
      assert.equal(refused.status, 400)
      assert.match(refused.body.description, description)
    }
    const { nextCursor = '' } = await list({ limit: 1 })
    assert.equal(nextCursor, '', 'one review is one page')
    service.clock.advance({ hours: 24 * needs.settings.decisionDays })
    await unknown(reviewed.decisionId)
    assert.deepEqual(await list(), { reviews: [] })
  })
})
