import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type EventType, endpoints, FoundEvents } from '@ringfence/contract'
import Value from 'typebox/value'
import { withNewDataKey } from '../../core/crypto/key-set.ts'
import { replaceableKeys } from '../../core/crypto/keyring.ts'
import type { NewEvent } from '../../core/event-recorder.ts'
import { findTenant, replaceTenantKeys } from '../../core/storage/tenants.ts'
import { contextOf } from '../../events/sealed-event.ts'
import { eachDatabase, sqliteDatabases } from '../../testing/databases.ts'
import { startTestService, type TestService } from '../../testing/test-service.ts'
import { exportedEvents } from './export-events.ts'

const asha = { userId: 'asha', phoneNumber: '917020141726', ipAddress: '203.0.113.7' }
const device = '567f4354-0c1b-4a56-8a4e-9d1c35f7a111'

async function happen({ parts: needs, tenantId, clock }: TestService, events: readonly NewEvent[]): Promise<void> {
  for (const event of events) {
    await needs.database.batch(await needs.events.statements(tenantId, [event]))
    clock.advance({ ms: 10 })
  }
}

const decided = (action: 'ALLOW' | 'BLOCK', subjects: NewEvent['subjects'] = asha): NewEvent => ({
  type: 'decision.created',
  data: { decisionId: 'd', action, score: 1, verdict: 'Allowed: no rule fired.', reasons: [], rules: [] },
  orderedBy: 'decision d',
  subjects: subjects!,
  outcome: action,
})
const revoked = (tokenId: string): NewEvent => ({ type: 'token.revoked', data: { tokenId }, orderedBy: tokenId })
const listed = (list: string): NewEvent => ({
  type: 'list.changed',
  data: { list, change: 'added', entries: 1 },
  orderedBy: 'lists',
})

function searching({ post }: TestService) {
  const page = async (body: object) => {
    const answer = await post(endpoints.searchEvents.path, body)
    assert.equal(answer.status, 200, JSON.stringify(answer.body))
    assert.deepEqual([...Value.Errors(FoundEvents, answer.body)], [])
    return answer.body as FoundEvents
  }
  return {
    page,
    /** All pages. */
    async all(filters: object, limit = 2) {
      const found: FoundEvents['events'] = []
      let pages = 0
      for (let cursor: string | undefined; ; ) {
        const { events, nextCursor } = await page({ ...filters, limit, ...(cursor && { cursor }) })
        assert.ok(events.length <= limit)
        found.push(...events)
        pages++
        cursor = nextCursor
        if (cursor === undefined) return { found, pages }
      }
    },
  }
}

const shown = (events: FoundEvents['events']) => events.map(({ outcome, data }) => outcome ?? data.tokenId ?? data.list)

