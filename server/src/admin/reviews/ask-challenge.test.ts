import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Decision, endpoints, Review } from '@ringfence/contract'
import Value from 'typebox/value'
import { endDue } from '../../decisions/deadlines.ts'
import { decisionCalls } from '../../decisions/testing.ts'
import { tokenCalls } from '../../sign-in/tokens/testing.ts'
import { eachDatabase } from '../../testing/databases.ts'
import { startTestService } from '../../testing/test-service.ts'
import { recountActivity } from '../overview/count-activity.ts'
import { personWith } from '../people/test-person.ts'
import { adminClient } from '../testing.ts'

eachDatabase(({ engine, open }) => {
  const it = (title: string) => `${title} (${engine})`

  async function start(t: Parameters<typeof startTestService>[0]) {
    const service = await startTestService(t, await open(t))
    const { post, clock } = service
    const { decide, publish, passChallenge, read } = decisionCalls(service)
    await publish([{ id: 'look', name: 'Large', when: 'params.amount > 1000', action: 'REVIEW', score: 40 }] as never)
    const { issue } = tokenCalls(service)
    const admin = await adminClient(service, 'analyst')
    return {
      ...{ service, admin, passChallenge, clock },
      read: async (decisionId: string): Promise<Decision> => (await read(decisionId)).body,
      async reviewed(more: object = { userId: 'u-1', email: 'u-1@shop.example' }): Promise<string> {
        const { body } = await decide({ action: 'PAYMENT', params: { amount: 1500 }, ...more })
        assert.equal(body.action, 'REVIEW', JSON.stringify(body))
        clock.advance({ seconds: 1 })
        return body.decisionId
      },
      ask: (decisionId: string, more: object = {}) => admin('askForChallenge', { decisionId, ...more }),
      listed: async (filter?: string): Promise<string[]> =>
        (await admin('listReviews', { ...(filter && { filter }) })).body.reviews.map(
          ({ decisionId }: Review) => decisionId,
        ),
      signIn: (userId: string) =>
        issue({
          userId,
          identities: [
            {
              ...{ identityType: 'EMAIL', identityValue: `${userId}@shop.example`, channel: 'OTP', methods: ['EMAIL'] },
              ...{ verified: true, verifiedAt: '2026-03-01T11:59:58Z' },
            },
          ],
        }),
      async events() {
        const { body } = await post(endpoints.searchEvents.path, {})
        return (body.events as { type: string; data: Record<string, unknown> }[]).filter(({ type }) =>
          /challenge|review/.test(type),
        )
      },
    }
  }

  test(it('the note of a challenge is exported with the person, also when its event has expired'), async (t) => {
    const { service, ask, reviewed } = await start(t)
    const decisionId = await reviewed({ userId: 'u-7', email: 'u-7@shop.example' })
    const note = 'her sister answered the phone'
    await ask(decisionId, { note })
    await service.parts.database.query('delete from event')
    const owner = await adminClient(service, 'owner')
    const reason = 'she asked for it'
    for (const subject of [
      { kind: 'userId', value: 'u-7' },
      { kind: 'email', value: 'u-7@shop.example' },
    ]) {
      const { status, body } = await owner('exportSubject', { subject, reason })
      assert.equal(status, 200, JSON.stringify(body))
      const decision = body.records.find(({ kind }: { kind: string }) => kind === 'decision').record
      assert.partialDeepStrictEqual(decision.challenge, { state: 'open', note })
    }
    assert.equal((await owner('eraseSubject', { subject: { kind: 'userId', value: 'u-7' }, reason })).status, 200)
    const after = (await owner('exportSubject', { subject: { kind: 'email', value: 'u-7@shop.example' }, reason })).body
    assert.ok(!JSON.stringify(after).includes('sister'), JSON.stringify(after))
  })

  test(it('a case waits for the challenge that a reviewer asked for, and passing it approves the case'), async (t) => {
    const { ask, reviewed, listed, read, passChallenge, signIn, events, admin, clock } = await start(t)
    const [decisionId, other] = [await reviewed(), await reviewed()]
    const early = await signIn('u-1')
    clock.advance({ seconds: 1 })
    const { status, body } = await ask(decisionId, { note: 'Nobody answers the phone' })
    assert.equal(status, 200, JSON.stringify(body))
    assert.deepEqual([...Value.Errors(Review, body)], [])
    assert.partialDeepStrictEqual(body, {
      state: 'open',
      challenge: { state: 'open', note: 'Nobody answers the phone' },
    })
    assert.equal(Date.parse(body.challenge.expiresAt) - Date.parse(body.challenge.askedAt), 24 * 3_600_000)
    assert.deepEqual([await listed(), await listed('waiting')], [[other], [decisionId]])
    const { challenge, review, action } = await read(decisionId)
    assert.deepEqual([action, review?.state, challenge?.state], ['REVIEW', 'open', 'open'])
    assert.deepEqual(challenge?.identityTypes, ['EMAIL'])
    const again = await ask(decisionId)
    assert.deepEqual([again.status, again.body.challenge], [200, body.challenge], 'repeating it is a success')

    const old = await passChallenge(decisionId, early)
    assert.match(old.body.description, /signed in before the challenge/)
    clock.advance({ hours: 3 })
    const stranger = await passChallenge(decisionId, await signIn('u-2'))
    assert.match(stranger.body.description, /not of the user of the decision/)
    const token = await signIn('u-1')
    const both = await Promise.all([passChallenge(decisionId, token), passChallenge(decisionId, token)])
    for (const answer of both) assert.equal(answer.status, 200, JSON.stringify(answer.body))
    const passed = await read(decisionId)
    assert.deepEqual([passed.challenge?.state, passed.review?.state], ['passed', 'approved'])
    assert.equal(passed.review?.by, body.challenge.by)
    assert.deepEqual([await listed(), await listed('waiting')], [[other], []])
    assert.equal((await admin('readReview', { decisionId })).body.challenge.state, 'passed')
    assert.deepEqual(
      (await events()).map(({ type }) => type),
      [
        'decision.review.resolved',
        'decision.challenge.passed',
        'decision.challenge.failed',
        'decision.challenge.requested',
      ],
    )
  })

  test(it('a challenge that nobody passes gives the case back, and it is not asked for twice'), async (t) => {
    const { service, ask, reviewed, listed, read, passChallenge, signIn, events, clock } = await start(t)
    const decisionId = await reviewed()
    await ask(decisionId)
    clock.advance({ hours: 24, seconds: 120 })
    await Promise.all([endDue(service.parts), endDue(service.parts)])
    assert.deepEqual(await listed(), [decisionId])
    assert.deepEqual(
      (await events()).map(({ type }) => type),
      ['decision.challenge.expired', 'decision.challenge.requested'],
    )
    const { challenge, review } = await read(decisionId)
    assert.deepEqual([challenge?.state, review?.state], ['expired', 'open'])
    const late = await passChallenge(decisionId, await signIn('u-1'))
    assert.match(late.body.description, /expired/)
    const again = await ask(decisionId)
    assert.deepEqual([again.status, again.body.type], [409, '/problems/challenge-not-possible'])
    assert.match(again.body.detail, /asked for one at 2026-.*, and it has expired/)
    await recountActivity(service.tenantId, service.parts)
    await endDue(service.parts)
    assert.deepEqual(
      (await events()).map(({ type }) => type),
      ['decision.review.overdue', 'decision.challenge.expired', 'decision.challenge.requested'],
      'counting again makes no second event',
    )
  })

  test(it('a reviewer may decide while the case waits: the challenge is over, and passes nothing'), async (t) => {
    const { service, ask, reviewed, read, passChallenge, signIn, events, admin, clock } = await start(t)
    const decisionId = await reviewed()
    await ask(decisionId)
    assert.equal((await admin('resolveReview', { decisionId, outcome: 'blocked' })).status, 200)
    const { challenge, review } = await read(decisionId)
    assert.deepEqual([challenge?.state, review?.state], ['expired', 'blocked'])
    const late = await passChallenge(decisionId, await signIn('u-1'))
    assert.match(late.body.description, /a reviewer has resolved the decision/)
    clock.advance({ hours: 25 })
    await endDue(service.parts)
    assert.ok(!(await events()).some(({ type }) => type === 'decision.challenge.expired'))
    const again = await ask(decisionId)
    assert.deepEqual([again.status, again.body.type], [409, '/problems/review-resolved'])
  })

  test(it('of a challenge that is passed and a review that is resolved at once, one counts'), async (t) => {
    const { ask, reviewed, read, passChallenge, signIn, admin, events } = await start(t)
    for (let round = 1; round <= 4; round++) {
      const decisionId = await reviewed()
      await ask(decisionId)
      const token = await signIn('u-1')
      const [passed, blocked] = await Promise.all([
        passChallenge(decisionId, token),
        admin('resolveReview', { decisionId, outcome: 'blocked' }),
      ])
      const { review, challenge } = await read(decisionId)
      assert.equal([passed, blocked].filter(({ status }) => status === 200).length, 1)
      const isPassed = passed.status === 200
      assert.deepEqual([review?.state, challenge?.state], isPassed ? ['approved', 'passed'] : ['blocked', 'expired'])
      if (isPassed) assert.match(blocked.body.detail, /approved by/)
      else assert.match(passed.body.description, /a reviewer has resolved the decision/)
      const resolved = (await events()).filter(({ type }) => type === 'decision.review.resolved')
      assert.equal(resolved.length, round)
    }
  })

  test(it('says why nobody could pass, and asks for nothing'), async (t) => {
    const { ask, reviewed, listed, read, events } = await start(t)
    const nobody = await reviewed({ userId: 'u-1' })
    const swapped = await reviewed({ userId: 'u-1', phoneNumber: '917020140110', checks: ['simSwap'] })
    for (const decisionId of [nobody, swapped]) {
      const { status, body } = await ask(decisionId)
      assert.deepEqual([status, body.type], [409, '/problems/challenge-not-possible'])
      assert.match(body.detail, /nobody could pass it/)
      assert.equal((await read(decisionId)).challenge, undefined)
    }
    assert.deepEqual(await listed(), [nobody, swapped])
    assert.deepEqual(await events(), [])
    assert.equal((await ask('01933b2e-7c1a-7b5e-9d0f-3f2a1b4c5d6e')).status, 404)
  })

  test(it('another person who works on the case keeps it: the second act is refused and loses nothing'), async (t) => {
    const { service, reviewed, read } = await start(t)
    const [maya, tim] = [await personWith(service, 'analyst', 'Maya'), await personWith(service, 'analyst', 'Tim')]
    const decisionId = await reviewed()
    assert.equal((await maya.call('assignReview', { decisionId, personId: maya.personId })).status, 200)
    const refused = await tim.call('askForChallenge', { decisionId, note: 'Call her' })
    assert.deepEqual([refused.status, refused.body.type], [409, '/problems/review-assigned'])
    assert.match(refused.body.detail, /Maya has it/)
    assert.equal((await maya.call('askForChallenge', { decisionId })).status, 200)
    const second = await tim.call('askForChallenge', { decisionId })
    assert.match(second.body.detail, /Maya asked for one/)
    assert.equal((await read(decisionId)).challenge?.state, 'open')
  })
})
