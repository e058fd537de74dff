// Does every event reach a webhook, signed, in order for each key, and whatever the receiver answers?

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as after } from 'node:timers/promises'
import { Webhook } from 'standardwebhooks'
import { atEnd } from '../../testing/at-end.ts'
import { eachDatabase, postgresDatabases, sqliteDatabases } from '../../testing/databases.ts'
import { until } from '../../testing/until.ts'
import { Dispatcher } from '../delivery/dispatcher.ts'
import { listReceivers } from '../store/receivers.ts'
import { scriptedReceiver, startWebhookService, type WebhookService } from '../testing/webhook-service.ts'
import { resolveLocally } from './target.ts'

const versionsOf = (received: readonly { message: { data: { version: number } } }[]) =>
  received.map(({ message }) => message.data.version)

const waiting = async ({ parts: needs }: WebhookService) =>
  (await needs.database.query('select event_id from event_delivery')).length

async function subscribed(service: WebhookService, url: string, types = ['*']) {
  const added = await service.webhooks.add(service.tenantId, { url, types })
  service.parts.delivery.receivers.changed(service.tenantId)
  return added
}

eachDatabase(({ engine, open }) => {
  test(`delivers an event once, with a signature that an independent library accepts (${engine})`, async (t) => {
    const service = await startWebhookService(t, await open(t))
    const { url, received } = await scriptedReceiver(t)
    // The library refuses a timestamp that is five minutes off, and this clock stands still.
    service.clock.advance({ ms: Date.now() - service.clock.now() })
    const { id, secret } = await subscribed(service, url)
    await service.happen(1)
    await until(async () => received.length === 1 && (await waiting(service)) === 0)
    const { headers, body, message } = received[0]!
    assert.deepEqual(new Webhook(secret).verify(body, headers), message)
    assert.throws(() => new Webhook(secret).verify(body.replace('"version":1', '"version":2'), headers))
    assert.equal(headers['webhook-id'], message.id)
    assert.deepEqual([message.type, message.data], ['rules.changed', { change: 'live', version: 1, by: 'maya' }])
    const [attempt] = await service.webhooks.attempts(service.tenantId, id, 10)
    assert.deepEqual([attempt?.eventId, attempt?.result, attempt?.status], [message.id, 'accepted', 200])
  })

  test(`after a rotation both secrets verify for a day, then only the new one (${engine})`, async (t) => {
    const service = await startWebhookService(t, await open(t))
    const { url, received } = await scriptedReceiver(t)
    service.clock.advance({ ms: Date.now() - service.clock.now() })
    const { id, secret: old } = await subscribed(service, url)
    const { secret } = await service.webhooks.rotate(service.tenantId, id)
    await service.happen(1)
    await until(() => received.length === 1)
    const { headers, body } = received[0]!
    for (const each of [old, secret]) new Webhook(each).verify(body, headers)
    service.clock.advance({ hours: 24, seconds: 1 })
    await service.happen(2)
    await until(() => received.length === 2)
    assert.equal(received[1]!.headers['webhook-signature']!.split(' ').length, 1)
    const sealed = JSON.stringify(await listReceivers(service.parts.database, service.tenantId))
    assert.ok(!sealed.includes(secret) && !sealed.includes('127.0.0.1'), 'URL and secrets are sealed')
  })

  test(`a failed event blocks those of its key only, and they follow in order when it is accepted (${engine})`, async (t) => {
    const service = await startWebhookService(t, await open(t))
    let refuses = true
    const { url, received } = await scriptedReceiver(t, ({ message }, response) => {
      response.statusCode = refuses && message.data.version === 1 ? 500 : 200
      response.end('the database is down')
    })
    const { id } = await subscribed(service, url)
    await service.happen(1, 'a')
    await service.happen(2, 'a')
    await service.happen(3, 'b')
    await until(async () => versionsOf(received).includes(3) && (await waiting(service)) === 2)
    await service.happen(4, 'a')
    await service.happen(5, 'b')
    await until(() => versionsOf(received).includes(5))
    assert.ok(!versionsOf(received).some((version) => version === 2 || version === 4))
    const refusal = async () =>
      (await service.webhooks.attempts(service.tenantId, id, 10)).find(({ result }) => result === 'refused')
    const failed = await until(refusal)
    assert.deepEqual([failed?.status, failed?.answer], [500, 'the database is down'])
    refuses = false
    service.clock.advance({ seconds: 6 })
    await until(async () => (await waiting(service)) === 0)
    const ofA = versionsOf(received).filter((version) => [1, 2, 4].includes(version))
    assert.deepEqual(
      ofA.filter((version, i) => ofA.indexOf(version) === i && version !== 1),
      [2, 4],
    )
    assert.ok(ofA.lastIndexOf(1) < ofA.indexOf(2))
    const ids = received.filter(({ message }) => message.data.version === 1).map(({ headers }) => headers['webhook-id'])
    assert.equal(new Set(ids).size, 1, 'the id is the same in every attempt')
  })

  test(`410 disables a webhook; a redirect is a failure and is not followed (${engine})`, async (t) => {
    const service = await startWebhookService(t, await open(t))
    const elsewhere = await scriptedReceiver(t)
    let status = 302
    const { url, received } = await scriptedReceiver(t, (_, response) => {
      response.writeHead(status, { location: elsewhere.url }).end()
    })
    const { id } = await subscribed(service, url)
    await service.happen(1)
    await until(async () => (await service.webhooks.show(service.tenantId, id)).failure === 'redirected (302)')
    status = 410
    service.clock.advance({ seconds: 6 })
    await until(async () => (await service.webhooks.show(service.tenantId, id)).state === 'disabled')
    assert.equal(elsewhere.received.length, 0)
    const before = received.length
    service.parts.delivery.receivers.changed(service.tenantId)
    await service.happen(2)
    service.clock.advance({ hours: 30 })
    await after(700)
    assert.deepEqual([received.length, await waiting(service)], [before, 1])
    status = 200
    await service.webhooks.setState(service.tenantId, id, 'active')
    service.clock.advance({ seconds: 1 })
    await until(async () => (await waiting(service)) === 0)
  })

  test(`pause, resume, replay of one event and of a time, and a test event (${engine})`, async (t) => {
    const service = await startWebhookService(t, await open(t))
    const { tenantId, clock } = service
    const { url, received } = await scriptedReceiver(t)
    const { id } = await subscribed(service, url)
    await service.webhooks.setState(tenantId, id, 'paused')
    await service.happen(1)
    await service.happen(2)
    await after(600)
    assert.deepEqual([received.length, (await service.webhooks.show(tenantId, id)).waiting], [0, 2])
    await service.webhooks.setState(tenantId, id, 'active')
    clock.advance({ seconds: 1 })
    await until(() => received.length === 2)
    const since = clock.now() + 1
    clock.advance({ seconds: 1 })
    await service.happen(3)
    await until(() => received.length === 3)
    const eventId = received[0]!.message.id
    assert.equal(await service.webhooks.replay(tenantId, id, { eventId }), 1)
    assert.equal(await service.webhooks.replay(tenantId, id, { since, until: clock.now() + 1 }), 1)
    await until(() => received.length === 5)
    assert.deepEqual(versionsOf(received).slice(3).toSorted(), [1, 3])
    const testId = await service.webhooks.test(tenantId, id)
    await until(() => received.length === 6)
    assert.deepEqual([received[5]!.message.id, received[5]!.message.type], [testId, 'webhook.test'])
    await assert.rejects(service.webhooks.replay(tenantId, id, { eventId: 'x' }), /there is no event x/)
    await service.webhooks.remove(tenantId, id)
    await assert.rejects(service.webhooks.show(tenantId, id), /there is no webhook/)
    const other = await service.parts.tenantKeyring.createTenant('other')
    await assert.rejects(service.webhooks.show(other.id, id), /there is no webhook/)
  })

  test(`an event that fails for three days is given up, and the next of its key follows (${engine})`, async (t) => {
    const service = await startWebhookService(t, await open(t), { settings: { eventDays: 30 } })
    const { url, received } = await scriptedReceiver(t, ({ message }, response) => {
      response.statusCode = message.data.version === 1 ? 400 : 200
      response.end()
    })
    const { id } = await subscribed(service, url)
    await service.happen(1, 'a')
    await service.happen(2, 'a')
    const failures = async () =>
      (await service.webhooks.attempts(service.tenantId, id, 100)).filter(({ result }) => result !== 'accepted').length
    for (let i = 0; i < 12 && !versionsOf(received).includes(2); i++) {
      // Until it is stored that it failed, nobody knows when it is due again.
      await until(async () => (await failures()) > i || versionsOf(received).includes(2))
      await service.happen(100 + i, 'others')
      await until(async () => versionsOf(received).includes(100 + i) && (await waiting(service)) <= 2)
      service.clock.advance({ hours: 27 })
    }
    await until(() => versionsOf(received).includes(2))
    const attempts = await service.webhooks.attempts(service.tenantId, id, 100)
    assert.ok(attempts.some(({ result }) => result === 'given up'))
    assert.equal((await service.webhooks.show(service.tenantId, id)).state, 'active')
  })
})