eachDatabase(({ engine, open }) => {
  const it = (title: string) => `${title} (${engine})`

  test(
    it('understands every time that RFC 3339 has, also leap seconds, and a time zone that follows it'),
    async (t) => {
      const service = await startTestService(t, await open(t))
      const { page } = searching(service)
      await happen(service, [revoked('t1')])
      const found = async (filters: object) => (await page(filters)).events.length
      for (const zone of ['', '[Asia/Kolkata]']) {
        assert.equal(await found({ from: `2016-12-31T23:59:60Z${zone}` }), 1)
        assert.equal(await found({ to: `2016-12-31T23:59:60Z${zone}` }), 0)
        assert.equal(await found({ from: `2030-06-30T23:59:60Z${zone}` }), 0)
        assert.equal(await found({ to: `2030-07-01T05:29:60+05:30${zone}` }), 1)
      }
      assert.equal(await found({ from: '0000-01-01t00:00:00z', to: '9999-12-31T23:59:59-23:59' }), 1)
    },
  )

  test(
    it('finds events by user, phone number, device, IP address, type, outcome and time, newest first'),
    async (t) => {
      const service = await startTestService(t, await open(t))
      const { page } = searching(service)
      const start = service.clock.now()
      await happen(service, [
        decided('ALLOW'),
        decided('BLOCK', { ...asha, deviceId: device }),
        decided('BLOCK', { userId: 'ben', ipAddress: '2001:db8::1' }),
        revoked('t1'),
        listed('cards'),
      ])
      const found = async (filters: object) => shown((await page(filters)).events)
      assert.deepEqual(await found({}), ['cards', 't1', 'BLOCK', 'BLOCK', 'ALLOW'])
      assert.deepEqual(await found({ userId: 'asha' }), ['BLOCK', 'ALLOW'])
      assert.deepEqual(await found({ phoneNumber: asha.phoneNumber }), ['BLOCK', 'ALLOW'])
      assert.deepEqual(await found({ deviceId: device }), ['BLOCK'])
      assert.deepEqual(await found({ ipAddress: '203.0.113.7' }), ['BLOCK', 'ALLOW'])
      assert.deepEqual(await found({ ipAddress: '2001:db8::ffff' }), ['BLOCK'], 'the /64 network')
      assert.deepEqual(await found({ userId: 'asha', outcome: 'ALLOW' }), ['ALLOW'])
      assert.deepEqual(await found({ userId: 'ben', phoneNumber: asha.phoneNumber }), [], 'all filters hold')
      assert.deepEqual(await found({ userId: 'asha', types: ['token.*'] }), [])
      assert.deepEqual(await found({ types: ['token.revoked', 'list.*'] }), ['cards', 't1'])
      assert.deepEqual(await found({ types: ['decision.*', 'token.*'], outcome: 'BLOCK' }), ['BLOCK', 'BLOCK'])
      assert.deepEqual(await found({ outcome: 'ALLOW' }), ['ALLOW'])
      const at = (ms: number) => new Date(start + ms).toISOString()
      assert.deepEqual(await found({ from: at(10), to: at(30) }), ['BLOCK', 'BLOCK'], 'from is included, to is not')
      assert.deepEqual(await found({ userId: 'nobody' }), [])
      const [event] = (await page({ userId: 'ben' })).events
      assert.deepEqual([event?.type, event?.timestamp, event?.outcome], ['decision.created', at(20), 'BLOCK'])
      assert.equal(event?.data.decisionId, 'd')
    },
  )

  test(it('finds events by email address, however it is written, and by request id'), async (t) => {
    const service = await startTestService(t, await open(t))
    const { page } = searching(service)
    await happen(service, [
      decided('ALLOW', { email: 'asha@xn--bcher-kva.example', requestId: 'r-1' }),
      decided('BLOCK', { email: 'ben@example.com', requestId: 'r-2' }),
      decided('BLOCK'),
    ])
    const found = async (filters: object) => shown((await page(filters)).events)
    for (const email of ['Asha@xn--bcher-kva.example', ' asha@bücher.example', 'ASHA@BÜCHER.example.']) {
      assert.deepEqual(await found({ email }), ['ALLOW'], email)
    }
    assert.deepEqual(await found({ email: 'BEN@example.com' }), ['BLOCK'])
    assert.deepEqual(await found({ email: 'nobody@example.com' }), [])
    assert.deepEqual(await found({ requestId: 'r-2' }), ['BLOCK'])
    assert.deepEqual(await found({ requestId: 'r-2', email: 'asha@bücher.example' }), [], 'both hold')
  })

  test(it('pages neither repeat nor skip an event while others are added'), async (t) => {
    const service = await startTestService(t, await open(t))
    const { page, all } = searching(service)
    const tokens = Array.from({ length: 9 }, (_, i) => revoked(`t${i}`))
    const lists = Array.from({ length: 4 }, (_, i) => listed(`l${i}`))
    await happen(service, [...tokens.slice(0, 5), ...lists, ...tokens.slice(5)])
    const types = ['token.*', 'list.*']
    const expected = ['t8', 't7', 't6', 't5', 'l3', 'l2', 'l1', 'l0', 't4', 't3', 't2', 't1', 't0']
    for (const filters of [{}, { types }]) {
      for (const limit of [1, 2, 3, 4, 13, 100]) assert.deepEqual(shown((await all(filters, limit)).found), expected)
    }
    const first = await page({ types, limit: 3 })
    await happen(service, [revoked('new'), listed('new')])
    const second = await page({ types, limit: 100, cursor: first.nextCursor })
    assert.deepEqual(shown([...first.events, ...second.events]), expected)
  })

  test(it('a rare outcome among many events needs more pages, and is found'), async (t) => {
    const service = await startTestService(t, await open(t))
    const { all } = searching(service)
    await happen(service, [{ ...listed('oldest'), outcome: 'BLOCK' }, decided('BLOCK')])
    const { parts: needs, tenantId } = service
    for (let batch = 0; batch < 5; batch++) {
      const many = Array.from({ length: 900 }, () => decided('ALLOW'))
      await needs.database.batch(await needs.events.statements(tenantId, many))
    }
    service.clock.advance({ ms: 10 })
    await happen(service, [decided('BLOCK')])
    for (const [filters, expected] of [
      [{ outcome: 'BLOCK' }, 3],
      [{ outcome: 'BLOCK', userId: 'asha' }, 2],
      [{ outcome: 'BLOCK', types: ['decision.*'] }, 2],
    ] as const) {
      const { found, pages } = await all(filters)
      assert.deepEqual(shown(found), Array(expected).fill('BLOCK'))
      assert.ok(pages >= 3, `${pages} pages: a page reads at most 2,000 events`)
    }
    const both = (await all({ outcome: 'BLOCK', types: ['decision.*', 'list.*'] })).found
    const order = ['decision.created', 'decision.created', 'list.changed']
    assert.deepEqual(
      both.map(({ type }) => type),
      order,
      'an older event of a rare type does not come first',
    )
  })

  test(it('a page reads 2,000 events, however many types it names'), async (t) => {
    const service = await startTestService(t, await open(t))
    const { all } = searching(service)
    await happen(service, [decided('BLOCK'), { ...listed('oldest'), outcome: 'BLOCK' }])
    const { parts: needs, tenantId } = service
    for (const many of [decided('ALLOW'), listed('one')]) {
      const events = Array.from({ length: 1500 }, () => many)
      await needs.database.batch(await needs.events.statements(tenantId, events))
      service.clock.advance({ ms: 10 })
    }
    const { found, pages } = await all({ outcome: 'BLOCK', types: ['decision.*', 'list.*'] })
    assert.deepEqual(shown(found), ['BLOCK', 'BLOCK'])
    // One scan after the other would need a page; each page reads at most 1,000 of each type.
    assert.ok(pages >= 3, `${pages} pages`)
  })

  test(it('a damaged first byte, which names the key, hides no other event and ends no export'), async (t) => {
    const service = await startTestService(t, await open(t))
    const { all } = searching(service)
    await happen(service, [revoked('t1'), revoked('t2'), revoked('t3')])
    const { parts: needs, tenantId, clock } = service
    const [, row] = await needs.database.query<{ id: Uint8Array }>('select id from event order by id')
    await needs.database.query('update event set sealed = $1 where id = $2', [Buffer.alloc(64, 7), row!.id])
    const expected = [{ tokenId: 't1' }, { unreadable: true }, { tokenId: 't3' }]
    const { found } = await all({}, 3)
    assert.deepEqual(found.map(({ data }) => data).reverse(), expected)
    const exported: unknown[] = []
    const range = { tenantId, from: 0, to: clock.now() + 1000 }
    for await (const events of exportedEvents(range, needs)) exported.push(...events.map(({ data }) => data))
    assert.deepEqual(exported, expected)
  })

  test(it('an event of a data key that another server has just made is found with its content'), async (t) => {
    const service = await startTestService(t, await open(t))
    const { page } = searching(service)
    const { parts: needs, tenantId, clock } = service
    await happen(service, [revoked('t1')])
    const tenant = (await findTenant(needs.database, tenantId))!
    const { set, version } = withNewDataKey(needs.keyring.openTenantKeySet(tenantId, tenant.sealedKeys))
    const [row] = await needs.database.query<{ id: Uint8Array }>('select id from event')
    const sealed = replaceableKeys({ ...set, sealsWith: version }).seal('{"tokenId":"new"}', contextOf(row!.id))
    await needs.database.query('update event set sealed = $1 where id = $2', [sealed, row!.id])
    await replaceTenantKeys(needs.database, tenant, needs.keyring.sealTenantKeySet(tenantId, set))
    clock.advance({ seconds: 2 })
    assert.deepEqual((await page({})).events[0]?.data, { tokenId: 'new' })
  })

  test(it('an event that is damaged is found without its content, and those around it with theirs'), async (t) => {
    const service = await startTestService(t, await open(t))
    const { all } = searching(service)
    await happen(service, [revoked('t1'), revoked('t2'), revoked('t3')])
    const { database } = service.parts
    const [, row] = await database.query<{ id: Uint8Array; sealed: Uint8Array }>(
      'select id, sealed from event order by id',
    )
    await database.query('update event set sealed = $1 where id = $2', [
      row!.sealed.map((byte, i) => (i < 16 ? byte : byte ^ 1)),
      row!.id,
    ])
    const { found } = await all({})
    assert.deepEqual(
      found.map(({ data }) => data),
      [{ tokenId: 't3' }, { unreadable: true }, { tokenId: 't1' }],
    )
  })

  test(it('a cursor works for its tenant and its filters only'), async (t) => {
    const service = await startTestService(t, await open(t))
    const { page } = searching(service)
    await happen(service, [decided('ALLOW'), decided('BLOCK'), decided('ALLOW')])
    const { nextCursor: cursor = '' } = await page({ userId: 'asha', limit: 1 })
    assert.equal((await page({ limit: 2, userId: 'asha', cursor })).events.length, 2, 'another limit is fine')
    const { parts: needs } = service
    const other = await needs.tenantKeyring.createTenant('other')
    const credentials = { ...(await needs.clients.createClient(other.id, 'other')) }
    const refused = async (body: object, headers = {}) => {
      const answer = await service.post(endpoints.searchEvents.path, body, headers)
      assert.equal(answer.status, 400, JSON.stringify(body))
      return answer.body.description
    }
    for (const body of [
      { userId: 'ben', cursor },
      { cursor },
      { userId: 'asha', cursor: `${cursor.slice(0, -4)}AAAA` },
      { cursor: 'AAAA' },
    ]) {
      assert.match(
        await refused(body),
        /cursor must be the nextCursor of the page before; send it with the same filters/,
      )
    }
    assert.match(await refused({ userId: 'asha', cursor }, credentials), /cursor/)
    const foreign = await service.post(endpoints.searchEvents.path, {}, credentials)
    assert.deepEqual(foreign.body, { events: [] }, 'another tenant has its own events')
  })
})

