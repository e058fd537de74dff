import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Decision, endpoints } from '@ringfence/contract'
import { countActivity, recountActivity } from '../../admin/overview/count-activity.ts'
import { tokenCalls } from '../../sign-in/tokens/testing.ts'
import { eachDatabase } from '../../testing/databases.ts'
import { startTestService } from '../../testing/test-service.ts'
import { endDue } from '../deadlines.ts'
import { decisionCalls, intercepted } from '../testing.ts'

eachDatabase(({ engine, open }) => {
  const it = (title: string) => `${title} (${engine})`

  async function start(t: Parameters<typeof startTestService>[0]) {
    const service = await startTestService(t, await open(t))
    const { parts, post, clock, tenantId } = service
    const { decide, publish, passChallenge, read } = decisionCalls(service)
    await publish([{ id: 'always', name: 'Always', when: 'action == "PAYMENT"', action: 'CHALLENGE', score: 10 }])
    const { issue } = tokenCalls(service)
    const maintain = () => endDue(parts)
    return {
      service,
      passChallenge,
      read,
      maintain,
      async challenged(): Promise<string> {
        const { body } = await decide({ action: 'PAYMENT', userId: 'u-1', email: 'u@shop.example' })
        assert.equal((body as Decision).action, 'CHALLENGE')
        clock.advance({ seconds: 1 })
        return body.decisionId
      },
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
      async fold() {
        clock.advance({ seconds: 30 })
        await countActivity(parts)
      },
      async eventsOf(type: string) {
        const { body } = await post(endpoints.searchEvents.path, { types: [type] })
        return (body.events as { data: { decisionId: string; reason?: string } }[]).map(({ data }) => data)
      },
      recount: () => recountActivity(tenantId, parts),
      deadlines: () => parts.database.query('select due_at as "dueAt" from decision_deadline'),
      ends: async () =>
        Object.fromEntries(
          (
            await parts.database.query<{ kind: string; amount: number }>(
              `select kind, cast(sum(amount) as integer) as amount from performance_count
                where span = 'day' and kind in ('passed', 'failed', 'expired') group by kind order by kind`,
            )
          ).map(({ kind, amount }) => [kind, amount]),
        ),
    }
  }

  test(it('a challenge that nobody answers expires with one event, though three servers look at once'), async (t) => {
    const { service, challenged, maintain, fold, eventsOf, ends, deadlines, read } = await start(t)
    const { clock } = service
    const decisionId = await challenged()
    await fold()
    assert.equal((await deadlines()).length, 1)
    await maintain()
    assert.deepEqual(await eventsOf('decision.challenge.expired'), [], 'it is still open')
    clock.advance({ seconds: 700 })
    await Promise.all([maintain(), maintain(), maintain()])
    assert.deepEqual(await eventsOf('decision.challenge.expired'), [{ decisionId, userId: 'u-1' }])
    assert.deepEqual(await deadlines(), [])
    assert.equal((await read(decisionId)).body.challenge.state, 'expired')
    await fold()
    assert.deepEqual(await ends(), { expired: 1 })
  })

  test(it('the first sign-in that does not pass is an event, and counts until another one passes'), async (t) => {
    const { service, challenged, passChallenge, signIn, maintain, fold, eventsOf, ends } = await start(t)
    const { clock } = service
    const [stays, passes] = [await challenged(), await challenged()]
    for (const decisionId of [stays, passes, stays]) {
      const { status } = await passChallenge(decisionId, await signIn('somebody-else'))
      assert.equal(status, 400)
    }
    const failed = await eventsOf('decision.challenge.failed')
    assert.deepEqual(failed.map(({ decisionId }) => decisionId).toSorted(), [stays, passes].toSorted())
    assert.match(failed[0]!.reason!, /not of the user of the decision/)
    await fold()
    assert.deepEqual(await ends(), { failed: 2 })
    assert.equal((await passChallenge(passes, await signIn('u-1'))).status, 200)
    await fold()
    assert.deepEqual(await ends(), { failed: 1, passed: 1 })
    clock.advance({ seconds: 700 })
    await maintain()
    await fold()
    assert.deepEqual(await ends(), { failed: 1, passed: 1 }, 'each challenge counts once')
    const expired = await eventsOf('decision.challenge.expired')
    assert.deepEqual(
      expired.map(({ decisionId }) => decisionId),
      [stays],
    )
  })

  test(it('a call that has no open challenge is no failed one'), async (t) => {
    const { service, challenged, passChallenge, signIn, eventsOf } = await start(t)
    const decisionId = await challenged()
    const token = await signIn('u-1')
    assert.equal((await passChallenge(decisionId, token)).status, 200)
    assert.equal((await passChallenge(decisionId, token)).status, 200)
    const late = await challenged()
    service.clock.advance({ seconds: 601 })
    assert.equal((await passChallenge(late, await signIn('somebody-else'))).status, 400)
    assert.deepEqual(await eventsOf('decision.challenge.failed'), [])
  })

  test(it('counting again makes the same counts, and no second event'), async (t) => {
    const { service, challenged, passChallenge, signIn, maintain, fold, recount, ends, eventsOf } = await start(t)
    const ids = [await challenged(), await challenged(), await challenged()]
    await passChallenge(ids[0]!, await signIn('somebody-else'))
    await passChallenge(ids[0]!, await signIn('u-1'))
    await passChallenge(ids[1]!, await signIn('somebody-else'))
    await fold()
    service.clock.advance({ seconds: 700 })
    await maintain()
    const open = await challenged()
    await fold()
    const expected = { expired: 1, failed: 1, passed: 1 }
    assert.deepEqual(await ends(), { ...expected })
    service.clock.advance({ hours: 24 })
    await recount()
    await maintain()
    await fold()
    assert.deepEqual(await ends(), { ...expected, expired: 2 })
    const expired = await eventsOf('decision.challenge.expired')
    assert.deepEqual(expired.map(({ decisionId }) => decisionId).toSorted(), [ids[1]!, ids[2]!, open].toSorted())
    await recount()
    await maintain()
    assert.deepEqual(await ends(), { ...expected, expired: 2 })
    assert.equal((await eventsOf('decision.challenge.expired')).length, 3)
  })

  test(it('a sign-in that is stored while its challenge expires either passes or expires'), async (t) => {
    const { service, challenged, signIn, fold, eventsOf, read } = await start(t)
    const { parts, clock } = service
    const decisionId = await challenged()
    await fold()
    const token = await signIn('u-1')
    clock.advance({ seconds: 700 })
    const { challengePassedUpdate } = await import('../store/decisions.ts')
    let isPassed = false
    const slow = intercepted(parts.database, {
      async batch(sql) {
        if (isPassed || !sql.some((each) => each.includes('challenge_expired_at = $3'))) return
        isPassed = true
        await parts.database.batch([challengePassedUpdate({ tenantId: service.tenantId, decisionId }, clock.now())])
      },
    })
    await endDue({ ...parts, database: slow })
    assert.ok(isPassed && token)
    assert.deepEqual(await eventsOf('decision.challenge.expired'), [])
    assert.equal((await read(decisionId)).body.challenge.state, 'passed')
  })

  test(it('a decision that was deleted has nothing that ends'), async (t) => {
    const { service, challenged, maintain, fold, eventsOf, deadlines } = await start(t)
    await challenged()
    await fold()
    await service.parts.database.query('delete from decision')
    service.clock.advance({ seconds: 700 })
    await maintain()
    assert.deepEqual([await eventsOf('decision.challenge.expired'), await deadlines()], [[], []])
  })
})
