import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type AdminEndpointName, adminEndpoints } from '@ringfence/contract'
import type { TSchema } from 'typebox'
import Value from 'typebox/value'
import type { NewEvent } from '../../core/event-recorder.ts'
import { scriptedReceiver, startWebhookService } from '../../events/testing/webhook-service.ts'
import { eachDatabase } from '../../testing/databases.ts'
import { until } from '../../testing/until.ts'
import { adminClient } from '../testing.ts'

eachDatabase(({ engine, open }) => {
  const it = (title: string) => `${title} (${engine})`

  test(it('adds a webhook, tests it, and shows the delivery; its secret is shown once'), async (t) => {
    const service = await startWebhookService(t, await open(t))
    const receiver = await scriptedReceiver(t)
    const call = await adminClient(service, 'admin')
    const added = await call('addWebhook', { url: receiver.url, types: ['decision.*'], description: 'Orders' })
    assert.equal(added.status, 200, JSON.stringify(added.body))
    assert.deepEqual([...Value.Errors(adminEndpoints.addWebhook.answer as TSchema, added.body)], [])
    const { webhookId, secret } = added.body
    assert.match(secret, /^whsec_/)
    const { eventId } = (await call('testWebhook', { webhookId })).body
    await until(() => receiver.received.length === 1)
    assert.equal(receiver.received[0]!.headers['webhook-id'], eventId)
    const attemptsNow = async () => (await call('listWebhookAttempts', { webhookId })).body.attempts
    // An attempt is stored after the receiver has answered.
    await until(async () => (await attemptsNow()).length === 1)
    const attempts = await attemptsNow()
    assert.deepEqual([attempts[0].eventId, attempts[0].status, attempts[0].type], [eventId, 200, 'webhook.test'])
    const rotated = await call('rotateWebhook', { webhookId })
    assert.notEqual(rotated.body.secret, secret)
    assert.ok(!JSON.stringify((await call('listWebhooks')).body).includes('whsec_'))
  })

  test(it('lets events wait while it is paused, and sends them when it is resumed'), async (t) => {
    const service = await startWebhookService(t, await open(t))
    const receiver = await scriptedReceiver(t)
    const call = await adminClient(service, 'owner')
    const { webhookId } = (await call('addWebhook', { url: receiver.url, types: ['*'] })).body
    assert.deepEqual((await call('pauseWebhook', { webhookId })).body, { webhookId, state: 'paused' })
    await service.happen(1)
    const conflict = await call('testWebhook', { webhookId })
    assert.deepEqual([conflict.status, conflict.body.type], [409, '/problems/webhook-conflict'])
    assert.equal((await call('listWebhooks')).body.webhooks[0].waiting, 1)
    assert.equal(receiver.received.length, 0)
    assert.deepEqual((await call('resumeWebhook', { webhookId })).body, { webhookId, state: 'active' })
    service.clock.advance({ seconds: 2 })
    await until(() => receiver.received.length === 1)
    assert.deepEqual((await call('removeWebhook', { webhookId })).body, { removed: true })
    assert.deepEqual((await call('listWebhooks')).body.webhooks, [])
  })

  test(it('sends one event, or those of a time range, again, in parts'), async (t) => {
    const service = await startWebhookService(t, await open(t))
    const receiver = await scriptedReceiver(t)
    const call = await adminClient(service, 'owner')
    const { webhookId } = (await call('addWebhook', { url: receiver.url, types: ['*'] })).body
    const since = new Date(service.clock.now() - 1000).toISOString()
    const happened = 2100
    await call('pauseWebhook', { webhookId })
    const { parts: needs, tenantId } = service
    for (let version = 1; version <= happened; version += 100) {
      const events = Array.from(
        { length: 100 },
        (_, at): NewEvent => ({
          type: 'rules.changed',
          data: { change: 'live', version: version + at, by: 'maya' },
          orderedBy: 'rules',
        }),
      )
      await needs.database.batch(await needs.events.statements(tenantId, events))
    }
    const waited = (await call('listWebhooks')).body.webhooks[0].waiting as number
    const end = new Date(service.clock.now() + 1000).toISOString()
    const first = (await call('replayWebhook', { webhookId, since, until: end })).body
    assert.deepEqual([...Value.Errors(adminEndpoints.replayWebhook.answer as TSchema, first)], [])
    assert.deepEqual([first.events, typeof first.next], [2000, 'string'])
    const second = (await call('replayWebhook', { webhookId, since, until: end, cursor: first.next })).body
    assert.deepEqual(second, { events: happened - 2000 })
    assert.equal((await call('listWebhooks')).body.webhooks[0].waiting, waited + happened)
    assert.deepEqual((await call('replayWebhook', { webhookId, eventId: first.next })).body, { events: 1 })
  })

  test(it('refuses URLs behind the firewall, wrong types and times, and webhooks of others'), async (t) => {
    const service = await startWebhookService(t, await open(t), { settings: { webhookTargets: 'public' } })
    const call = await adminClient(service, 'owner')
    const add = (url: string, types: string[] = ['*']) => call('addWebhook', { url, types })
    for (const [url, detail] of [
      ['http://shop.example/hook', /must begin with https/],
      ['https://127.0.0.1/hook', /not a public IP address/],
      ['https://[::1]/hook', /not a public IP address/],
      ['https://169.254.169.254/latest', /not a public IP address/],
      ['https://user:pw@shop.example/', /no user name/],
      ['nonsense', /must begin with https/],
    ] as const) {
      const { status, body } = await add(url)
      assert.equal(status, 400, url)
      assert.match(body.detail, detail)
    }
    assert.match((await add('https://shop.example', ['sign_in.finished'])).body.detail, /no type of event/)
    const { webhookId } = (await add('https://shop.example/hook')).body
    for (const [fields, detail] of [
      [{}, /eventId/],
      [{ eventId: '018f0000-0000-7000-8000-000000000000', since: '2026-01-01T00:00:00Z' }, /eventId/],
      [{ since: '2026-01-01T00:00:00Z' }, /until/],
      [{ since: '2026-02-30T00:00:00Z', until: '2026-03-30T00:00:00Z' }, /since/],
    ] as const) {
      const { status, body } = await call('replayWebhook', { webhookId, ...fields })
      assert.equal(status, 400, JSON.stringify(fields))
      assert.match(body.detail, detail)
    }
    const stranger = await call('replayWebhook', { webhookId, eventId: '018f0000-0000-7000-8000-000000000000' })
    assert.deepEqual([stranger.status, stranger.body.type], [409, '/problems/webhook-conflict'])
    const other = await service.parts.tenantKeyring.createTenant('other')
    const foreign = await adminClient(service, 'owner', { tenantId: other.id })
    const since = { since: '2026-01-01T00:00:00Z', until: '2026-02-01T00:00:00Z' }
    for (const name of [
      'pauseWebhook',
      'resumeWebhook',
      'rotateWebhook',
      'removeWebhook',
      'testWebhook',
      'replayWebhook',
    ] as AdminEndpointName[]) {
      const { status, body } = await foreign(name, { webhookId, ...(name === 'replayWebhook' && since) })
      assert.deepEqual([status, body.type], [404, '/problems/webhook-unknown'], name)
    }
    for (let count = 1; count < 20; count++) assert.equal((await add('https://shop.example/hook')).status, 200)
    assert.match((await add('https://shop.example/hook')).body.detail, /at most 20 webhooks/)
  })
})
