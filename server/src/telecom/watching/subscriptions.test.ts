// Does an operator that reports SIM swaps automatically become an event at once, and is nobody else believed?

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as after } from 'node:timers/promises'
import { endpoints } from '@ringfence/contract'
import { operators } from '@ringfence/sandbox'
import { eraseSubject } from '../../admin/privacy/erase.ts'
import { eachDatabase, sqliteDatabases } from '../../testing/databases.ts'
import { startTestService, type TestService } from '../../testing/test-service.ts'
import { until } from '../../testing/until.ts'
import { ordinary, startRoutedService } from '../routing/testing.ts'
import { watchPoller } from './poller.ts'
import {
  changesOf,
  checkOf,
  cloudEvent,
  createdAt,
  notify,
  number,
  subscriptionsOf,
  tokensOf,
  type,
  watched,
  withSubscriptions,
} from './testing.ts'

const { path } = endpoints.watchNumber

eachDatabase(({ engine, open }) => {
  test(`a swap that the operator reports is an event at once, and polls do not repeat it (${engine})`, async (t) => {
    const service = await startTestService(t, await open(t), withSubscriptions)
    const { poller, watchId } = await watched(service)
    t.after(() => poller.close())
    const before = await checkOf(service, watchId)
    assert.deepEqual([before.by, before.pollIntervalSeconds], ['subscription', 7 * 86_400])
    service.clock.advance({ hours: 2 })
    service.sandbox.lines.change(number, { latestSimChange: new Date(service.clock.now()).toISOString() })
    const [change] = await until(
      () => changesOf(service),
      ({ length }) => length === 1,
    )
    assert.deepEqual(
      [change.check, change.by, change.source, change.changedAt],
      ['simSwap', 'subscription', 'sandbox', new Date(service.clock.now()).toISOString()],
    )
    for (let day = 0; day < 12; day++) {
      service.clock.advance({ hours: 24 })
      await poller.round()
    }
    assert.equal((await changesOf(service)).length, 1)
    assert.equal(createdAt(service).length, 1)
  })

  test(`a report of a swap long before the watch began is no event (${engine})`, async (t) => {
    const service = await startTestService(t, await open(t), withSubscriptions)
    const tokens = tokensOf(t, service)
    const { poller } = await watched(service)
    t.after(() => poller.close())
    const [row] = await subscriptionsOf(service)
    const now = service.clock.now()
    for (const days of [300, 30, 2]) {
      const event = cloudEvent(`e-${days}`, now - days * 86_400_000, { subscriptionId: row!.subscription_id })
      assert.equal(await notify(service, row!.sink_id, tokens[0]!, event), '204')
    }
    assert.deepEqual(await changesOf(service), [])
    const late = cloudEvent('e-now', now, { subscriptionId: row!.subscription_id })
    assert.equal(await notify(service, row!.sink_id, tokens[0]!, late), '204')
    assert.equal((await changesOf(service)).length, 1)
  })

  test(`an operator that reports a swap each second makes one event of an hour, and writes nothing else (${engine})`, async (t) => {
    const service = await startTestService(t, await open(t), withSubscriptions)
    const tokens = tokensOf(t, service)
    const { poller } = await watched(service)
    t.after(() => poller.close())
    const [row] = await subscriptionsOf(service)
    const data = { subscriptionId: row!.subscription_id }
    const report = async (id: number) => {
      const at = service.clock.now() + 60_000
      assert.equal(await notify(service, row!.sink_id, tokens[0]!, cloudEvent(`e-${id}`, at, data)), '204')
    }
    const written = () => service.parts.database.query('select due_at, sealed, claim from number_watch')
    await report(0)
    // A poll is in flight.
    await service.parts.database.query('update number_watch set claim = $1', [Buffer.alloc(16)])
    const before = await written()
    for (let id = 1; id <= 20; id++) {
      service.clock.advance({ seconds: 1 })
      await report(id)
    }
    assert.equal((await changesOf(service)).length, 1)
    assert.deepEqual(await written(), before)
    service.clock.advance({ hours: 1 })
    await report(21)
    assert.equal((await changesOf(service)).length, 2, 'a later swap counts')
  })

  test(`a deleted or erased watch ends its subscription at the operator (${engine})`, async (t) => {
    const service = await startTestService(t, await open(t), withSubscriptions)
    const { poller, watchId } = await watched(service)
    t.after(() => poller.close())
    await service.post(`${path}/delete`, { watchId })
    await poller.round()
    assert.deepEqual(await subscriptionsOf(service), [])
    await watched(service).then(({ poller: second }) => second.close())
    const subject = { kind: 'phoneNumber', value: number } as const
    const { tenantId, parts: needs } = service
    await eraseSubject({ tenantId, subject, by: 'test', reason: 'test', keepListEntries: false }, needs)
    await poller.round()
    assert.deepEqual(await subscriptionsOf(service), [])
    assert.deepEqual(
      createdAt(service).map(({ method }) => method),
      ['POST', 'DELETE', 'POST', 'DELETE'],
    )
  })
})

