// Is what happened recorded with its transaction, and only for those who want it?

import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { endpoints } from '@ringfence/contract'
import type { NewEvent } from '../core/event-recorder.ts'
import { eventIds, lowestIdAt } from '../core/storage/ids/event-id.ts'
import { uuidText } from '../core/storage/uuid.ts'
import { maintain } from '../maintenance.ts'
import { eachDatabase } from '../testing/databases.ts'
import { startTestService, type TestService } from '../testing/test-service.ts'
import { writeEvents } from './events.ts'
import { subscribes, subscriptions } from './receivers.ts'
import { contextOf } from './sealed-event.ts'
import { listEvents } from './store/events.ts'

const changed = (version: number): NewEvent => ({
  type: 'rules.changed',
  data: { change: 'live', version, by: 'maya' },
  orderedBy: 'rules',
})
const issued = (tokenId: string): NewEvent => ({
  type: 'token.issued',
  data: { tokenId, expiresAt: '2026-03-01T12:05:00.000Z' },
  orderedBy: `token ${tokenId}`,
})

const all = { after: new Uint8Array(16), before: Buffer.alloc(16, 255), limit: 1000 }
const typesOf = async ({ parts: needs, tenantId }: TestService) =>
  (await listEvents(needs.database, tenantId, all)).map(({ type }) => type)

/** A webhook without a URL: only who waits matters here. */
async function subscribe({ parts: needs, tenantId, clock }: TestService, types: string, state = 'active') {
  const id = randomUUID()
  await needs.database.query(
    `insert into event_receiver (tenant_id, id, types, state, sealed, created_at) values ($1, $2, $3, $4, $5, $6)`,
    [tenantId, id, types, state, new Uint8Array(0), clock.now()],
  )
  return id
}

const waitingFor = ({ parts: needs }: TestService, receiverId: string) =>
  needs.database.query<{ event_id: Uint8Array; position: number }>(
    'select event_id, position from event_delivery where receiver_id = $1 order by position, event_id',
    [receiverId],
  )

