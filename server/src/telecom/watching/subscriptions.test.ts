// Does an operator that reports SIM swaps by itself become an event at once, and is nobody else believed?

import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { endpoints } from '@ringfence/contract'
import { contextOf } from '../../events/sealed-event.ts'
import { eraseSubject } from '../../privacy/erase.ts'
import { eachDatabase, sqliteDatabases } from '../../testing/databases.ts'
import { startTestService, type TestService } from '../../testing/test-service.ts'
import { watchPoller } from './poller.ts'

const { path } = endpoints.watchNumber
const number = '917020141726'
const type = 'org.camaraproject.sim-swap-subscriptions.v0.swapped'

const withSubscriptions = {
  edit: (parts: Parameters<NonNullable<NonNullable<Parameters<typeof startTestService>[2]>['edit']>>[0]) => ({
    ...parts,
    connectors: { sandbox: { ...parts.connectors.sandbox!, simSwapSubscriptions: {} } },
  }),
}

async function changesOf({ platform, tenantId }: TestService) {
  const keys = await platform.tenantKeyring.keysOf(tenantId)
  const events = await platform.database.query<{ id: Uint8Array; sealed: Uint8Array }>(
    "select id, sealed from event where type = 'telecom.number_changed' order by id",
  )
  return events.map(({ id, sealed }) => JSON.parse(keys.open(sealed, contextOf(id))))
}

const subscriptionsOf = ({ platform }: TestService) =>
  platform.database.query<{ sink_id: Uint8Array; subscription_id: string | null }>(
    'select sink_id, subscription_id from watch_subscription',
  )

const createdAt = ({ sandbox }: TestService) =>
  sandbox.calls.last(1000).filter(({ path: called }) => called.startsWith('/sim-swap-subscriptions/'))

/** The tokens that operators get, in their order. */
function tokensOf(t: TestContext, { platform }: TestService): string[] {
  const tokens: string[] = []
  for (const { swapSubscriptions } of platform.telecom.connectors.values()) {
    if (!swapSubscriptions) continue
    const { subscribe } = swapSubscriptions
    t.mock.method(swapSubscriptions, 'subscribe', (...args: Parameters<typeof subscribe>) => {
      tokens.push(args[1].accessToken)
      return subscribe(...args)
    })
  }
  return tokens
}

/** Sends an event as an operator does. @returns the error code, or the HTTP status of a success */
async function notify({ url }: TestService, sinkId: Uint8Array, token: string, body: object) {
  const response = await fetch(`${url}/v1/telecom/notifications/${Buffer.from(sinkId).toString('hex')}`, {
    method: 'POST',
    headers: {
      'content-type': 'application/cloudevents+json',
      ...(token !== '' && { authorization: `Bearer ${token}` }),
    },
    body: JSON.stringify(body),
  })
  const { errorCode } = (await response.json()) as { errorCode?: string }
  return errorCode ?? response.status
}

const cloudEvent = (id: string, atMs: number, data: object, kind = 'swapped') => ({
  ...{ id, source: 'https://operator.example', specversion: '1.0', type: type.replace('swapped', kind), data },
  time: new Date(atMs).toISOString(),
})

async function watched(service: TestService) {
  const { body } = await service.post(path, { phoneNumber: number, checks: ['simSwap'] })
  service.clock.advance({ seconds: 301 })
  const poller = watchPoller(service.platform)
  await poller.round()
  return { poller, watchId: body.watchId as string }
}

const checkOf = async (service: TestService, watchId: string) => {
  const response = await fetch(`${service.url}${path}/${watchId}`, { headers: { ...service.credentials } })
  const { checks } = (await response.json()) as { checks: Record<string, unknown>[] }
  return checks[0]!
}

eachDatabase(({ engine, open }) => {
  test(`a swap that the operator reports is an event at once, and polls do not repeat it (${engine})`, async (t) => {
    const service = await startTestService(t, await open(t), withSubscriptions)
    const { poller, watchId } = await watched(service)
    t.after(() => poller.close())
    const before = await checkOf(service, watchId)
    assert.deepEqual([before.by, before.pollIntervalSeconds], ['subscription', 7 * 86_400])
    service.clock.advance({ hours: 2 })
    service.sandbox.lines.change(number, { latestSimChange: new Date(service.clock.now()).toISOString() })
    await t.waitFor(async () => assert.equal((await changesOf(service)).length, 1))
    const [change] = await changesOf(service)
    assert.deepEqual(
      [change.check, change.source, change.connector, change.changedAt],
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
      assert.equal(await notify(service, row!.sink_id, tokens[0]!, event), 200)
    }
    assert.deepEqual(await changesOf(service), [])
    const late = cloudEvent('e-now', now, { subscriptionId: row!.subscription_id })
    assert.equal(await notify(service, row!.sink_id, tokens[0]!, late), 200)
    assert.equal((await changesOf(service)).length, 1)
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
    const { tenantId, platform } = service
    await eraseSubject({ tenantId, subject, by: 'test', reason: 'test', keepListEntries: false }, platform)
    await poller.round()
    assert.deepEqual(await subscriptionsOf(service), [])
    assert.deepEqual(
      createdAt(service).map(({ method }) => method),
      ['POST', 'DELETE', 'POST', 'DELETE'],
    )
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
  assert.equal(await send(event, 'wrong'), '70043')
  assert.equal(await send(event, ''), '70043')
  assert.equal(await send(event, tokens[0], Buffer.alloc(16)), '70043')
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
  assert.deepEqual([await send(event), await send(event), await send({ ...event, id: 'e-2' })], [200, 200, 200])
  assert.equal((await changesOf(service)).length, 1)

  const ended = { ...event, id: 'e-3', type: type.replace('swapped', 'subscription-ended') }
  const reason = { subscriptionId: row!.subscription_id, terminationReason: 'NETWORK_TERMINATED' }
  assert.equal(await send({ ...ended, data: reason }), 200)
  assert.deepEqual(await subscriptionsOf(service), [])
  assert.equal(await send(event), '70043')
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
  assert.equal(createdAt(service).length, 1, 'it is asked again only after a day')
})