const connectorsOf = async ({ parts: needs }: TestService) =>
  needs.database.query<{ connector: string; subscription_id: string | null }>(
    'select connector, subscription_id from watch_subscription order by connector',
  )

eachDatabase(({ engine, open }) => {
  test(`a port ends the subscription at the old operator and makes one at the new (${engine})`, async (t) => {
    const service = await startRoutedService(t, await open(t), {
      routing: { operators: { '001-01': [{ connector: 'acme' }], '001-02': [{ connector: 'hub' }] } },
      edit: (parts) => ({
        ...parts,
        connectors: Object.fromEntries(
          Object.entries(parts.connectors).map(([name, entry]) => [name, { ...entry, simSwapSubscriptions: {} }]),
        ),
      }),
    })
    const { body } = await service.post(path, { phoneNumber: ordinary, checks: ['simSwap', 'portability'] })
    service.clock.advance({ seconds: 301 })
    const poller = watchPoller(service.parts)
    t.after(() => poller.close())
    await poller.round()
    assert.deepEqual(
      (await connectorsOf(service)).map(({ connector }) => connector),
      ['hub'],
    )
    const [oldRow] = await subscriptionsOf(service)
    const operator = operators.find(({ id }) => id === '001-01')!
    service.sandbox.lines.change(ordinary, { operator })
    for (const { lines } of Object.values(service.upstreams)) lines.change(ordinary, { operator })
    // The old operator cannot end it now: the watch does not wait for that.
    const { swapSubscriptions } = service.parts.telecom.connectors.get('hub')!
    const failing = t.mock.method(swapSubscriptions!, 'end', () => Promise.reject(new Error('the operator is down')))
    for (let i = 0; i < 3; i++) {
      service.clock.advance({ hours: 12 })
      await poller.round()
    }
    const current = await service.parts.database.query<{ connector: string }>(
      'select connector from watch_subscription where subscription_id is not null and watch_id <> $1',
      [new Uint8Array(0)],
    )
    assert.deepEqual(current, [{ connector: 'acme' }])
    const [swap] = (await changesOf(service)).filter(({ check }) => check === 'simSwap')
    assert.equal(swap, undefined)
    // The old operator still reports, for a line that is no more its own.
    const before = await changesOf(service)
    service.upstreams.hub.lines.change(ordinary, { latestSimChange: new Date(service.clock.now()).toISOString() })
    await after(300)
    assert.deepEqual(await changesOf(service), before)
    service.upstreams.acme.lines.change(ordinary, { latestSimChange: new Date(service.clock.now()).toISOString() })
    await until(async () => (await changesOf(service)).length === before.length + 1)
    assert.equal((await changesOf(service)).at(-1).source, 'acme')
    assert.equal((await checkOf(service, body.watchId)).by, 'subscription')
    assert.ok(failing.mock.callCount() > 0)
    failing.mock.restore()
    service.clock.advance({ seconds: 121 })
    await poller.round()
    assert.deepEqual((await subscriptionsOf(service)).length, 1)
    assert.notEqual((await subscriptionsOf(service))[0]?.subscription_id, oldRow?.subscription_id)
  })

  test(`a watch deleted during its poll or its subscription leaves no subscription (${engine})`, async (t) => {
    const service = await startTestService(t, await open(t), withSubscriptions)
    const { swapSubscriptions, checks } = service.parts.telecom.connectors.get('sandbox')!
    const { subscribe } = swapSubscriptions!
    const answering = checks as Required<typeof checks>
    const { simSwap } = answering
    let watchId = ''
    let when: 'poll' | 'subscribe' = 'poll'
    const deleteIt = () => service.post(`${path}/delete`, { watchId })
    t.mock.method(answering, 'simSwap', async (...args: Parameters<typeof simSwap>) => {
      const answer = await simSwap(...args)
      if (when === 'poll') await deleteIt()
      return answer
    })
    t.mock.method(swapSubscriptions!, 'subscribe', async (...args: Parameters<typeof subscribe>) => {
      const accepted = await subscribe(...args)
      await deleteIt()
      return accepted
    })
    const poller = watchPoller(service.parts)
    t.after(() => poller.close())
    for (when of ['poll', 'subscribe'] as const) {
      watchId = (await service.post(path, { phoneNumber: number, checks: ['simSwap'] })).body.watchId
      service.clock.advance({ seconds: 301 })
      await poller.round()
      await poller.round()
      assert.deepEqual(await subscriptionsOf(service), [], when)
    }
    assert.deepEqual(
      createdAt(service).map(({ method }) => method),
      ['POST', 'DELETE'],
    )
    assert.deepEqual(await changesOf(service), [])
  })

  test(`an event before its subscription is stored is sent again by the operator (${engine})`, async (t) => {
    const service = await startTestService(t, await open(t), withSubscriptions)
    const { swapSubscriptions } = service.parts.telecom.connectors.get('sandbox')!
    const { subscribe } = swapSubscriptions!
    const answers: unknown[] = []
    let resend = async () => {}
    t.mock.method(swapSubscriptions!, 'subscribe', async (...args: Parameters<typeof subscribe>) => {
      const accepted = await subscribe(...args)
      const { sink, accessToken } = args[1]
      const event = cloudEvent('e-1', service.clock.now(), { subscriptionId: accepted.id })
      const sinkId = Buffer.from(sink.slice(-32), 'hex')
      resend = async () => void answers.push(await notify(service, sinkId, accessToken, event))
      await resend()
      return accepted
    })
    const { poller } = await watched(service)
    t.after(() => poller.close())
    await resend()
    assert.deepEqual(answers, ['70503', '204'])
    assert.equal((await changesOf(service)).length, 1)
  })

  test(`an operator that ends each subscription gets two in a day (${engine})`, async (t) => {
    const service = await startTestService(t, await open(t), withSubscriptions)
    const tokens = tokensOf(t, service)
    const { poller } = await watched(service)
    t.after(() => poller.close())
    for (let i = 0; i < 6; i++) {
      const [row] = await subscriptionsOf(service)
      const data = { subscriptionId: row!.subscription_id, terminationReason: 'NETWORK_TERMINATED' }
      const event = cloudEvent(`e-${i}`, service.clock.now(), data, 'subscription-ended')
      if (row!.subscription_id !== null) assert.equal(await notify(service, row!.sink_id, tokens.at(-1)!, event), '204')
      service.clock.advance({ seconds: 60 })
      await poller.round()
    }
    assert.equal(createdAt(service).length, 2)
    service.clock.advance({ hours: 31 })
    await poller.round()
    service.clock.advance({ hours: 7 })
    await poller.round()
    assert.equal(createdAt(service).length, 3)
  })

  test(`a refused subscription costs no poll of its own (${engine})`, async (t) => {
    const service = await startTestService(t, await open(t), withSubscriptions)
    const route = '/sim-swap-subscriptions/v0.4/subscriptions'
    service.sandbox.faults.switchOn({ kind: 'status', status: 501, route })
    const { poller, watchId } = await watched(service)
    t.after(() => poller.close())
    const { nextCheckAt } = await checkOf(service, watchId)
    const polls = () => service.sandbox.calls.last(1000).filter((call) => call.path === '/sim-swap/v2/check').length
    let [due, made] = [Date.parse(nextCheckAt as string), polls()]
    for (let minutes = 0; minutes < 50 * 60; minutes += 20) {
      service.clock.advance({ seconds: 1200 })
      await poller.round()
      if (service.clock.now() >= due) {
        made++
        due = Date.parse((await checkOf(service, watchId)).nextCheckAt as string)
      }
      assert.equal(polls(), made)
    }
  })
})

