// Does a receiver that breaks HTTP, or a row that cannot be read, hold up anything but itself?

import assert from 'node:assert/strict'
import { type AddressInfo, createServer } from 'node:net'
import { test } from 'node:test'
import type { NewEvent } from '../../core/event-recorder.ts'
import { atEnd } from '../../testing/at-end.ts'
import { eachDatabase } from '../../testing/databases.ts'
import { until } from '../../testing/until.ts'
import { scriptedReceiver, startWebhookService, type WebhookService } from '../testing/webhook-service.ts'

async function subscribed({ webhooks, tenantId, parts: needs }: WebhookService, url: string): Promise<string> {
  const { id } = await webhooks.add(tenantId, { url, types: ['*'] })
  needs.delivery.receivers.changed(tenantId)
  return id
}

const damaged = Buffer.alloc(64, 7)

eachDatabase(({ engine, open }) => {
  test(`an answer that switches protocols is a failure, and the service still stops (${engine})`, async (t) => {
    const service = await startWebhookService(t, await open(t))
    const { webhooks, tenantId, dispatcher } = service
    const server = createServer((socket) => {
      socket.on('error', () => undefined)
      socket.once('data', () =>
        socket.write('HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n'),
      )
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    atEnd(t, () => void server.close())
    const id = await subscribed(service, `http://127.0.0.1:${(server.address() as AddressInfo).port}/`)
    await service.happen(1)
    await until(async () => (await webhooks.attempts(tenantId, id, 10)).length === 1)
    const [attempt] = await webhooks.attempts(tenantId, id, 10)
    assert.deepEqual([attempt?.result, attempt?.answer], ['garbage', 'it answered 101 Switching Protocols'])
    await dispatcher.close()
  })

  test(`a webhook whose row is damaged holds up no other one (${engine})`, async (t) => {
    const service = await startWebhookService(t, await open(t))
    const { database } = service.parts
    const receivers = [await scriptedReceiver(t), await scriptedReceiver(t), await scriptedReceiver(t)]
    const ids: string[] = []
    for (const { url } of receivers) ids.push(await subscribed(service, url))
    // The first one in the order of the dispatcher.
    const first = ids.toSorted()[0]!
    await database.query('update event_receiver set sealed = $1 where id = $2', [damaged, first])
    await service.happen(1)
    await until(() => receivers.every(({ received }, i) => received.length === (ids[i] === first ? 0 : 1)))
    // A delivery is deleted after its answer.
    await until(async () => {
      const waiting = await database.query<{ id: string }>('select receiver_id as id from event_delivery')
      return waiting.length === 1 && waiting[0]!.id === first
    })
  })

  test(`an event whose key this server does not have is attempted like a failed one, then given up (${engine})`, async (t) => {
    const service = await startWebhookService(t, await open(t))
    const { webhooks, tenantId, clock, parts: needs } = service
    const { url, received } = await scriptedReceiver(t)
    const id = await subscribed(service, url)
    await webhooks.setState(tenantId, id, 'paused')
    for (const [version, key] of [
      [1, 'a'],
      [2, 'a'],
      [3, 'b'],
    ] as const)
      await service.happen(version, key)
    await needs.database.query('update event set sealed = $1 where id = (select min(id) from event)', [damaged])
    await webhooks.setState(tenantId, id, 'active')
    clock.advance({ seconds: 2 })
    const versions = () => received.map(({ message }) => message.data.version)
    await until(() => versions().includes(3))
    for (let seen = 0; !versions().includes(2); clock.advance({ hours: 27 })) {
      const attempts = async () =>
        (await webhooks.attempts(tenantId, id, 100)).filter(({ result }) => result !== 'accepted')
      await until(async () => (await attempts()).length > seen || versions().includes(2))
      seen = (await attempts()).length
      assert.ok(seen <= 12, 'one attempt each time it is due')
    }
    const [last] = (await webhooks.attempts(tenantId, id, 100)).filter(({ result }) => result !== 'accepted')
    assert.deepEqual([last?.result, last?.answer], ['given up', 'this server does not have its key'])
    assert.deepEqual(versions(), [3, 2])
    assert.equal((await webhooks.show(tenantId, id)).failingSince, undefined, 'the receiver works')
  })

  test(`an event that is damaged is logged once, and the next one of its key follows at once (${engine})`, async (t) => {
    const service = await startWebhookService(t, await open(t))
    const { webhooks, tenantId, parts: needs } = service
    const { database } = needs
    const { url, received } = await scriptedReceiver(t)
    const id = await subscribed(service, url)
    await webhooks.setState(tenantId, id, 'paused')
    for (const version of [1, 2, 3]) await service.happen(version, 'a')
    const [first] = await database.query<{ id: Uint8Array; sealed: Uint8Array }>(
      'select id, sealed from event order by id limit 1',
    )
    // Its key version is intact.
    const altered = first!.sealed.map((byte, i) => (i < 16 ? byte : byte ^ 1))
    await database.query('update event set sealed = $1 where id = $2', [altered, first!.id])
    await webhooks.setState(tenantId, id, 'active')
    service.clock.advance({ seconds: 2 })
    await until(async () => (await database.query('select 1 as one from event_delivery')).length === 0)
    assert.deepEqual(
      received.map(({ message }) => message.data.version),
      [2, 3],
    )
    const attempts = await webhooks.attempts(tenantId, id, 100)
    const failed = attempts.filter(({ result }) => result !== 'accepted')
    assert.deepEqual(
      failed.map(({ result, answer }) => [result, answer]),
      [['unreadable', 'the content of the event is damaged']],
    )
    assert.equal((await webhooks.show(tenantId, id)).failingSince, undefined, 'the receiver works')
  })

  for (const keys of [1, 10]) {
    test(`who floods ${keys} of the keys holds up no other one (${engine})`, async (t) => {
      const service = await startWebhookService(t, await open(t))
      const { webhooks, tenantId, clock, parts: needs } = service
      const { url, received } = await scriptedReceiver(t, (_, response) => void setTimeout(() => response.end(), 10))
      const id = await subscribed(service, url)
      await webhooks.setState(tenantId, id, 'paused')
      const flood = Array.from(
        { length: 100 * keys },
        (_, i): NewEvent => ({
          type: 'rules.changed',
          data: { change: 'live', version: 1000 + i, by: 'maya' },
          orderedBy: `flood ${i % keys}`,
        }),
      )
      for (let i = 0; i < Math.max(3, 20 / keys); i++) {
        await needs.database.batch(await needs.events.statements(tenantId, flood))
      }
      clock.advance({ seconds: 1 })
      for (let i = 0; i < 10; i++) await service.happen(i, `person ${i}`)
      await webhooks.setState(tenantId, id, 'active')
      clock.advance({ seconds: 2 })
      const people = () => received.filter(({ message }) => message.data.version < 1000)
      await until(() => people().length === 10)
      const flooded = received.indexOf(people().at(-1)!) - 9
      assert.ok(flooded < 1000, `${flooded} events of the flood came before`)
    })
  }
})
