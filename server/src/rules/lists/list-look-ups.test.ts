import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ListKind } from '@ringfence/contract'
import { pino } from 'pino'
import { metrics } from '../../core/metrics/metrics.ts'
import type { Database, Row, SqlValue } from '../../core/storage/database.ts'
import type { Ending } from '../../testing/at-end.ts'
import { eachDatabase } from '../../testing/databases.ts'
import { startTestService, type TestService } from '../../testing/test-service.ts'
import { inputOf } from '../cases.ts'
import { listReadsIn } from '../language/compile.ts'
import { readCondition } from '../language/condition.ts'
import type { CaseInput } from '../language/rule.ts'
import { ListLookUps } from './list-look-ups.ts'
import { dropEndedEntries } from './retention.ts'

/** The look-ups of one more server of the same store, and the texts of the statements that it runs. */
function serverOf({ parts: needs }: TestService, t: Ending, mostBytes = 1e9) {
  const { database, tenantKeyring, clock } = needs
  const texts: string[] = []
  const counted = metrics()
  const seen: Database = Object.create(database, {
    query: {
      value: <R = Row>(sql: string, params?: readonly SqlValue[]) => {
        texts.push(sql)
        return database.query<R>(sql, params)
      },
    },
  })
  const log = pino({ level: 'silent' })
  const lookUps = new ListLookUps({ database: seen, tenantKeyring, clock, log, metrics: counted, mostBytes })
  t.after(() => lookUps.memory.close())
  return { lookUps, texts }
}

async function isIn(
  lookUps: ListLookUps,
  tenantId: string,
  condition: string,
  values: CaseInput,
  at?: number,
): Promise<boolean> {
  const parsed = readCondition(condition)
  const [one] = listReadsIn(parsed)
  const input = inputOf(values)
  const inList = await lookUps.forInput(tenantId, listReadsIn(parsed), input, at)
  return inList(one!.list, one!.read(input))
}

const card = (value: string | number) => ({ 'params.card': value })
const stolen = 'inList("stolen-cards", params.card)'