test('refuses a wrong token, another subscription, another number and another type; an event counts once', async (t) => {
  const service = await startTestService(t, await sqliteDatabases.open(t), withSubscriptions)
  const tokens = tokensOf(t, service)
  const { poller } = await watched(service)
  t.after(() => poller.close())
  const [row] = await subscriptionsOf(service)
  service.clock.advance({ hours: 1 })
  const data = { subscriptionId: row!.subscription_id, phoneNumber: `+${number}` }
  const event = cloudEvent('e-1', service.clock.now(), data)
  const send = (body: object, token = tokens[0]!, sinkId = row!.sink_id) => notify(service, sinkId, token, body)
  assert.equal(await send(event, 'wrong'), '70063')
  assert.equal(await send(event, ''), '70063')
  assert.equal(await send(event, tokens[0], Buffer.alloc(16)), '70063')
  for (const wrong of [
    { data: { ...data, subscriptionId: 'other' } },
    { data: { ...data, phoneNumber: '+917020141727' } },
    { type: 'org.camaraproject.device-swap-subscriptions.v0.swapped' },
    { time: new Date(service.clock.now() + 2 * 86_400_000).toISOString() },
    { specversion: '0.3' },
    { id: 'x'.repeat(300) },
  ]) {
    assert.equal(await send({ ...event, ...wrong }), 'P7102', JSON.stringify(wrong))
  }
  assert.deepEqual(await changesOf(service), [])
  assert.deepEqual([await send(event), await send(event), await send({ ...event, id: 'e-2' })], ['204', '204', '204'])
  assert.equal((await changesOf(service)).length, 1)

  const ended = { ...event, id: 'e-3', type: type.replace('swapped', 'subscription-ended') }
  const reason = { subscriptionId: row!.subscription_id, terminationReason: 'NETWORK_TERMINATED' }
  assert.equal(await send({ ...ended, data: reason }), '204')
  assert.deepEqual(await subscriptionsOf(service), [])
  assert.equal(await send(event), '70063')
  await poller.round()
  assert.equal((await subscriptionsOf(service)).length, 1, 'it subscribes again')
})

test('an operator that refuses a subscription leaves the number to polls', async (t) => {
  const service = await startTestService(t, await sqliteDatabases.open(t), withSubscriptions)
  service.sandbox.faults.switchOn({
    kind: 'status',
    status: 501,
    route: '/sim-swap-subscriptions/v0.4/subscriptions',
  })
  const { poller, watchId } = await watched(service)
  t.after(() => poller.close())
  const check = await checkOf(service, watchId)
  assert.deepEqual([check.by, check.state, check.pollIntervalSeconds], ['poll', 'watching', 21_600])
  for (let i = 0; i < 3; i++) {
    service.clock.advance({ hours: 6 })
    await poller.round()
  }
  assert.equal(createdAt(service).length, 1, 'a refused subscription is repeated only after a day')
})