test('two servers deliver each event once, in order for each key', async (t) => {
  const database = await postgresDatabases.open(t)
  const service = await startWebhookService(t, database)
  const second = new Dispatcher({ ...service.parts, resolve: resolveLocally })
  atEnd(t, () => second.close())
  const { url, received } = await scriptedReceiver(t, (_, response) => void setTimeout(() => response.end(), 2))
  await subscribed(service, url)
  for (let i = 0; i < 60; i++) await service.happen(i, `key ${i % 7}`)
  await until(async () => (await waiting(service)) === 0)
  for (let key = 0; key < 7; key++) {
    const versions = versionsOf(received).filter((version) => version % 7 === key)
    assert.deepEqual(
      versions,
      versions.toSorted((a, b) => a - b),
    )
    assert.equal(new Set(versions).size, versions.length)
  }
  assert.equal(new Set(versionsOf(received)).size, 60)
})

test('a receiver that hangs, drips, resets or answers garbage holds up nobody else', async (t) => {
  const service = await startWebhookService(t, await sqliteDatabases.open(t))
  const dripping = await scriptedReceiver(t, (_, response) => {
    response.writeHead(500)
    const timer = setInterval(() => response.write('x'), 50)
    response.once('close', () => clearInterval(timer))
  })
  const endless = await scriptedReceiver(t, (_, response) => {
    response.writeHead(200)
    const timer = setInterval(() => response.write('x'.repeat(10_000)), 1)
    response.once('close', () => clearInterval(timer))
  })
  const hanging = await scriptedReceiver(t, () => undefined)
  const reset = await scriptedReceiver(t, (_, __, raw) => void raw.socket.resetAndDestroy())
  const garbage = await scriptedReceiver(t, (_, __, raw) => void raw.socket.end('<html>\r\n\r\n'))
  const fine = await scriptedReceiver(t)
  const ids = new Map<string, string>()
  for (const [name, { url }] of Object.entries({ dripping, endless, hanging, reset, garbage, fine })) {
    ids.set(name, (await subscribed(service, url)).id)
  }
  for (let i = 0; i < 30; i++) await service.happen(i, `key ${i}`)
  await until(() => fine.received.length === 30 && endless.received.length === 30)
  const resultOf = async (name: string) =>
    (await service.webhooks.attempts(service.tenantId, ids.get(name)!, 100)).map(({ result, answer }) => ({
      result,
      answer,
    }))
  await until(async () => (await resultOf('hanging')).length >= 8)
  assert.ok((await resultOf('hanging')).every(({ result }) => result === 'timeout'))
  assert.ok((await resultOf('reset')).every(({ result }) => result === 'unreachable'))
  assert.ok((await resultOf('garbage')).every(({ result }) => result === 'garbage'))
  const dripped = await resultOf('dripping')
  assert.ok(dripped.length > 0 && dripped.every(({ result, answer }) => result === 'refused' && answer.length <= 512))
  assert.ok(hanging.connections() <= 16, 'a receiver that is down gets few attempts')
  assert.ok(hanging.received.length < 30)
})

test('refuses URLs and subscriptions that cannot be used, and says what to do', async (t) => {
  const service = await startWebhookService(t, await sqliteDatabases.open(t), {
    settings: { webhookTargets: 'public' },
  })
  const add = (url: string, types = ['*']) => service.webhooks.add(service.tenantId, { url, types })
  for (const [url, message] of [
    ['ftp://a.example', /must begin with https/],
    ['http://a.example', /must begin with https/],
    ['https://user:secret@a.example', /no user name/],
    ['https://a.example/#x', /no fragment/],
    [`https://a.example/${'x'.repeat(3000)}`, /at most 2048/],
    ['nonsense', /must begin with https/],
  ] as const) {
    await assert.rejects(add(url), message, url)
  }
  await assert.rejects(add('https://a.example', ['sign_in.finished']), /no type of event: use one of \*, /)
  await assert.rejects(add('https://a.example', []), /at least one/)
  for (let i = 0; i < 20; i++) await add('https://a.example')
  await assert.rejects(add('https://a.example'), /at most 20 webhooks/)
})
