import assert from 'node:assert/strict'
import { test } from 'node:test'
import { endpoints, type ListKind } from '@ringfence/contract'
import { serviceFindings } from '../../admin/doctor/service-findings.ts'
import type { Ending } from '../../testing/at-end.ts'
import { eachDatabase } from '../../testing/databases.ts'
import { startTestService } from '../../testing/test-service.ts'
import { findList, putEntries } from '../store/lists.ts'
import { hashOfList, sealEntry } from './entries.ts'

eachDatabase(({ engine, open }) => {
  const it = (name: string) => `${engine}: ${name}`

  async function started(t: Ending) {
    const service = await startTestService(t, await open(t))
    const call = async (name: keyof typeof endpoints, body: object, headers = {}) => {
      const answer = await service.post(endpoints[name].path, body, headers)
      return answer.status === 200 ? answer.body : [answer.status, answer.body.description]
    }
    return { service, call }
  }

  test(it('a backend creates a list, changes its entries, looks values up, and deletes it'), async (t) => {
    const { service, call } = await started(t)
    const name = 'stolen-cards'
    const now = new Date(service.clock.now()).toISOString()
    const created = await call('createList', { name, kind: 'text', purpose: 'block', description: 'Cards', by: 'ada' })
    const described = { name, kind: 'text', purpose: 'block', description: 'Cards', entries: 0 }
    assert.deepEqual(created, { ...described, createdAt: now, createdBy: 'ada', changedAt: now })
    const expiresAt = '2026-06-01T00:00:00.000Z'
    const entries = [{ value: 'c1', note: 'chargeback', expiresAt }, { value: 'c2' }]
    assert.deepEqual(await call('addListEntries', { name, entries }), { added: 2, changed: 0, unchanged: 0 })
    assert.deepEqual(await call('addListEntries', { name, entries }), { added: 0, changed: 0, unchanged: 2 })
    assert.deepEqual(await call('lookUpList', { name, value: 'c1' }), {
      inList: true,
      entries: [{ value: 'c1', note: 'chargeback', addedAt: now, by: service.credentials.clientId, expiresAt }],
    })
    assert.deepEqual(await call('lookUpList', { name, value: 'c3' }), { inList: false, entries: [] })
    const first = await call('readList', { name, limit: 1 })
    const second = await call('readList', { name, limit: 1, cursor: first.next })
    const values = [...first.entries, ...second.entries].map(({ value }: { value: string }) => value)
    assert.deepEqual(values.toSorted(), ['c1', 'c2'])
    assert.deepEqual(await call('readList', { name, limit: 1, cursor: second.next }), { entries: [] })
    assert.deepEqual(await call('removeListEntries', { name, values: ['c1', 'c9'] }), { removed: 1 })
    assert.deepEqual(
      (await call('describeLists', {})).lists.map((list: { name: string; entries: number }) => [
        list.name,
        list.entries,
      ]),
      [[name, 1]],
    )
    assert.deepEqual(await call('deleteList', { name }), { deleted: true })
    assert.deepEqual(await call('deleteList', { name }), { deleted: false })
    assert.deepEqual(await call('describeLists', {}), { lists: [] })
  })

  test(it('a list of phone numbers reads what people write, and refuses what can match no number'), async (t) => {
    const { service, call } = await started(t)
    const name = 'mules'
    await call('createList', { name, kind: 'phoneNumber', purpose: 'block' })
    const add = (value: string) => call('addListEntries', { name, entries: [{ value }] })
    for (const [written, digits] of [
      ['+39 (0)6 12345678', '390612345678'],
      ['+52 1 55 1234 5678', '525512345678'],
      ['+44 07400 123456', '447400123456'],
      ['+225 07 12 34 56', '2250707123456'],
    ] as const) {
      assert.deepEqual(await add(written), { added: 1, changed: 0, unchanged: 0 }, written)
      for (const value of [digits, written]) {
        const { inList, entries } = await call('lookUpList', { name, value })
        assert.deepEqual([inList, entries[0]?.value], [true, digits], value)
      }
      assert.deepEqual(await call('removeListEntries', { name, values: [written] }), { removed: 1 })
    }
    assert.match((await add('+225 21 22 33 44'))[1], /numbers of Côte d'Ivoire have ten digits/)
    assert.match((await add('+44 20 7946 0000 ext. 5'))[1], /extension/)
    assert.match((await add('7020141726'))[1], /such as 917020141726; it is not a valid number/)

    // As earlier versions stored `+39 (0)6 12345678`.
    const { database, tenantKeyring } = service.parts
    const { tenantId } = service
    const [list, keys] = [(await findList(database, tenantId, name))!, await tenantKeyring.keysOf(tenantId)]
    const valueHash = hashOfList(keys, list.id).of('39612345678').bytes()
    const place = { tenantId, id: list.id }
    const sealed = sealEntry({ value: '39612345678', by: 'ada' }, place, valueHash, keys)
    const entry = { valueHash, addedAt: service.clock.now(), expiresAt: null, removed: 0, sealed, version: 99 } as const
    await database.transaction((tx) => putEntries(tx, place, [entry]))
    for (const value of ['390612345678', '39612345678']) {
      assert.equal((await call('lookUpList', { name, value })).inList, true, value)
    }
    await call('addListEntries', { name, entries: [{ value: '390612345678' }] })
    const removed = await service.parts.rules.lists.remove(tenantId, name, ['39612345678', '447911123456'], 'ada')
    assert.deepEqual(removed, { removed: 2, missing: 1 })
  })

  test(
    it('finds stored entries that match no value any more, and none of an earlier form that still matches'),
    async (t) => {
      const { service, call } = await started(t)
      const { database, tenantKeyring } = service.parts
      const { tenantId } = service
      const keys = await tenantKeyring.keysOf(tenantId)
      const stored: [name: string, kind: ListKind, entries: Record<string, boolean>][] = [
        // Mexico's 1 of mobiles, Côte d'Ivoire's eight digits; Italy's zero is looked up too, and digits of no plan match themselves.
        [
          'phones',
          'phoneNumber',
          { '5215512345678': true, '39612345678': false, '390612345678': false, '99912': false },
        ],
        ['mails', 'email', { 'Bad.Guy@Example.com': true, 'ada@münchen.example': true, 'ada@shop.example': false }],
        ['nets', 'ip', { '::ffff:10.0.0.1': true, '10.0.0.0/8': false, '2001:db8::1': false }],
        ['texts', 'text', { 'Any Text': false }],
      ]
      assert.equal(await listsFinding(), 'every entry can match')
      for (const [name, kind, entries] of stored) {
        await call('createList', { name, kind, purpose: 'block' })
        const list = (await findList(database, tenantId, name))!
        const place = { tenantId, id: list.id }
        const rows = Object.keys(entries).map((value) => {
          const valueHash = hashOfList(keys, list.id).of(value).bytes()
          const sealed = sealEntry({ value, by: 'ada' }, place, valueHash, keys)
          return { valueHash, addedAt: service.clock.now(), expiresAt: null, removed: 0, sealed, version: 1 }
        })
        await database.transaction((tx) => putEntries(tx, place, rows))
        const page = await call('readList', { name })
        for (const { value, neverMatches = false } of page.entries) assert.equal(neverMatches, entries[value], value)
        assert.equal(page.entries.length, rows.length)
      }
      assert.match(
        await listsFinding(),
        /^entries that match no value any more: mails \(2\), nets \(1\), phones \(1\)$/,
      )

      for (const [name, , entries] of stored) {
        const values = Object.keys(entries).filter((value) => entries[value])
        if (values.length > 0)
          assert.deepEqual(await call('removeListEntries', { name, values }), { removed: values.length }, name)
      }
      assert.equal(await listsFinding(), 'every entry can match')

      async function listsFinding() {
        const found = await serviceFindings(service.parts, tenantId)
        return found.find(({ subject }) => subject === 'lists')!.text
      }
    },
  )

  test(it('an entry expires at every time that RFC 3339 has, also a leap second'), async (t) => {
    const { call } = await started(t)
    await call('createList', { name: 'cards', kind: 'text', purpose: 'block' })
    const add = (expiresAt: string) => call('addListEntries', { name: 'cards', entries: [{ value: 'c1', expiresAt }] })
    for (const zone of ['', '[Asia/Kolkata]']) {
      assert.match((await add(`2016-12-31T23:59:60Z${zone}`))[1], /expiresAt must be in the future/)
      await add(`2030-07-01T05:29:60+05:30${zone}`)
      const { entries } = await call('lookUpList', { name: 'cards', value: 'c1' })
      assert.equal(entries[0].expiresAt, '2030-06-30T23:59:59.000Z')
    }
  })

  test(it('looks up every range around an IP address, the smallest first'), async (t) => {
    const { call } = await started(t)
    await call('createList', { name: 'office', kind: 'ip', purpose: 'allow' })
    const ranges = ['10.0.0.0/8', '10.1.0.0/16', '10.1.2.3', '10.2.0.0/16', '0.0.0.0/0']
    await call('addListEntries', { name: 'office', entries: ranges.map((value) => ({ value })) })
    const { entries } = await call('lookUpList', { name: 'office', value: '10.1.2.3' })
    assert.deepEqual(
      entries.map(({ value }: { value: string }) => value),
      ['10.1.2.3', '10.1.0.0/16', '10.0.0.0/8', '0.0.0.0/0'],
    )
    assert.deepEqual(await call('lookUpList', { name: 'office', value: 'nonsense' }), { inList: false, entries: [] })
  })

  test(it('says what is wrong with a request, and then stores nothing'), async (t) => {
    const { service, call } = await started(t)
    const name = 'office'
    const list = { name, kind: 'ip', purpose: 'allow' }
    await call('createList', list)
    const add = (...entries: object[]) => call('addListEntries', { name, entries })
    const many = Array.from({ length: 1001 }, (_, i) => ({ value: `10.0.${i >> 8}.${i & 255}` }))
    const wrong: [answer: Promise<unknown>, status: number, text: RegExp][] = [
      [call('createList', list), 409, /^There is a list of this name/],
      [call('createList', { ...list, name: 'a b' }), 400, /^Request error: name must match .*letters, digits, - and _/],
      [
        call('createList', { ...list, name: 'b', kind: 'iban' }),
        400,
        /^Request error: kind must be one of phoneNumber/,
      ],
      [call('describeLists', { name: 'ofice' }), 404, /^There is no list of this name/],
      [call('addListEntries', { name: 'banks', entries: [{ value: 'a' }] }), 404, /^There is no list of this name/],
      [
        add({ value: '10.0.0.1' }, { value: '10.0.0' }),
        400,
        /^Request error: entries\.1: the list has IP addresses, such as 203/,
      ],
      [
        add({ value: '10.0.0.1', expiresAt: '2020-01-01T00:00:00Z' }),
        400,
        /^Request error: entries\.0: expiresAt must be in the f/,
      ],
      [add({ value: '10.0.0.1', expiresAt: 'tomorrow' }), 400, /^Request error: entries\.0\.expiresAt must/],
      [add({ value: '10.0.0.1', note: 'a\u0007' }), 400, /^Request error: entries\.0\.note must/],
      [add({ value: '' }), 400, /^Request error: entries\.0\.value must/],
      [add(...many), 400, /^Request error: entries must not have more than 1000 items/],
      [call('removeListEntries', { name, values: ['x'] }), 400, /^Request error: values\.0: the list has IP addresses/],
      [call('readList', { name, cursor: 'abc' }), 400, /^Request error: cursor must be `next` of a page$/],
      [call('readList', { name, cursor: '_'.repeat(22) }), 400, /^Request error: cursor must be `next` of a page$/],
    ]
    for (const [answer, status, text] of wrong) {
      const [found, message] = (await answer) as [number, string]
      assert.equal(found, status, message)
      assert.match(message, text)
    }
    const { lists } = await call('describeLists', {})
    assert.deepEqual([lists.length, lists[0].entries], [1, 0])

    const stranger = await service.parts.tenantKeyring.createTenant('stranger')
    const foreign = await service.parts.clients.createClient(stranger.id, 'x')
    assert.deepEqual(await call('describeLists', {}, { ...foreign }), { lists: [] })
    assert.deepEqual(await call('deleteList', { name }, { ...foreign }), { deleted: false })
    const checks = await service.parts.clients.createClient(service.tenantId, 'checks', {
      scopes: 'telecom',
      allowedIps: null,
      expiresAt: null,
      role: null,
    })
    assert.deepEqual(await call('describeLists', {}, { ...checks }), [
      403,
      'The client may not make this call: it lacks the scope lists',
    ])
  })
})
