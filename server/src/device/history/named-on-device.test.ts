import assert from 'node:assert/strict'
import { hash } from 'node:crypto'
import { test } from 'node:test'
import { setTimeout } from 'node:timers/promises'
import { ConditionFailed, type Database } from '../../core/storage/database.ts'
import { eachDatabase } from '../../testing/databases.ts'
import { findHistory } from '../store/device-history.ts'
import { historyStatements, readHistory } from './history-change.ts'
import { namedOnDevice } from './named-on-device.ts'
import { longestPacked, mostOfAKind, ofText, type SeenKind, unpacked } from './seen-values.ts'

const short = (text: string) => hash('sha256', text, 'buffer').subarray(0, 8)
const device = short('device')
const place = { deviceHash: device, installationHash: short('browser') }
const at = Date.parse('2026-03-01T12:00:00Z')

const seen = (value: string, kind: SeenKind = 'account') => [{ kind, value: ofText(value) }] as const

/** A visit, made again when another call wrote the history first. */
async function visit(database: Database, value: string, { by = 'browser', time = at } = {}): Promise<void> {
  for (;;) {
    const installationHash = short(by)
    const rows = await findHistory(database, device, installationHash)
    const { change } = readHistory(rows, { deviceHash: device, installationHash }, seen(value, 'hintedAccount'), time)
    try {
      return await database.batch(historyStatements(change))
    } catch (error) {
      if (!(error instanceof ConditionFailed)) throw error
    }
  }
}

/** As a decision, which is made again when the history was split meanwhile. */
async function named(database: Database, value: string, time = at, kind: SeenKind = 'account') {
  for (;;) {
    const found = await namedOnDevice(database, place, seen(value, kind), { at: time, since: 0 })
    try {
      await database.batch(found!.statements)
      return found!
    } catch (error) {
      if (!(error instanceof ConditionFailed)) throw error
    }
  }
}

eachDatabase(({ engine, open }) => {
  const it = (promise: string) => `${promise} (${engine})`

  test(it('concurrent decisions and visits of a device lose nobody'), async (t) => {
    const database = await open(t)
    await visit(database, 'page')
    const users = Array.from({ length: 40 }, (_, index) => `user ${index}`)
    await Promise.all([
      ...users.map((user) => named(database, user)),
      ...users.slice(0, 8).map((user) => visit(database, user)),
      visit(database, 'another installation', { by: 'another browser' }),
    ])
    const rows = await findHistory(database, device, place.installationHash)
    assert.equal(rows.length, 2, 'the device, and this installation')
    for (const row of rows) assert.deepEqual([...unpacked(row.seen).account.keys()].sort(), users.map(ofText).sort())
    const { velocity } = await named(database, users[0]!)
    assert.deepEqual([velocity.accountsPerDevice1h, velocity.accountsPerDevice7d], [40, 40])
  })

  test(it('a user named while a second installation appears counts for the first one'), async (t) => {
    const database = await open(t)
    await visit(database, 'page')
    const found = await namedOnDevice(database, place, seen('named'), { at, since: 0 })
    const second = { deviceHash: device, installationHash: short('another browser') }
    const rows = await findHistory(database, device, second.installationHash)
    const { change } = readHistory(rows, second, seen('other', 'hintedAccount'), at)
    const split = Promise.withResolvers<void>()
    // Waits for the row of the device. A statement does not see rows that were made while it waited.
    const append = split.promise.then(() => database.batch(found!.statements))
    await Promise.all([
      assert.rejects(append, ConditionFailed),
      database.transaction(async (tx) => {
        for (const { sql, params } of historyStatements(change)) await tx.query(sql, params)
        split.resolve()
        await setTimeout(100)
      }),
    ])
    await named(database, 'named')
    const stored = await findHistory(database, device, place.installationHash)
    for (const row of stored) assert.ok(unpacked(row.seen).account.has(ofText('named')), 'in each row')
  })

  test(it('whoever is named counts at once, and is stored once in ten minutes'), async (t) => {
    const database = await open(t)
    assert.equal(await namedOnDevice(database, place, seen('a'), { at, since: 0 }), undefined, 'no visit yet')
    await visit(database, 'page')
    const counts = []
    for (let user = 0; user < 12; user++) {
      counts.push((await named(database, `user ${user}`)).velocity.accountsPerDevice1h)
    }
    assert.deepEqual(counts, [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12])
    assert.deepEqual((await named(database, 'user 3', at + 599_999)).statements, [])
    assert.equal((await named(database, 'user 3', at + 600_000)).statements.length, 1)
  })

  test(it('the page, the sign-in and the backend name one person, which is one account'), async (t) => {
    const database = await open(t)
    await visit(database, 'as the page says')
    await named(database, 'as signed in', at, 'person')
    const { velocity } = await named(database, 'as the backend says')
    assert.equal(velocity.accountsPerDevice24h, 1)
    await named(database, '91', at, 'hintedNumber')
    await named(database, '91', at, 'number')
    assert.equal((await named(database, '92', at, 'number')).velocity.phoneNumbersPerDevice24h, 2)
  })

  test(it('a history does not grow without bound'), async (t) => {
    const database = await open(t)
    await visit(database, 'page')
    for (let user = 0; user < 600; user++) await named(database, `user ${user}`, at + user)
    const [row] = await findHistory(database, device, place.installationHash)
    assert.ok(row!.seen.length <= longestPacked + 15, `${row!.seen.length}`)
    await visit(database, 'another page', { time: at + 600 })
    const { velocity, statements } = await named(database, 'last', at + 601)
    assert.deepEqual([velocity.accountsPerDevice1h, statements.length], [mostOfAKind, 1])
  })
})
