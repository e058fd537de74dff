// Do deliveries that share reads and commits stay what each of them was alone?

import assert from 'node:assert/strict'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { test } from 'node:test'
import { setTimeout as after } from 'node:timers/promises'
import { type Database, StorageUnavailable } from '../../core/storage/database.ts'
import { atEnd } from '../../testing/at-end.ts'
import { countedDatabase } from '../../testing/counted-database.ts'
import { eachDatabase, sqliteDatabases } from '../../testing/databases.ts'
import { until } from '../../testing/until.ts'
import { selfSignedCertificate } from '../../upstream/testing/self-signed-certificate.ts'
import { scriptedReceiver, startWebhookService, type WebhookService } from '../testing/webhook-service.ts'
import { resolveLocally } from '../webhooks/target.ts'
import { Confirmations } from './confirmations.ts'
import { Dispatcher } from './dispatcher.ts'

/** A webhook that is paused, so that what happens waits for it. */
async function paused({ webhooks, tenantId, parts }: WebhookService, url: string) {
  const { id } = await webhooks.add(tenantId, { url, types: ['*'] })
  parts.delivery.receivers.changed(tenantId)
  await webhooks.setState(tenantId, id, 'paused')
  return {
    id,
    resume: () => webhooks.setState(tenantId, id, 'active'),
  }
}

const waiting = async ({ parts }: WebhookService) =>
  (await parts.database.query('select event_id from event_delivery')).length

eachDatabase(({ engine, open }) => {
  test(`what waits is read and confirmed in groups, each event once and in order (${engine})`, async (t) => {
    const { database, counts } = countedDatabase(await open(t))
    const service = await startWebhookService(t, database)
    const { url, received } = await scriptedReceiver(t)
    const { resume } = await paused(service, url)
    for (let i = 0; i < 120; i++) await service.happen(i, `key ${i % 60}`)
    await resume()
    service.clock.advance({ seconds: 2 })
    counts.reads = counts.commits = 0
    await until(() => received.length === 120)
    const { reads, commits } = counts
    await until(async () => (await waiting(service)) === 0)
    const versions = received.map(({ message }) => message.data.version)
    assert.equal(new Set(versions).size, 120)
    for (let key = 0; key < 60; key++) assert.ok(versions.indexOf(key) < versions.indexOf(key + 60))
    assert.ok(commits <= 60, `${commits} commits of 120 deliveries`)
    assert.ok(reads <= 120, `${reads} reads of 120 deliveries`)
  })

  test(`an event that is deleted while it waits for its turn is not sent (${engine})`, async (t) => {
    const service = await startWebhookService(t, await open(t))
    const { database } = service.parts
    const deleted = Promise.withResolvers<unknown>()
    // The first eight answer when it is deleted, and what was read with them is no longer fresh.
    const { url, received } = await scriptedReceiver(t, async (_, response) => {
      const place = received.length
      if (place === 1) deleted.resolve(database.query('delete from event where id = (select max(id) from event)'))
      if (place <= 8) await deleted.promise.then(() => after(1200))
      response.end()
    })
    const { resume } = await paused(service, url)
    for (let i = 0; i < 20; i++) await service.happen(i, `key ${i}`)
    await resume()
    service.clock.advance({ seconds: 2 })
    await until(async () => (await waiting(service)) === 0)
    assert.deepEqual(
      received.map(({ message }) => message.data.version).toSorted((a, b) => a - b),
      Array.from({ length: 19 }, (_, i) => i),
    )
  })
})

test('a round that still reads when the service stops begins no delivery', async (t) => {
  const service = await startWebhookService(t, await sqliteDatabases.open(t))
  const { url } = await scriptedReceiver(t)
  await service.dispatcher.close()
  await service.webhooks.add(service.tenantId, { url, types: ['*'] })
  await service.happen(1)
  const [reads, stops] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const { database } = countedDatabase(service.parts.database)
  const asked: string[] = []
  const query: Database['query'] = async (sql, params) => {
    asked.push(sql)
    reads.resolve()
    await stops.promise
    return database.query(sql, params)
  }
  const dispatcher = new Dispatcher({ ...service.parts, database: { ...database, query }, resolve: resolveLocally })
  await reads.promise
  const closed = dispatcher.close()
  const before = asked.length
  stops.resolve()
  await closed
  assert.deepEqual(
    asked.slice(before).filter((sql) => sql.startsWith('select')),
    [],
  )
  assert.equal(await waiting(service), 1)
})

test('a receiver whose certificate nobody vouches for gets nothing', async (t) => {
  const service = await startWebhookService(t, await sqliteDatabases.open(t))
  const { certificate: cert, key } = selfSignedCertificate('localhost')
  let requests = 0
  const server = createServer({ cert, key }, (_, response) => {
    requests++
    response.end()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  atEnd(t, () => server.close())
  const { id, resume } = await paused(service, `https://localhost:${(server.address() as AddressInfo).port}/`)
  await service.happen(1)
  await resume()
  service.clock.advance({ seconds: 2 })
  const attempts = () => service.webhooks.attempts(service.tenantId, id, 10)
  await until(async () => (await attempts()).length > 0)
  const [attempt] = await attempts()
  assert.deepEqual([attempt?.result, requests], ['unreachable', 0])
  assert.match(attempt!.answer!, /self-signed certificate/)
})

const confirmationOf = (eventId: number) => {
  const id = Buffer.from([eventId])
  const of = { receiverId: 'wh_1', eventId: id }
  return {
    delivery: { ...of, orderKey: id, position: 0 },
    attempt: {
      ...{ ...of, tenantId: 'shop', type: 'rules.changed', attemptedAt: 0 },
      ...{ result: 'accepted' as const, status: 200, durationMs: 1, sealedAnswer: null },
    },
  }
}

test('a confirmation that cannot be written does not hold up the others of its commit', async () => {
  const written: number[] = []
  const confirmations = new Confirmations({
    async batch([deletion]) {
      const ids = new Set(deletion!.params.filter((value) => value instanceof Uint8Array).map((bytes) => bytes[0]!))
      if (ids.has(3)) throw new Error('this row is broken')
      written.push(...ids)
    },
  })
  const results = await Promise.allSettled([1, 2, 3, 4].map((id) => confirmations.confirm(confirmationOf(id))))
  assert.deepEqual(
    results.map(({ status }) => status),
    ['fulfilled', 'fulfilled', 'rejected', 'fulfilled'],
  )
  assert.deepEqual(written, [1, 2, 4])
})

test('while the store is unavailable each confirmation fails after one commit', async () => {
  let commits = 0
  const confirmations = new Confirmations({
    async batch() {
      commits++
      throw new StorageUnavailable('the disk is full')
    },
  })
  const results = await Promise.allSettled([1, 2, 3].map((id) => confirmations.confirm(confirmationOf(id))))
  assert.ok(results.every(({ status }) => status === 'rejected'))
  assert.equal(commits, 1)
})
