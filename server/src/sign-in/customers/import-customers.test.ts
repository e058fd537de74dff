import assert from 'node:assert/strict'
import { readdir } from 'node:fs/promises'
import { test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import type { Row } from '../../core/storage/database.ts'
import { eachDatabase } from '../../testing/databases.ts'
import { startTestService, type TestService } from '../../testing/test-service.ts'
import { runningImport } from '../store/customer-imports.ts'
import type { CustomerLine } from './customer-file.ts'
import { customerLines, NoHead } from './customer-file.ts'
import { ImportRefused } from './import-claim.ts'
import type { ImportProgress } from './import-task.ts'
import { address, customersOf, importFolder, number, textOf } from './testing.ts'

const linesOf = async (text: string) => {
  const lines: CustomerLine[] = []
  for await (const chunk of customerLines(textOf(text))) lines.push(...chunk)
  return lines
}

test('reads ids, numbers and email addresses in any form and order of columns', async () => {
  const text = [
    '\uFEFFEmail;phone number;Customer_ID;segment;number',
    '# from the core banking system',
    'Ada@Shop.Example;+91 70201-41726;wallet-1;gold;',
    '"ada.b@shop.example";;" w 2 ";"a;b";0091 7020141727',
    '',
    ';;w3;;',
  ].join('\r\n')
  assert.deepEqual(
    (await linesOf(text)).map((each) => ('customer' in each ? [each.line, each.customer] : each)),
    [
      [3, { id: 'wallet-1', contacts: [number('917020141726'), address('ada@shop.example')] }],
      [4, { id: 'w 2', contacts: [number('917020141727'), address('ada.b@shop.example')] }],
      [6, { id: 'w3', contacts: [] }],
    ],
  )
})

test('names what is wrong with a line, and a file without a head', async () => {
  const text = [
    'id,number,email',
    ',917020141726,',
    'w1,12,',
    'w2,,ada',
    'w3,"917020141726,',
    `${'w'.repeat(257)},917020141726,`,
    'w\u202e4,917020141726,',
    `w5,${'9'.repeat(5000)},`,
    'w6,9.17E+11,',
  ].join('\n')
  const reasons = (await linesOf(text)).map((each) => [each.line, 'mistake' in each ? each.mistake : ''])
  const expected = [
    /^there is no id$/,
    /^"12", the number, /,
    /^"ada", the email address, must be an email address such as ada@shop\.example: it has no @$/,
    /no closing "/,
    /^the id has more than 256 characters$/,
    /^the id has a control character/,
    /^more than 4096 characters$/,
    /decimal, as spreadsheets write large numbers/,
  ]
  assert.equal(reasons.length, expected.length)
  for (const [i, reason] of expected.entries()) {
    assert.equal(reasons[i]![0], i + 2)
    assert.match(String(reasons[i]![1]), reason)
  }
  for (const [wrong, message] of [
    ['', /the file is empty/],
    ['# only a comment', /the file is empty/],
    [
      'w1,917020141726,ada@shop.example',
      /"w1,9.*names no columns that are known: its first line must name the columns/,
    ],
    ['id,name', /names no columns/],
    ['id,id,number', /names no columns/],
    [`id${',number'.repeat(21)}`, /more than 20 columns/],
  ] as const)
    await assert.rejects(linesOf(wrong), (error) => error instanceof NoHead && message.test(error.message))
})

/** Of both tables, whichever the keys. */
const rowsIn = async ({ parts: { database } }: TestService) => {
  const [contacts] = await database.query<Row>('select count(*) as n from customer_contact')
  const [customers] = await database.query<Row>('select count(*) as n from customer')
  return [Number(customers!.n), Number(contacts!.n)]
}

const many = (count: number, from = 0) =>
  Array.from({ length: count }, (_, i) => `c${from + i},${917_020_100_000 + from + i},p${from + i}@shop.example`)

async function* linesUntil(ended: AbortSignal): AsyncGenerator<Uint8Array> {
  yield Buffer.from('id,number,email\nc1,917020141726,\n')
  for (; !ended.aborted; await pause(10)) yield Buffer.from('# more\n')
}

eachDatabase(({ engine, open }) => {
  const it = (promise: string) => `${promise} (${engine})`

  test(it('imports customers, who are found by their numbers and email addresses'), async (t) => {
    const service = await startTestService(t, await open(t))
    const folder = await importFolder(t)
    const customers = customersOf(service, folder)
    const uuid = '0192f0c1-2b3c-4d5e-8f90-123456789abc'
    const summary = await customers.import([...many(5_000), `${uuid},917020141726,`, 'none,,'])
    const { durationMs, ...counts } = summary
    assert.ok(durationMs > 0)
    assert.deepEqual(counts, {
      ...{ customers: 5_002, numbers: 5_001, emails: 5_000, added: 5_001, changed: 0, unchanged: 0, removed: 0 },
      ...{ repeated: 0, withoutContact: 1, broken: 0, shared: 0, mistakes: [], sharedLines: [], notReplaced: false },
    })
    assert.deepEqual(await rowsIn(service), [5_001, 10_001])
    assert.equal(await customers.with(number('917020104711')), 'c4711')
    assert.equal(await customers.with(address('p4711@shop.example'), number('917020104711')), 'c4711')
    assert.equal(await customers.with(number('917020141726')), uuid)
    assert.equal(await customers.with(number('917020141727')), undefined)
    assert.equal(await customers.with(number('917020141727'), address('p1@shop.example')), 'c1')
    assert.equal(await customers.with(number('917020104711'), address('p1@shop.example')), undefined, 'two customers')
    assert.ok(await customers.isContact('c4711', number('917020104711')))
    assert.ok(!(await customers.isContact('c4712', number('917020104711'))))
    assert.ok(!(await customers.isContact('c4711', { identityType: 'SUBJECT', identityValue: '917020104711' })))
    assert.deepEqual(await readdir(folder), [])
    assert.equal(await runningImport(service.parts.database, service.tenantId), undefined)

    const stored = JSON.stringify(await service.parts.database.query('select * from customer_contact limit 50'))
    for (const clear of ['shop.example', '9170201', 'c47']) assert.ok(!stored.includes(clear))
  })

  test(it('a number or email address of several customers finds nobody, and the import says so'), async (t) => {
    const service = await startTestService(t, await open(t))
    const customers = customersOf(service, await importFolder(t))
    const first = await customers.import(['a,917020141726,ada@shop.example', 'b,917020141726,', 'c,,ADA@shop.example'])
    assert.equal(first.shared, 2)
    assert.deepEqual(first.sharedLines.map(({ line, reason }) => `${line} ${reason}`).toSorted(), [
      '2 the email address is also that of a customer in line 4: it links nobody',
      '2 the number is also that of a customer in line 3: it links nobody',
    ])
    for (const identity of [number('917020141726'), address('ada@shop.example')]) {
      assert.equal(await customers.with(identity), undefined)
      assert.ok(!(await customers.isContact('a', identity)))
    }
    const released = await customers.import(['b,917020141727,', 'd,917020141727,'])
    assert.deepEqual([released.changed, released.added, released.shared], [1, 1, 1])
    assert.equal(await customers.with(number('917020141726')), 'a', 'b gave it up')
    const taken = await customers.import(['e,917020141726,'])
    assert.deepEqual(taken.sharedLines, [
      { line: 2, reason: 'the number is also that of a customer who was imported before: it links nobody' },
    ])
    assert.equal(await customers.with(number('917020141726')), undefined)
    const sameAddress = Array.from({ length: 500 }, (_, i) => `x${i},,none@shop.example`)
    assert.equal((await customers.import(sameAddress)).shared, 1)
    assert.equal(await customers.with(address('none@shop.example')), undefined)
  })

  test(it('refuses lines with the same id and other contacts, and counts lines that say the same'), async (t) => {
    const service = await startTestService(t, await open(t))
    const customers = customersOf(service, await importFolder(t))
    await customers.import(['a,917020141726,'])
    const { broken, repeated, mistakes, added } = await customers.import([
      ...['a,917020141727,', 'b,917020141728,', 'a,917020141729,', 'b,+91 7020141728,', 'c,not a number,'],
    ])
    assert.deepEqual([broken, repeated, added], [3, 1, 1])
    assert.deepEqual(
      mistakes.map(({ line, reason }) => [line, reason.slice(0, 40)]),
      [
        [2, 'line 4 has the same id and other contact'],
        [4, 'line 2 has the same id and other contact'],
        [6, '"not a number", the number, has letters:'],
      ],
    )
    assert.equal(await customers.with(number('917020141726')), 'a', 'as it was before')
    for (const value of ['917020141727', '917020141729']) assert.equal(await customers.with(number(value)), undefined)
    assert.equal(await customers.with(number('917020141728')), 'b')
  })

  test(
    it('an import again updates, and with replace removes who is not in the file, unless it has mistakes'),
    async (t) => {
      const service = await startTestService(t, await open(t))
      const customers = customersOf(service, await importFolder(t))
      await customers.import(many(1_000))
      // Two customers swap their numbers, one has no contact any more, and one is new.
      const changes = [
        'c1,917020100002,p1@shop.example',
        'c2,917020100001,p2@shop.example',
        'c3,,',
        'new,917020141726,',
      ]
      const { added, changed, unchanged } = await customers.import([...many(996, 4), ...changes])
      assert.deepEqual([added, changed, unchanged], [1, 3, 996])
      assert.equal(await customers.with(number('917020100002'), address('p1@shop.example')), 'c1')
      assert.equal(await customers.with(number('917020100001'), address('p2@shop.example')), 'c2')
      assert.equal(await customers.with(number('917020100003')), undefined)
      assert.equal(await customers.with(number('917020100000')), 'c0', 'not in the file')
      assert.deepEqual(await rowsIn(service), [1_000, 1_999])
      const refused = await customers.import([...many(10), 'c10,1,'], { replace: true })
      assert.deepEqual([refused.removed, refused.notReplaced], [0, true])
      const replaced = await customers.import(many(10), { replace: true })
      assert.deepEqual([replaced.removed, replaced.changed, replaced.added], [991, 0, 0])
      assert.deepEqual(await rowsIn(service), [10, 20])
      assert.equal(await customers.with(number('917020100003')), 'c3')
      assert.equal(await customers.with(number('917020141726')), undefined)
    },
  )

  test(it('an import that ends anywhere links nobody wrongly, and a second run completes it'), async (t) => {
    const service = await startTestService(t, await open(t))
    const folder = await importFolder(t)
    const customers = customersOf(service, folder)
    const count = 300
    const shifted = (by: number) =>
      Array.from({ length: count }, (_, i) => `c${i},${917_020_100_000 + ((i + by) % count)},`)
    await customers.import(shifted(0))
    for (const phase of ['reading', 'customers', 'contacts'] as const) {
      const by = { reading: 1, customers: 2, contacts: 3 }[phase]
      const stopped = new AbortController()
      const onProgress = ({ phase: now, done }: ImportProgress) => {
        if (now === phase && (now === 'reading' || done === 128)) stopped.abort(new Error('killed'))
      }
      await assert.rejects(
        customers.import(shifted(by), { onProgress, signal: stopped.signal, sliceRows: 20 }),
        /killed/,
      )
      let moved = 0
      for (let i = 0; i < count; i += 7) {
        const found = await customers.with(number(String(917_020_100_000 + i)))
        const [before, after] = [(i - by + 1 + count) % count, (i - by + count) % count]
        assert.ok([`c${before}`, `c${after}`].includes(found!), `${phase} ${i} ${found}`)
        if (found === `c${after}`) moved++
      }
      assert.ok(phase === 'contacts' ? moved > 0 : moved === 0, phase)
      await customers.import(shifted(by))
      for (let i = 0; i < count; i++)
        assert.equal(await customers.with(number(String(917_020_100_000 + i))), `c${(i - by + count) % count}`)
      assert.deepEqual(await rowsIn(service), [count, count])
    }
    assert.deepEqual(await readdir(folder), [])
  })

  test(it('of two imports of a tenant at once one is refused, and a dead one does not count'), async (t) => {
    const service = await startTestService(t, await open(t))
    const folder = await importFolder(t)
    const customers = customersOf(service, folder)
    // Whichever begins reads on until one of the two has ended, which must be the other.
    const ended = new AbortController()
    const one = async () => {
      try {
        await customers.import([], { source: linesUntil(ended.signal), waitMs: 60_000 })
      } finally {
        ended.abort()
      }
    }
    const outcomes = await Promise.allSettled([one(), one()])
    const refused = outcomes.filter((each) => each.status === 'rejected')
    assert.equal(refused.length, 1)
    assert.ok(refused[0]!.reason instanceof ImportRefused)
    assert.match(refused[0]!.reason.message, /another import of customers is running for this tenant/)
    await service.parts.database.query('insert into customer_import (tenant_id, import_id, beats) values ($1, $2, 7)', [
      ...[service.tenantId, 'killed'],
    ])
    await customers.import(many(3_000), { waitMs: 300, replace: true })
    assert.equal(await customers.with(number('917020100001')), 'c1')
    assert.deepEqual(await rowsIn(service), [3_000, 6_000])
  })

  test(it('customers of one tenant are not those of another'), async (t) => {
    const service = await startTestService(t, await open(t))
    const folder = await importFolder(t)
    const { id } = await service.parts.tenantKeyring.createTenant('another')
    const other = customersOf({ ...service, tenantId: id }, folder)
    const customers = customersOf(service, folder)
    await Promise.all([customers.import(many(1_000)), other.import(many(10, 1_000))])
    assert.equal(await other.with(number('917020100001')), undefined)
    assert.equal(await customers.with(number('917020101001')), undefined)
    await other.import(['c1,917020100001,'], { replace: true })
    assert.equal(await other.with(number('917020100001')), 'c1')
    assert.deepEqual(await rowsIn(service), [1_001, 2_001])
  })
})
