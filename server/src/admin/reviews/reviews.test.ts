import assert from 'node:assert/strict'
import { test } from 'node:test'
import { DiscussedReview, QueuedReviews, Reviewers } from '@ringfence/contract'
import Value from 'typebox/value'
import { decisionCalls } from '../../decisions/testing.ts'
import { eachDatabase } from '../../testing/databases.ts'
import { startTestService, type TestService } from '../../testing/test-service.ts'
import { openAuditLine } from '../audit/chain.ts'
import { personWith } from '../people/test-person.ts'
import { auditLinesAfter } from '../store/audit-lines.ts'
import { adminClient } from '../testing.ts'

const rules = [{ id: 'look', name: 'Large payment', when: 'params.amount > 1000', action: 'REVIEW', score: 40 }]

async function start(service: TestService) {
  const calls = decisionCalls(service)
  await calls.publish(rules as never)
  const [maya, tim] = [await personWith(service, 'analyst', 'Maya'), await personWith(service, 'analyst', 'Tim')]
  return {
    maya,
    tim,
    async review(userId = 'u-1001'): Promise<string> {
      const { body } = await calls.decide({ action: 'PAYMENT', userId, params: { amount: 1500 } })
      service.clock.advance({ seconds: 1 })
      return body.decisionId
    },
    async ids(call: typeof maya.call, fields: object = {}): Promise<string[]> {
      const { status, body } = await call('listReviews', fields)
      assert.equal(status, 200, JSON.stringify(body))
      assert.deepEqual([...Value.Errors(QueuedReviews, body)], [])
      return body.reviews.map(({ decisionId }: { decisionId: string }) => decisionId)
    },
  }
}

