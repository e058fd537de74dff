// Does the watch follow what an operator says of a subscription, and does the operator get the answer that CAMARA defines?

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { eachDatabase, sqliteDatabases } from '../../testing/databases.ts'
import { startTestService } from '../../testing/test-service.ts'
import {
  checkOf,
  cloudEvent,
  createdAt,
  notify,
  subscriptionsOf,
  tokensOf,
  watched,
  withSubscriptions,
} from './testing.ts'

const updated = (id: string, atMs: number, subscriptionId: string | null, updateReason: string) =>
  cloudEvent(id, atMs, { subscriptionId, updateReason }, 'subscription-updated')

eachDatabase(({ engine, open }) => {
  test(`an inactive subscription is ended, and the number is polled as often as others (${engine})`, async (t) => {
    const service = await startTestService(t, await open(t), withSubscriptions)
    const tokens = tokensOf(t, service)
    const { poller, watchId } = await watched(service)
    t.after(() => poller.close())
    for (let i = 0; i < 4; i++) {
      const [row] = await subscriptionsOf(service)
      if (row!.subscription_id === null) break
      const inactive = updated(`e-${i}`, service.clock.now(), row!.subscription_id, 'SUBSCRIPTION_INACTIVE')
      assert.equal(await notify(service, row!.sink_id, tokens.at(-1)!, inactive), '204')
      const { by, pollIntervalSeconds } = await checkOf(service, watchId)
      assert.deepEqual([by, pollIntervalSeconds], ['poll', 21_600])
      service.clock.advance({ seconds: 60 })
      await poller.round()
      await poller.round()
    }
    const calls = createdAt(service).map(({ method }) => method)
    assert.deepEqual(calls.toSorted(), ['DELETE', 'DELETE', 'POST', 'POST'], 'not more than two in a day')
    const polls = () => service.sandbox.calls.last(1000).filter((call) => call.path === '/sim-swap/v2/check').length
    const before = polls()
    for (let i = 0; i < 2; i++) {
      service.clock.advance({ hours: 10 })
      await poller.round()
    }
    assert.equal(polls() - before, 2)
    service.clock.advance({ hours: 24 })
    await poller.round()
    assert.equal((await checkOf(service, watchId)).by, 'subscription')
  })
})

test('an event about a subscription that goes on changes nothing, whichever name CAMARA gives to its type', async (t) => {
  const service = await startTestService(t, await sqliteDatabases.open(t), withSubscriptions)
  const tokens = tokensOf(t, service)
  const { poller, watchId } = await watched(service)
  t.after(() => poller.close())
  const [row] = await subscriptionsOf(service)
  const now = service.clock.now()
  const active = updated('e-1', now, row!.subscription_id, 'SUBSCRIPTION_ACTIVE')
  const data = { subscriptionId: row!.subscription_id, initiationReason: 'SUBSCRIPTION_CREATED' }
  for (const event of [
    active,
    { ...active, type: 'org.camaraproject.api-name.v0.subscription-updated' },
    cloudEvent('e-2', now, data, 'subscription-started'),
    { ...cloudEvent('e-3', now, data), type: 'org.camaraproject.api-name.v0.subscription-started' },
  ]) {
    assert.equal(await notify(service, row!.sink_id, tokens[0]!, event), '204', event.type)
  }
  const swapped = { ...cloudEvent('e-4', now, data), type: 'org.camaraproject.api-name.v0.swapped' }
  assert.equal(await notify(service, row!.sink_id, tokens[0]!, swapped), 'P7102')
  assert.equal((await checkOf(service, watchId)).by, 'subscription')
  const inactive = updated('e-5', now, row!.subscription_id, 'SUBSCRIPTION_INACTIVE')
  const named = { ...inactive, type: 'org.camaraproject.api-name.v0.subscription-updated' }
  assert.equal(await notify(service, row!.sink_id, tokens[0]!, named), '204')
  assert.equal((await checkOf(service, watchId)).by, 'poll')
})