eachDatabase(({ engine, open }) => {
  test(`records an event, sealed and with keyed hashes of its subjects (${engine})`, async (t) => {
    const service = await startTestService(t, await open(t))
    const { parts: needs, tenantId } = service
    const ipAddress = '198.51.100.7'
    const [statement, ...others] = await needs.events.statements(tenantId, [
      {
        type: 'sign_in.started',
        data: { signInId: 's1', appId: 'a', channel: 'OTP', method: 'SMS', ipAddress },
        orderedBy: 'number 917020141726',
        subjects: { userId: 'u-1', phoneNumber: '917020141726', deviceId: 'd-1', ipAddress },
        outcome: 'started',
      },
    ])
    assert.deepEqual(others, [])
    await needs.database.batch([statement!])
    const [event] = await listEvents(needs.database, tenantId, all)
    const keys = await needs.tenantKeyring.keysOf(tenantId)
    assert.equal(JSON.parse(keys.open(event!.sealed, contextOf(event!.id))).ipAddress, ipAddress)
    assert.match(uuidText(event!.id), /^[0-9a-f]{8}-[0-9a-f]{4}-7/)
    const [row] = await needs.database.query('select * from event')
    const { sealed: _, ...clear } = row!
    assert.doesNotMatch(JSON.stringify(clear), /9170|u-1|d-1|198\.51/)
    for (const name of ['user_hash', 'number_hash', 'device_hash', 'ip_hash', 'order_key']) {
      assert.equal((row![name] as Uint8Array).length, 8, name)
    }
  })

  test(`an event exists if and only if its transaction was committed (${engine})`, async (t) => {
    const service = await startTestService(t, await open(t))
    const { parts: needs, tenantId } = service
    const receiverId = await subscribe(service, 'rules.changed')
    const undone = await needs.events.statements(tenantId, [changed(1)])
    const transaction = needs.database.transaction(async (tx) => {
      await writeEvents(tx, undone)
      throw new Error('undone')
    })
    await assert.rejects(transaction, /undone/)
    assert.deepEqual([await typesOf(service), await waitingFor(service, receiverId)], [[], []])
    const statements = await needs.events.statements(tenantId, [changed(4), changed(5)])
    await needs.database.batch(statements)
    const ids = (await listEvents(needs.database, tenantId, all)).map(({ id }) => uuidText(id))
    const waiting = (await waitingFor(service, receiverId)).map(({ event_id }) => uuidText(event_id))
    assert.equal(ids.length, 2)
    assert.deepEqual(waiting, ids, 'they wait in the order in which they happened')
  })

  test(`a type on request is recorded only while a receiver names it, and a change counts within a second (${engine})`, async (t) => {
    const service = await startTestService(t, await open(t))
    const { parts: needs, tenantId, clock } = service
    const write = async (name: string) => needs.database.batch(await needs.events.statements(tenantId, [issued(name)]))
    await write('t1')
    assert.deepEqual(await typesOf(service), [])
    const everything = await subscribe(service, '*')
    const tokens = await subscribe(service, 'token.*')
    const disabled = await subscribe(service, 'token.issued', 'disabled')
    clock.advance({ ms: 1000 })
    assert.equal(await needs.events.wants(tenantId, 'token.issued'), true)
    assert.equal(await needs.events.wants(tenantId, 'telecom.check.completed'), false)
    await write('t2')
    assert.deepEqual(await typesOf(service), ['token.issued'])
    const counts = await Promise.all(
      [everything, tokens, disabled].map(async (id) => (await waitingFor(service, id)).length),
    )
    assert.deepEqual(counts, [0, 1, 0])
    await needs.database.query('delete from event_receiver')
    clock.advance({ ms: 1000 })
    await write('t3')
    assert.deepEqual(await typesOf(service), ['token.issued'])
  })

  test(`with RECORDED_EVENTS=all a type on request is recorded for search, also without a receiver (${engine})`, async (t) => {
    const service = await startTestService(t, await open(t), { settings: { recordedEvents: 'all' } })
    const phoneNumber = '917020141726'
    await service.post(endpoints.simSwapCheck.path, { phoneNumber, maxAge: 72 })
    assert.deepEqual(await typesOf(service), ['telecom.check.completed'])
    const { body } = await service.post(endpoints.searchEvents.path, { phoneNumber, outcome: 'no' })
    assert.deepEqual(
      body.events.map(({ data }: { data: object }) => data),
      [{ check: 'simSwap', phoneNumber, result: 'no', operator: 'SANDBOX_SOUTH', by: service.credentials.clientId }],
    )
  })

  test(`another tenant's receivers get nothing (${engine})`, async (t) => {
    const service = await startTestService(t, await open(t))
    const { parts: needs } = service
    const receiverId = await subscribe(service, '*')
    const other = await needs.tenantKeyring.createTenant('other')
    await needs.database.batch(await needs.events.statements(other.id, [changed(1)]))
    assert.equal((await waitingFor(service, receiverId)).length, 0)
    assert.deepEqual(await typesOf(service), [])
  })

  test(`deletes events, and deliveries that nobody accepted, after EVENT_DAYS (${engine})`, async (t) => {
    const service = await startTestService(t, await open(t), { settings: { eventDays: 4 } })
    const { parts: needs, tenantId, clock } = service
    const receiverId = await subscribe(service, '*', 'paused')
    const write = async (count: number) => {
      for (let i = 0; i < count; i++) {
        await needs.database.batch(await needs.events.statements(tenantId, [changed(i)]))
      }
    }
    await write(3)
    clock.advance({ hours: 4 * 24 })
    await write(2)
    const tended = () => maintain({ ...needs, measureClock: async () => undefined })
    await tended()
    assert.deepEqual([(await typesOf(service)).length, (await waitingFor(service, receiverId)).length], [5, 5])
    clock.advance({ ms: 1 })
    await tended()
    assert.deepEqual([(await typesOf(service)).length, (await waitingFor(service, receiverId)).length], [2, 2])
  })
})

test('ids rise, also within a millisecond and when the clock is set back', () => {
  const next = eventIds()
  const ids = [...Array(10_000).fill(1_000_000), 999_999, 1_000_001, 2_000_000].map((now: number) =>
    uuidText(next(now)),
  )
  assert.deepEqual(ids, ids.toSorted())
  assert.equal(new Set(ids).size, ids.length)
  for (const id of ids) assert.match(id, /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
  assert.ok(Buffer.compare(eventIds()(5000), lowestIdAt(5000)) > 0)
  assert.ok(Buffer.compare(eventIds()(4999), lowestIdAt(5000)) < 0)
})

test('subscriptions name types, groups, or all that are always recorded', () => {
  assert.ok(
    subscriptions.includes('sign_in.*') && subscriptions.includes('*') && subscriptions.includes('rules.changed'),
  )
  assert.ok(!subscriptions.some((name) => name.startsWith('webhook')))
  assert.equal(subscribes(['sign_in.*'], 'sign_in.failed'), true)
  assert.equal(subscribes(['sign.*', 'sign_in'], 'sign_in.failed'), false)
  assert.equal(subscribes(['*'], 'telecom.check.completed'), false)
  assert.equal(subscribes(['telecom.*'], 'telecom.check.completed'), true)
})
