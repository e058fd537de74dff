import assert from 'node:assert/strict'
import { test } from 'node:test'
import { listCaps } from '@ringfence/contract'
import type { Database } from '../../core/storage/database.ts'
import { eachDatabase } from '../../testing/databases.ts'
import { startTestService, type TestService } from '../../testing/test-service.ts'
import { kindsOfLists } from './kinds.ts'
import { ListRefused } from './lists.ts'
import { dropEndedEntries } from './retention.ts'

const refused = (reason: ListRefused['reason'], text: RegExp) => (error: unknown) => {
  assert.ok(error instanceof ListRefused, String(error))
  assert.equal(error.reason, reason)
  assert.match(error.message, text)
  return true
}

const rowsOf = async (database: Database, table: string) =>
  Number((await database.query<{ n: number }>(`select count(*) as n from ${table}`))[0]!.n)

const cards = { name: 'stolen-cards', kind: 'text', purpose: 'block' } as const

eachDatabase(({ engine, open }) => {
  const it = (name: string) => `${engine}: ${name}`

  test(it('adds, changes and removes entries, and repeating a call changes nothing'), async (t) => {
    const service = await startTestService(t, await open(t))
    const { parts: needs, tenantId, clock } = service
    const {
      rules: { lists },
    } = needs
    await lists.create(tenantId, { ...cards, description: 'From the bank' }, 'ada')
    const added = await lists.add(
      tenantId,
      cards.name,
      [{ value: 'c1', note: 'chargeback' }, { value: 'c2' }, { value: 'c2' }],
      'ada',
    )
    assert.deepEqual(added, { added: 2, changed: 0, unchanged: 1 })
    const addedAt = clock.now()
    clock.advance({ seconds: 10 })
    const again = await lists.add(tenantId, cards.name, [{ value: 'c1', note: 'chargeback' }, { value: 'c2' }], 'bob')
    assert.deepEqual(again, { added: 0, changed: 0, unchanged: 2 })
    const changed = await lists.add(tenantId, cards.name, [{ value: 'c2', note: 'seen again' }], 'bob')
    assert.deepEqual(changed, { added: 0, changed: 1, unchanged: 0 })

    const { entries } = await lists.read(tenantId, cards.name, { limit: 10 })
    assert.deepEqual(entries, [
      { value: 'c1', note: 'chargeback', by: 'ada', addedAt },
      { value: 'c2', note: 'seen again', by: 'bob', addedAt },
    ])
    assert.deepEqual(await lists.lookUp(tenantId, cards.name, 'c1'), [entries[0]])
    assert.deepEqual(await lists.lookUp(tenantId, cards.name, 'C1'), [])
    assert.deepEqual(await lists.remove(tenantId, cards.name, ['c1', 'c3', 'c1']), { removed: 1, missing: 1 })
    assert.deepEqual(await lists.remove(tenantId, cards.name, ['c1']), { removed: 0, missing: 1 })
    assert.deepEqual(await lists.lookUp(tenantId, cards.name, 'c1'), [])
    assert.deepEqual(await lists.describe(tenantId), [
      {
        ...{ ...cards, description: 'From the bank', entries: 1 },
        ...{ createdAt: addedAt, createdBy: 'ada', changedAt: clock.now() },
      },
    ])
    assert.deepEqual(await lists.add(tenantId, cards.name, [{ value: 'c1' }], 'ada'), {
      ...{ added: 1, changed: 0, unchanged: 0 },
    })
  })

  test(it('an entry does not match from its expiry on, and maintenance deletes it an hour later'), async (t) => {
    const service = await startTestService(t, await open(t))
    const { parts: needs, tenantId, clock } = service
    const {
      rules: { lists },
      database,
    } = needs
    await lists.create(tenantId, cards, 'ada')
    const expiresAt = clock.now() + 60_000
    await lists.add(tenantId, cards.name, [{ value: 'c1', expiresAt }, { value: 'c2' }, { value: 'c3' }], 'ada')
    await lists.remove(tenantId, cards.name, ['c3'])
    const found = async () => (await lists.lookUp(tenantId, cards.name, 'c1')).length
    clock.advance({ seconds: 58 })
    assert.equal(await found(), 1)
    clock.advance({ seconds: 2 })
    assert.equal(await found(), 0)
    await dropEndedEntries(needs)
    assert.equal(await rowsOf(database, 'list_entry'), 3)
    clock.advance({ seconds: 3601 })
    await dropEndedEntries(needs)
    assert.equal(await rowsOf(database, 'list_entry'), 1)
    assert.equal((await lists.describeOne(tenantId, cards.name)).entries, 1)
    const again = await lists.add(tenantId, cards.name, [{ value: 'c1', expiresAt: clock.now() + 9_999 }], 'ada')
    assert.deepEqual(again, { added: 1, changed: 0, unchanged: 0 })
    assert.equal((await lists.describeOne(tenantId, cards.name)).entries, 2)
  })

  test(it('pages through more entries than a page, and a change in between is not missed'), async (t) => {
    const service = await startTestService(t, await open(t))
    const {
      rules: { lists },
    } = service.parts
    const { tenantId } = service
    await lists.create(tenantId, cards, 'ada')
    const values = Array.from({ length: 230 }, (_, i) => `c${String(i).padStart(3, '0')}`)
    for (const from of [0, 115]) {
      await lists.add(
        tenantId,
        cards.name,
        values.slice(from, from + 115).map((value) => ({ value })),
        'ada',
      )
    }
    const seen: string[] = []
    let next: Awaited<ReturnType<typeof lists.read>>['next']
    do {
      const page = await lists.read(tenantId, cards.name, { after: next, limit: 50 })
      seen.push(...page.entries.map(({ value }) => value))
      next = page.next
      if (seen.length === 50) {
        const unread = values.find((value) => !seen.includes(value))!
        await lists.add(tenantId, cards.name, [{ value: unread, note: 'changed' }], 'bob')
      }
    } while (next)
    assert.deepEqual([seen.length, seen.toSorted()], [230, values])
  })

  test(it('a deleted list frees its name at once, and its entries go in the background'), async (t) => {
    const service = await startTestService(t, await open(t))
    const { parts: needs, tenantId } = service
    const {
      rules: { lists },
      database,
    } = needs
    await lists.create(tenantId, cards, 'ada')
    await lists.add(tenantId, cards.name, [{ value: 'c1' }], 'ada')
    assert.equal(await lists.delete(tenantId, cards.name), true)
    assert.equal(await lists.delete(tenantId, cards.name), false)
    await lists.create(tenantId, { ...cards, kind: 'userId' }, 'ada')
    await lists.add(tenantId, cards.name, [{ value: 'u-1' }], 'ada')
    assert.deepEqual(await lists.lookUp(tenantId, cards.name, 'c1'), [])
    await dropEndedEntries(needs)
    assert.deepEqual([await rowsOf(database, 'value_list'), await rowsOf(database, 'list_entry')], [1, 1])
    assert.equal((await lists.lookUp(tenantId, cards.name, 'u-1')).length, 1)
  })

  test(it('refuses unknown lists, taken names and wrong values, and then stores nothing'), async (t) => {
    const service = await startTestService(t, await open(t))
    const {
      rules: { lists },
    } = service.parts
    const { tenantId, clock } = service
    await lists.create(tenantId, { name: 'office', kind: 'ip', purpose: 'allow' }, 'ada')
    const add = (name: string, ...values: string[]) =>
      lists.add(
        tenantId,
        name,
        values.map((value) => ({ value })),
        'ada',
      )
    await assert.rejects(add('ofice', '10.0.0.1'), refused('unknown', /there is no list ofice; did you mean office\?/))
    await assert.rejects(add('banks', '10.0.0.1'), refused('unknown', /there is no list banks; create it first/))
    await assert.rejects(lists.create(tenantId, { ...cards, name: 'office' }, 'ada'), refused('exists', /already/))
    await assert.rejects(add('office', '10.0.0.1', '10.0.0.0/33'), (error) => {
      assert.ok(error instanceof ListRefused)
      assert.deepEqual([error.index, error.message], [1, 'the list has IP addresses, such as 203.0.113.0/24'])
      return true
    })
    const late = [{ value: '10.0.0.1', expiresAt: clock.now() }]
    await assert.rejects(lists.add(tenantId, 'office', late, 'ada'), refused('value', /in the future/))
    assert.equal((await lists.describeOne(tenantId, 'office')).entries, 0)
    const stranger = await service.parts.tenantKeyring.createTenant('stranger')
    await assert.rejects(lists.describeOne(stranger.id, 'office'), refused('unknown', /create it first/))
  })

  test(it('refuses the list and the entry beyond the limits'), async (t) => {
    const service = await startTestService(t, await open(t))
    const { parts: needs, tenantId } = service
    const {
      rules: { lists },
      database,
    } = needs
    for (let i = 0; i < listCaps.lists; i++) await lists.create(tenantId, { ...cards, name: `list-${i}` }, 'ada')
    await assert.rejects(lists.create(tenantId, cards, 'ada'), refused('full', /there are 100 lists/))
    await lists.add(tenantId, 'list-1', [{ value: 'c1' }], 'ada')
    await database.query('update value_list set entry_count = $1', [listCaps.entries])
    await assert.rejects(lists.add(tenantId, 'list-1', [{ value: 'c2' }], 'ada'), refused('full', /second list/))
    assert.deepEqual(await lists.lookUp(tenantId, 'list-1', 'c2'), [])
    assert.equal((await lists.add(tenantId, 'list-1', [{ value: 'c1', note: 'x' }], 'ada')).changed, 1)
    assert.deepEqual(await lists.remove(tenantId, 'list-1', ['c1']), { removed: 1, missing: 0 })
  })

  test(it('writers of one list wait for each other, and no entry is lost'), async (t) => {
    const service: TestService = await startTestService(t, await open(t))
    const {
      rules: { lists },
    } = service.parts
    const { tenantId } = service
    await lists.create(tenantId, cards, 'ada')
    await Promise.all(
      ['a', 'b', 'c', 'd'].map((name) =>
        lists.add(
          tenantId,
          cards.name,
          Array.from({ length: 30 }, (_, i) => ({ value: i < 10 ? `shared${i}` : `${name}${i}` })),
          name,
        ),
      ),
    )
    const { entries } = await lists.read(tenantId, cards.name, { limit: 1000 })
    assert.equal(new Set(entries.map(({ value }) => value)).size, 10 + 4 * 20)
    assert.equal((await lists.describeOne(tenantId, cards.name)).entries, 90)
  })

  test(it('the store has neither values nor notes as text'), async (t) => {
    const service = await startTestService(t, await open(t))
    const {
      rules: { lists },
      database,
    } = service.parts
    await lists.create(service.tenantId, { ...cards, description: 'seen by nobody' }, 'ada-author')
    await lists.add(service.tenantId, cards.name, [{ value: 'card-4f2a91', note: 'a note' }], 'ada-author')
    const rows = [
      ...(await database.query('select sealed, value_hash, list_id from list_entry')),
      ...(await database.query('select sealed, name from value_list')),
    ]
    const text = rows.map((row) => Object.values(row).map((value) => Buffer.from(String(value) && (value as string))))
    const all = Buffer.concat(text.flat()).toString('latin1')
    for (const secret of ['card-4f2a91', 'a note', 'seen by', 'ada-author']) assert.ok(!all.includes(secret), secret)
  })
})