eachDatabase(({ engine, open }) => {
  const it = (title: string) => `${title} (${engine})`

  test(it('a person takes a review, gives it to a colleague, and releases it'), async (t) => {
    const service = await startTestService(t, await open(t))
    const { maya, tim, review, ids } = await start(service)
    const [first, second] = [await review(), await review()]
    const since = new Date(service.clock.now()).toISOString()
    const taken = await maya.call('assignReview', { decisionId: first, personId: maya.personId })
    assert.equal(taken.status, 200, JSON.stringify(taken.body))
    assert.deepEqual([...Value.Errors(DiscussedReview, taken.body)], [])
    assert.deepEqual(taken.body.assignee, { personId: maya.personId, name: 'Maya', isYou: true, since })
    assert.deepEqual(await ids(maya.call, { filter: 'mine' }), [first])
    assert.deepEqual(await ids(tim.call, { filter: 'mine' }), [])
    assert.deepEqual(await ids(tim.call, { filter: 'unassigned' }), [second])
    assert.deepEqual(await ids(tim.call), [first, second])

    const [{ assignee }] = (await tim.call('listReviews')).body.reviews
    assert.deepEqual([assignee.name, assignee.isYou], ['Maya', false])
    const given = { decisionId: first, personId: tim.personId, insteadOf: maya.personId }
    assert.equal((await maya.call('assignReview', given)).body.assignee.name, 'Tim')
    assert.deepEqual(await ids(tim.call, { filter: 'mine' }), [first])
    const released = await tim.call('assignReview', { decisionId: first, insteadOf: tim.personId })
    assert.equal(released.body.assignee, undefined)
    assert.deepEqual(await ids(maya.call, { filter: 'unassigned' }), [first, second])
  })

  test(it('of two people who take a review at once one gets it, and the other learns who has it'), async (t) => {
    const { maya, tim, review } = await start(await startTestService(t, await open(t)))
    for (let round = 0; round < 3; round++) {
      const decisionId = await review()
      const answers = await Promise.all(
        [maya, tim].map(({ call, personId }) => call('assignReview', { decisionId, personId })),
      )
      assert.deepEqual(answers.map(({ status }) => status).toSorted(), [200, 409])
      const loser = answers.find(({ status }) => status === 409)!.body
      const winner = answers.find(({ status }) => status === 200)!.body
      assert.equal(loser.type, '/problems/review-assigned')
      assert.match(loser.detail, new RegExp(`${winner.assignee.name} has it`))
      const { assignee } = (await maya.call('readReview', { decisionId })).body
      assert.equal(assignee.name, winner.assignee.name, 'the winner still has it')
    }
  })

  test(
    it('a review of a colleague cannot be resolved before it is taken over; a client key decides in any case'),
    async (t) => {
      const service = await startTestService(t, await open(t))
      const { maya, tim, review } = await start(service)
      const decisionId = await review()
      await maya.call('assignReview', { decisionId, personId: maya.personId })
      const early = await tim.call('resolveReview', { decisionId, outcome: 'blocked', note: 'looks bad' })
      assert.deepEqual([early.status, early.body.type], [409, '/problems/review-assigned'])
      assert.match(early.body.detail, /Maya has it/)
      assert.equal((await tim.call('readReview', { decisionId })).body.state, 'open')
      await tim.call('assignReview', { decisionId, personId: tim.personId, insteadOf: maya.personId })
      const resolved = await tim.call('resolveReview', { decisionId, outcome: 'blocked', note: 'looks bad' })
      assert.deepEqual([resolved.status, resolved.body.by], [200, 'Tim'])
      const late = await maya.call('assignReview', { decisionId, personId: maya.personId, insteadOf: tim.personId })
      assert.equal(late.body.type, '/problems/review-resolved')

      const other = await review()
      await maya.call('assignReview', { decisionId: other, personId: maya.personId })
      const client = await adminClient(service, 'analyst')
      assert.equal((await client('resolveReview', { decisionId: other, outcome: 'approved' })).status, 200)
      assert.equal((await client('listReviews', { filter: 'mine' })).body.type, '/problems/person-required')
    },
  )

  test(
    it('what is past its deadline is overdue and stays open; the deadline is a setting of the tenant'),
    async (t) => {
      const service = await startTestService(t, await open(t))
      const { review, ids } = await start(service)
      // A session would end meanwhile.
      const [analyst, owner] = [await adminClient(service, 'analyst'), await adminClient(service, 'owner')]
      const first = await review()
      service.clock.advance({ hours: 23 })
      const second = await review()
      assert.deepEqual(await ids(analyst, { filter: 'overdue' }), [])
      service.clock.advance({ hours: 1 })
      assert.deepEqual(await ids(analyst, { filter: 'overdue' }), [first])
      const { reviews, dueHours } = (await analyst('listReviews')).body
      assert.equal(dueHours, 24)
      assert.deepEqual(
        reviews.map((each: { decisionId: string; isOverdue: boolean; state: string }) => [
          each.decisionId,
          each.isOverdue,
          each.state,
        ]),
        [
          [first, true, 'open'],
          [second, false, 'open'],
        ],
      )
      assert.equal((await analyst('setReviewDeadline', { dueHours: 48 })).body.type, '/problems/permission-missing')
      assert.deepEqual((await owner('setReviewDeadline', { dueHours: 48 })).body, { dueHours: 48 })
      assert.deepEqual(await ids(analyst, { filter: 'overdue' }), [])
      const { createdAt, dueAt } = (await analyst('readReview', { decisionId: first })).body
      assert.equal(Date.parse(dueAt) - Date.parse(createdAt), 48 * 3_600_000)
      for (const wrong of [0, 721, 1.5])
        assert.equal((await owner('setReviewDeadline', { dueHours: wrong })).status, 400)
    },
  )

  test(it('comments have author and time, none is lost when two come at once, and 50 are enough'), async (t) => {
    const service = await startTestService(t, await open(t))
    const { maya, tim, review } = await start(service)
    const decisionId = await review()
    const say = (call: typeof maya.call, comment: string) => call('commentReview', { decisionId, comment })
    const at = new Date(service.clock.now()).toISOString()
    const said = await say(maya.call, '  Called the shop\n')
    assert.deepEqual([...Value.Errors(DiscussedReview, said.body)], [])
    assert.deepEqual(said.body.comments, [{ by: 'Maya', isYours: true, at, comment: 'Called the shop' }])
    const both = await Promise.all([say(maya.call, 'one'), say(tim.call, 'two')])
    assert.deepEqual(
      both.map(({ status }) => status),
      [200, 200],
    )
    const { body } = await tim.call('readReview', { decisionId })
    assert.deepEqual(body.comments.map((each: { comment: string }) => each.comment).toSorted(), [
      'Called the shop',
      'one',
      'two',
    ])
    assert.equal(body.commentCount, 3)
    for (const wrong of ['', ' \n', 'x'.repeat(1001)]) assert.equal((await say(maya.call, wrong)).status, 400)
    for (let i = 3; i < 50; i++) assert.equal((await say(tim.call, `number ${i}`)).status, 200)
    assert.equal((await say(tim.call, 'one too many')).body.type, '/problems/limit-reached')
  })

  test(
    it('comments are masked for support, exported with the person, and erased with the person; the log has none'),
    async (t) => {
      const service = await startTestService(t, await open(t))
      const { maya, review } = await start(service)
      const decisionId = await review('u-77')
      const secret = 'her sister answered the phone'
      await maya.call('commentReview', { decisionId, comment: secret })
      await maya.call('resolveReview', { decisionId, outcome: 'approved', note: secret })
      const support = await personWith(service, 'support', 'Sam')
      const seen = await support.call('readReview', { decisionId })
      assert.equal(seen.status, 200)
      assert.ok(!JSON.stringify(seen.body).includes('sister'), JSON.stringify(seen.body))
      const { parts: needs, tenantId } = service
      const keys = await needs.tenantKeyring.keysOf(tenantId)
      const lines = await auditLinesAfter(needs.database, { tenantId, after: 0, limit: 100 })
      const log = JSON.stringify(lines.map((line) => openAuditLine(line, keys)))
      assert.match(log, /commentReview/)
      assert.ok(!log.includes('sister'), log)

      const owner = await personWith(service, 'owner', 'Ravi')
      const subject = { kind: 'userId', value: 'u-77' }
      const exported = await owner.call('exportSubject', { subject, reason: 'she asked for it' })
      assert.equal(exported.status, 200, JSON.stringify(exported.body))
      assert.match(JSON.stringify(exported.body), /"comments":\[\{"by":"Maya","at":"[^"]+","comment":"her sister/)
      assert.equal((await owner.call('eraseSubject', { subject, reason: 'she asked for it' })).status, 200)
      assert.equal((await maya.call('readReview', { decisionId })).body.type, '/problems/review-unknown')
      assert.equal((await maya.call('commentReview', { decisionId, comment: 'more' })).status, 404)
    },
  )

  test(it('only people who may resolve reviews can be assigned, of this tenant'), async (t) => {
    const service = await startTestService(t, await open(t))
    const { maya, tim, review } = await start(service)
    const decisionId = await review()
    const support = await personWith(service, 'support', 'Sam')
    const listed = (await maya.call('listReviewers')).body
    assert.deepEqual([...Value.Errors(Reviewers, listed)], [])
    assert.deepEqual(listed.reviewers, [
      { personId: maya.personId, name: 'Maya', isYou: true },
      { personId: tim.personId, name: 'Tim', isYou: false },
    ])
    for (const personId of [support.personId, 'nobody']) {
      const { status, body } = await maya.call('assignReview', { decisionId, personId })
      assert.deepEqual([status, body.type], [409, '/problems/reviewer-unknown'])
    }
    assert.equal((await support.call('assignReview', { decisionId, personId: support.personId })).status, 403)
    const other = await service.parts.tenantKeyring.createTenant('other')
    const stranger = await adminClient(service, 'owner', { tenantId: other.id })
    for (const name of ['readReview', 'commentReview'] as const)
      assert.equal((await stranger(name, { decisionId, comment: 'x' })).body.type, '/problems/review-unknown')
    await service.parts.database.query('delete from person_role where person_id = $1', [maya.personId])
    await tim.call('assignReview', { decisionId, personId: tim.personId })
    await service.parts.database.query('delete from person_role where person_id = $1', [tim.personId])
    const owner = await personWith(service, 'owner', 'Ravi')
    const { assignee } = (await owner.call('readReview', { decisionId })).body
    assert.deepEqual([assignee.personId, assignee.name], [tim.personId, undefined], 'somebody who has left')
    const over = { decisionId, personId: owner.personId, insteadOf: tim.personId }
    assert.equal((await owner.call('assignReview', over)).body.assignee.name, 'Ravi')
  })
})
