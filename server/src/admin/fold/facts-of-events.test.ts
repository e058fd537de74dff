// Does the event of a decision say what its row says, and only to the fold?

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { endpoints } from '@ringfence/contract'
import type { Database } from '../../core/storage/database.ts'
import { decisionCalls, intercepted } from '../../decisions/testing.ts'
import { contextOf, openEvent } from '../../events/sealed-event.ts'
import { scriptedReceiver, startWebhookService } from '../../events/testing/webhook-service.ts'
import { eachDatabase } from '../../testing/databases.ts'
import { ordinaryFacts, sdkClient } from '../../testing/sdk-client.ts'
import { startTestService, type TestService } from '../../testing/test-service.ts'
import { until } from '../../testing/until.ts'
import { countActivity, recountActivity } from '../overview/count-activity.ts'
import { adminClient } from '../testing.ts'

const rules = [
  { id: 'ask', name: 'Ask', when: 'params.amount > 100', action: 'CHALLENGE', score: 20 },
  { id: 'look', name: 'Large payment', when: 'params.amount > 1000', action: 'REVIEW', score: 40 },
  { id: 'stop', name: 'Far too large', when: 'params.amount > 9000', action: 'BLOCK', score: 90 },
]

/** Decisions of each action, with and without a device, a number and an operator's answer. */
async function decideAll(service: TestService) {
  const { decide, publish } = decisionCalls(service)
  await publish(rules as never)
  const sdk = await sdkClient(service)
  const { requestId } = await sdk.analyse(ordinaryFacts)
  const { dfrId } = (await sdk.post(endpoints.pushFingerprint.path, sdk.pushBody(requestId))).body
  const actions = new Set<string>()
  for (const [amount, currency] of [
    [1, 'INR'],
    [500, 'usd'],
    [1500, 'INR'],
    [9500, 7],
  ] as const) {
    const params = { amount, currency, total: amount + 1 }
    for (const more of [{ dfrId }, { phoneNumber: '917020141726', checks: ['simSwap'] }, {}]) {
      const { status, body } = await decide({ action: 'PAYMENT', userId: 'asha', params, ...more })
      assert.equal(status, 200, JSON.stringify(body))
      actions.add(body.action)
    }
  }
  assert.deepEqual([...actions].toSorted(), ['ALLOW', 'BLOCK', 'CHALLENGE', 'REVIEW'])
  service.clock.advance({ seconds: 30 })
}

const folded = async (database: Database) => ({
  counts: await database.query(
    `select span, starts_at, kind, action, operation, app, country, name, cast(amount as integer) as amount,
            cast(total as integer) as total from performance_count
      order by span, starts_at, kind, action, operation, app, country, name`,
  ),
  entities: await database.query(
    `select kind, hash, cast(decisions as integer) as decisions, cast(refused as integer) as refused, risk, shared
       from entity order by kind, hash`,
  ),
  deadlines: await database.query('select decision_id, kind, due_at from decision_deadline order by decision_id, kind'),
})

eachDatabase(({ engine, open }) => {
  test(`counts and entities are those that the rows of the decisions make (${engine})`, async (t) => {
    const database = await open(t)
    const service = await startTestService(t, database)
    const { parts, tenantId } = service
    await decideAll(service)
    const read: string[] = []
    const watched = intercepted(database, { query: (sql) => void read.push(sql) })
    await countActivity({ ...parts, database: watched })
    const opening = read.filter((sql) => /\bsealed\b(.|\n)* from decision /.test(sql))
    assert.deepEqual(opening, [], 'the events say it all')
    const byEvents = await folded(database)
    assert.ok(byEvents.counts.length > 20 && byEvents.entities.length === 3 && byEvents.deadlines.length > 0)

    const keys = await parts.tenantKeyring.keysOf(tenantId)
    for (const { id, sealed } of await database.query<{ id: Uint8Array; sealed: Uint8Array }>(
      `select id, sealed from event where type = 'decision.created'`,
    )) {
      const [data, aside] = openEvent({ id, sealed }, keys)
      assert.ok(aside)
      await database.query('update event set sealed = $1 where id = $2', [keys.seal(data, contextOf(id)), id])
    }
    await recountActivity(tenantId, parts)
    assert.deepEqual(await folded(database), byEvents)
  })

  test(`a rebuild adds up another param, though the events say the amount of this one (${engine})`, async (t) => {
    const database = await open(t)
    const service = await startTestService(t, database)
    const { parts, tenantId } = service
    await decideAll(service)
    const paid = async () =>
      (
        await database.query<{ total: number }>(
          `select cast(sum(total) as integer) as total from performance_count where kind = 'paid' and span = 'day'`,
        )
      )[0]!.total
    await countActivity(parts)
    assert.equal(await paid(), 3 * (1 + 500 + 1500 + 9500) * 100)
    await recountActivity(tenantId, { ...parts, settings: { ...parts.settings, amountParam: 'total' } })
    assert.equal(await paid(), 3 * (2 + 501 + 1501 + 9501) * 100)
  })

  test(`no receiver and no search has what is beside the data of an event (${engine})`, async (t) => {
    const service = await startWebhookService(t, await open(t))
    const { webhooks, tenantId, parts } = service
    const { url, received } = await scriptedReceiver(t)
    await webhooks.add(tenantId, { url, types: ['*'] })
    parts.delivery.receivers.changed(tenantId)
    service.clock.advance({ seconds: 2 })
    const { decide } = decisionCalls(service)
    // So many digits are in no random id.
    const amount = 4_321_098_765
    const aside = new RegExp(`amountOf|${amount}`)
    await decide({ action: 'PAYMENT', userId: 'asha', params: { amount, currency: 'INR' } })
    service.clock.advance({ seconds: 2 })
    const isDecision = ({ message }: (typeof received)[number]) => message.type === 'decision.created'
    await until(() => received.some(isDecision))
    const { body } = received.find(isDecision)!
    assert.match(body, /"asha"/)
    assert.doesNotMatch(body, aside)
    const call = await adminClient(service, 'owner')
    const found = await call('searchEvents', { types: ['decision.created'] })
    assert.equal(found.body.events.length, 1)
    assert.match(JSON.stringify(found.body), /"asha"/)
    assert.doesNotMatch(JSON.stringify(found.body), aside)
  })
})