eachDatabase(({ engine, open }) => {
  const it = (name: string) => `${engine}: ${name}`

  async function started(t: Ending, kind: ListKind = 'text') {
    const service = await startTestService(t, await open(t))
    const {
      rules: { lists },
    } = service.parts
    const { tenantId } = service
    await lists.create(tenantId, { name: 'stolen-cards', kind, purpose: 'block' }, 'ada')
    const add = (...values: string[]) =>
      lists.add(
        tenantId,
        'stolen-cards',
        values.map((value) => ({ value })),
        'ada',
      )
    return { service, lists, tenantId, add }
  }

  test(it('answers from the store until the list is in memory, and then without the store'), async (t) => {
    const { service, tenantId, add } = await started(t)
    await add('c1', '42')
    const { lookUps, texts } = serverOf(service, t)
    assert.equal(await isIn(lookUps, tenantId, stolen, card('c1')), true, 'the first look-up after a start')
    assert.equal(await isIn(lookUps, tenantId, stolen, card('c2')), false)
    await lookUps.memory.settled()
    assert.ok(lookUps.memory.bytes > 0)
    texts.length = 0
    assert.equal(await isIn(lookUps, tenantId, stolen, card('c1')), true)
    assert.equal(await isIn(lookUps, tenantId, stolen, card('c2')), false)
    assert.equal(await isIn(lookUps, tenantId, stolen, card(42)), true, 'a number is compared as its text')
    assert.deepEqual(texts, [])
  })

  test(it('an entry counts for a past moment from when it was added until it expired'), async (t) => {
    const { service, lists, tenantId, add } = await started(t)
    const { clock } = service
    const hour = 3_600_000
    const begin = clock.now()
    await add('c1')
    clock.advance({ ms: hour })
    await lists.add(tenantId, 'stolen-cards', [{ value: 'c2', expiresAt: begin + 3 * hour }, { value: 'c3' }], 'ada')
    await lists.remove(tenantId, 'stolen-cards', ['c3'])
    clock.advance({ ms: 5 * hour })
    const inMemory = serverOf(service, t).lookUps
    await isIn(inMemory, tenantId, stolen, card('c1'))
    await inMemory.memory.settled()
    assert.ok(inMemory.memory.bytes > 0)
    for (const lookUps of [inMemory, serverOf(service, t, 0).lookUps]) {
      const isInAt = (value: string, hours: number) =>
        isIn(lookUps, tenantId, stolen, card(value), begin + hours * hour)
      assert.deepEqual([await isInAt('c1', -1), await isInAt('c1', 0), await isInAt('c1', 5)], [false, true, true])
      assert.deepEqual([await isInAt('c2', 0), await isInAt('c2', 1), await isInAt('c2', 3)], [false, true, false])
      assert.equal(await isInAt('c3', 1), false, 'what was removed since then is not known')
      assert.equal(await isIn(lookUps, tenantId, stolen, card('c2')), false, 'expired now')
    }
  })

  test(it('a change on one server is in force on the other one after a second'), async (t) => {
    const { service, lists, tenantId, add } = await started(t)
    await add('c1')
    const servers = [serverOf(service, t), serverOf(service, t)]
    const each = (value: string) =>
      Promise.all(servers.map(({ lookUps }) => isIn(lookUps, tenantId, stolen, card(value))))
    assert.deepEqual(await each('c1'), [true, true])
    for (const { lookUps } of servers) await lookUps.memory.settled()
    await add('c2')
    await lists.remove(tenantId, 'stolen-cards', ['c1'])
    service.clock.advance({ seconds: 1 })
    assert.deepEqual(
      [await each('c1'), await each('c2')],
      [
        [false, false],
        [true, true],
      ],
    )
    for (const { lookUps } of servers) await lookUps.memory.settled()
    assert.deepEqual(
      [await each('c1'), await each('c2')],
      [
        [false, false],
        [true, true],
      ],
    )
    await lists.delete(tenantId, 'stolen-cards')
    service.clock.advance({ seconds: 1 })
    assert.deepEqual(await each('c2'), [false, false])
  })

  test(it('reads only what has changed, and reads all again when removals are deleted from the store'), async (t) => {
    const { service, lists, tenantId, add } = await started(t)
    const many = Array.from({ length: 900 }, (_, i) => `m${i}`)
    await add('c1', ...many)
    const { lookUps, texts } = serverOf(service, t)
    const feed = () => texts.filter((text) => text.includes('order by version')).length
    await isIn(lookUps, tenantId, stolen, card('c1'))
    await lookUps.memory.settled()
    assert.equal(feed(), 2)
    await add('c2')
    service.clock.advance({ seconds: 1 })
    assert.equal(await isIn(lookUps, tenantId, stolen, card('c2')), true)
    await lookUps.memory.settled()
    assert.equal(feed(), 3)

    await lists.remove(tenantId, 'stolen-cards', ['c1'])
    service.clock.advance({ seconds: 3_700 })
    await dropEndedEntries(service.parts)
    assert.equal(await isIn(lookUps, tenantId, stolen, card('c1')), false)
    await lookUps.memory.settled()
    assert.equal(feed(), 5)
    assert.equal(await isIn(lookUps, tenantId, stolen, card('c1')), false)
    assert.equal(await isIn(lookUps, tenantId, stolen, card('m899')), true)
  })

  test(it('an entry in memory stops matching when it expires'), async (t) => {
    const { service, lists, tenantId } = await started(t)
    const expiresAt = service.clock.now() + 5_000
    await lists.add(tenantId, 'stolen-cards', [{ value: 'c1', expiresAt }], 'ada')
    const { lookUps } = serverOf(service, t)
    assert.equal(await isIn(lookUps, tenantId, stolen, card('c1')), true)
    await lookUps.memory.settled()
    service.clock.advance({ seconds: 4 })
    assert.equal(await isIn(lookUps, tenantId, stolen, card('c1')), true)
    service.clock.advance({ seconds: 1 })
    assert.equal(await isIn(lookUps, tenantId, stolen, card('c1')), false)
  })

  test(it('an IP address matches addresses and ranges, from the store and from memory'), async (t) => {
    const { service, lists, tenantId, add } = await started(t, 'ip')
    await add('10.0.0.0/8', '2001:db8::/32', '192.0.2.7')
    const { lookUps } = serverOf(service, t)
    const matches = (...ips: string[]) =>
      Promise.all(ips.map((ip) => isIn(lookUps, tenantId, 'inList("stolen-cards", ip)', { ip })))
    const inside = ['10.200.3.4', '2001:db8:ffff::1', '192.0.2.7', '::ffff:10.1.2.3']
    const outside = ['11.0.0.1', '2001:db9::1', '192.0.2.8', 'not an address']
    for (const _ of ['store', 'memory']) {
      assert.deepEqual(
        await matches(...inside),
        inside.map(() => true),
      )
      assert.deepEqual(
        await matches(...outside),
        outside.map(() => false),
      )
      await lookUps.memory.settled()
    }
    await lists.remove(tenantId, 'stolen-cards', ['10.0.0.0/8'])
    service.clock.advance({ seconds: 1 })
    await matches('10.200.3.4')
    await lookUps.memory.settled()
    assert.deepEqual(await matches('10.200.3.4', '192.0.2.7'), [false, true])
  })

  test(it('lists that do not fit into memory are answered by the store'), async (t) => {
    const { service, lists, tenantId, add } = await started(t)
    await add(...Array.from({ length: 1_000 }, (_, i) => `c${i}`))
    await lists.create(tenantId, { name: 'small', kind: 'text', purpose: 'watch' }, 'ada')
    await lists.add(tenantId, 'small', [{ value: 'c1' }], 'ada')
    const { lookUps } = serverOf(service, t, 20_000)
    const small = (value: string) => isIn(lookUps, tenantId, 'inList("small", params.card)', card(value))
    for (const _ of ['first', 'second']) {
      assert.equal(await isIn(lookUps, tenantId, stolen, card('c999')), true)
      assert.equal(await isIn(lookUps, tenantId, stolen, card('d1')), false)
      assert.deepEqual([await small('c1'), await small('c2')], [true, false])
      await lookUps.memory.settled()
      service.clock.advance({ seconds: 20 })
    }
    assert.ok(lookUps.memory.bytes > 0 && lookUps.memory.bytes <= 20_000, String(lookUps.memory.bytes))
  })

  test(it('neither another tenant nor a list that does not exist matches'), async (t) => {
    const { service, tenantId, add } = await started(t)
    await add('c1')
    const { lookUps } = serverOf(service, t)
    const stranger = await service.parts.tenantKeyring.createTenant('stranger')
    assert.equal(await isIn(lookUps, stranger.id, stolen, card('c1')), false)
    assert.equal(await isIn(lookUps, tenantId, 'inList("none", params.card)', card('c1')), false)
    assert.equal(await isIn(lookUps, tenantId, stolen, {}), false)
  })

  test(it('while a list is imported, every look-up is right'), async (t) => {
    const { service, tenantId, add } = await started(t)
    await add('first')
    const { lookUps } = serverOf(service, t)
    await isIn(lookUps, tenantId, stolen, card('first'))
    for (let slice = 0; slice < 4; slice++) {
      await add(...Array.from({ length: 600 }, (_, i) => `s${slice}-${i}`))
      service.clock.advance({ seconds: 1 })
      for (const [value, wanted] of [
        ['first', true],
        [`s${slice}-0`, true],
        [`s${slice}-599`, true],
        [`s${slice + 1}-0`, false],
      ] as const) {
        assert.equal(await isIn(lookUps, tenantId, stolen, card(value)), wanted, value)
      }
    }
  })

  test(it('fails while the store does not answer, instead of saying that a value is in no list'), async (t) => {
    const { service, tenantId, add } = await started(t)
    await add('c1')
    const { database, tenantKeyring, clock } = service.parts
    let isDown = true
    const broken: Database = Object.create(database, {
      query: {
        value: async (sql: string, params?: readonly SqlValue[]) => {
          if (isDown && sql.includes('list_entry')) throw new Error('down')
          return database.query(sql, params)
        },
      },
    })
    const log = pino({ level: 'silent' })
    const resources = { database: broken, tenantKeyring, clock, log, metrics: metrics(), mostBytes: 1e9 }
    const lookUps = new ListLookUps(resources)
    t.after(() => lookUps.memory.close())
    await assert.rejects(isIn(lookUps, tenantId, stolen, card('c1')), /down/)
    isDown = false
    assert.equal(await isIn(lookUps, tenantId, stolen, card('c1')), true)
  })
})