test('each kind brings entries and values into one form, and refuses what is not of the kind', () => {
  const cases = [
    ['phoneNumber', '+91 70201-41726', '917020141726', '917020141726'],
    ['phoneNumber', '0049 (30) 901820', '4930901820', '4930901820'],
    ['phoneNumber', '(+44) (0)20 7946 0958', '442079460958', '442079460958'],
    ['phoneNumber', '0044 (0)20 7946 0958', '442079460958', '442079460958'],
    ['phoneNumber', '44 (0)20 7946 0958', '442079460958', '442079460958'],
    ['phoneNumber', '+44 ( 0 ) 20 7946 0958', '442079460958', '442079460958'],
    ['phoneNumber', '+1.212.555.0000', '12125550000', '12125550000'],
    ['phoneNumber', '+39 (0)6 12345678', '390612345678', '390612345678'],
    ['phoneNumber', '+52 1 55 1234 5678', '525512345678', '525512345678'],
    ['phoneNumber', '＋４４ ０７４００ １２３４５６', '447400123456', '447400123456'],
    ['deviceId', '567F4354-94A8-4ECD-B2D5-9C2C8F0A1B2E', '567f4354-94a8-4ecd-b2d5-9c2c8f0a1b2e', undefined],
    ['ip', ' 10.1.2.3/8 ', '10.0.0.0/8', undefined],
    ['ip', '2001:DB8:0::1', '2001:db8::1', '2001:db8::1'],
    ['ip', '::ffff:192.0.2.1', '192.0.2.1', '192.0.2.1'],
    ['networkOperator', ' Example  Telecom', 'EXAMPLE TELECOM', 'EXAMPLE TELECOM'],
    ['networkOperator', 'AS15169', '15169', '15169'],
    ['networkOperator', 'as 15169', '15169', '15169'],
    ['emailDomain', '@Example.COM', 'example.com', 'example.com'],
    ['emailDomain', 'bücher.example', 'xn--bcher-kva.example', 'xn--bcher-kva.example'],
    ['email', 'Bad.Guy@Example.com', 'bad.guy@example.com', 'bad.guy@example.com'],
    ['email', ' bad@bücher.example. ', 'bad@xn--bcher-kva.example', 'bad@xn--bcher-kva.example'],
    ['email', 'bad+1@gmail.com', 'bad+1@gmail.com', 'bad+1@gmail.com'],
    ['emailMailbox', 'Bad.Guy+1@GoogleMail.com', 'badguy@gmail.com', 'badguy@gmail.com'],
    ['emailMailbox', 'Bad.Guy+1@Example.com', 'bad.guy@example.com', 'bad.guy@example.com'],
    ['text', 'Card 1', 'Card 1', 'Card 1'],
  ] as const
  for (const [kind, text, entry, value] of cases) {
    assert.equal(kindsOfLists[kind].entry(text), entry, text)
    if (value !== undefined) assert.equal(kindsOfLists[kind].value(text), value, text)
  }
  assert.equal(kindsOfLists.emailDomain.value('Bob@Sub.Example.com'), 'sub.example.com')
  assert.equal(kindsOfLists.emailDomain.value('"any one"@Example.com.'), 'example.com')
  const wrong = [
    ['phoneNumber', 'abc', '0301234567890123', '12', '++491701234567', '917020141726.0', '917020141726.'],
    ['phoneNumber', '+917020141726.0', '00917020141726.00', '+91 7020141726.', '(0)30 901820', '+(0)30 901820'],
    ['phoneNumber', '+225 21 22 33 44', '+44 20 7946 0000 ext. 5', '15550000001', '7020141726'],
    ['deviceId', 'abc', '567f435494a84ecdb2d59c2c8f0a1b2e'],
    ['ip', '10.0.0', '10.0.0.0/33', '::/129', '::ffff:10.0.0.0/104', 'fe80::1%eth0', '10.0.0.0/-1', 'localhost'],
    ['emailDomain', 'bob@example.com', 'localhost', 'a b.com', '', '-a.com', `${'a'.repeat(64)}.com`],
    [
      'email',
      'example.com',
      '@example.com',
      'a@evil',
      '\u212Aate@shop.example',
      'Kate <kate@shop.example>',
      'a@b.example,',
    ],
    ['networkOperator', ' ', 'x'.repeat(257)],
    ['userId', '', 'x'.repeat(257)],
    ['text', ''],
  ] as const
  for (const [kind, ...texts] of wrong) {
    for (const text of texts) assert.equal(kindsOfLists[kind].entry(text), undefined, `${kind} ${text}`)
  }
})