test('refuses wrong filters and says what is expected', async (t) => {
  const service = await startTestService(t, await sqliteDatabases.open(t))
  for (const [body, description] of [
    [{ userId: '' }, /userId/],
    [{ phoneNumber: '+91 70201' }, /phoneNumber/],
    [{ deviceId: 'x' }, /deviceId/],
    [{ email: 'asha' }, /email must be an email address such as ada@shop.example: it has no @/],
    [{ requestId: '' }, /requestId/],
    [{ ipAddress: 'localhost' }, /ipAddress must be an IP address/],
    [{ types: [] }, /types/],
    [{ types: ['decision.unknown'] }, /types/],
    [{ types: ['webhook.test'] }, /types/],
    [{ outcome: 'A B' }, /outcome/],
    [{ from: 'yesterday' }, /from/],
    [{ from: '2026-11-02T00:00:00Z', to: '2026-11-01T00:00:00Z' }, /from must be before to/],
    [{ limit: 0 }, /limit/],
    [{ limit: 101 }, /limit/],
    [{ cursor: '' }, /cursor/],
  ] as const) {
    const answer = await service.post(endpoints.searchEvents.path, body)
    assert.equal(answer.status, 400, JSON.stringify(body))
    assert.match(answer.body.description, description)
  }
})

test('events that are older than EVENT_DAYS are not found, also before they are deleted', async (t) => {
  const service = await startTestService(t, await sqliteDatabases.open(t), { settings: { eventDays: 30 } })
  const { page } = searching(service)
  await happen(service, [revoked('old')])
  service.clock.advance({ hours: 24 * 29 })
  await happen(service, [revoked('new')])
  assert.deepEqual(shown((await page({})).events), ['new', 'old'])
  service.clock.advance({ hours: 24 })
  const type: EventType = 'token.revoked'
  for (const filters of [{}, { types: [type] }, { from: '2000-01-01T00:00:00Z' }]) {
    assert.deepEqual(shown((await page(filters)).events), ['new'])
  }
})
