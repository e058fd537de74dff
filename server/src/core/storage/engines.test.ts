// Do both engines keep the contract of database.ts? Values, statements, groups and closing; transactions.test.ts has transactions.

import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import { eachDatabase } from '../../testing/databases.ts'
import { type Database, StorageUnavailable, UniqueViolation } from './database.ts'
import { openDatabase } from './open-database.ts'

async function makeThings(database: Database): Promise<Database> {
  await database.query(
    'create table thing (id text not null primary key, n bigint, x double precision, b bytea, t text)',
  )
  await database.query('create unique index thing_t on thing (t)')
  return database
}

const insert = 'insert into thing (id, n, x, b, t) values ($1, $2, $3, $4, $5)'
const ids = (rows: { id: string }[]): string[] => rows.map(({ id }) => id)

eachDatabase(({ engine, open, place }) => {
  test(`returns every value as it was written (${engine})`, async (t) => {
    const database = await makeThings(await open(t))
    const all256 = Uint8Array.from({ length: 256 }, (_, i) => i)
    const rows = [
      { id: 'largest', n: Number.MAX_SAFE_INTEGER, x: 1.7976931348623157e308, b: all256, t: '' },
      { id: 'least', n: Number.MIN_SAFE_INTEGER, x: 5e-324, b: new Uint8Array(), t: 'it\'s $1; -- \\ "?"' },
      { id: 'whole', n: 0, x: 2, b: new Uint8Array([0]), t: 'नमस्ते 👩‍👩‍👧 \u{1F4F1}\r\n\t' },
      { id: 'null', n: null, x: null, b: null, t: null },
    ]
    for (const { id, n, x, b, t: text } of rows) await database.query(insert, [id, n, x, b, text])
    for (const row of rows) {
      assert.deepEqual(await database.query('select id, n, x, b, t from thing where id = $1', [row.id]), [row])
      const [returned] = await database.query('update thing set n = n where id = $1 returning id, n, x, b, t', [row.id])
      assert.deepEqual(returned, row)
    }
  })

  test(`returns truth values, counts and sums as numbers (${engine})`, async (t) => {
    const database = await makeThings(await open(t))
    await database.query(insert, ['a', 40, null, null, null])
    await database.query(insert, ['b', 2, null, null, null])
    const sql = 'select count(*) as count, sum(n) as sum, max(n) > 39 as much, max(n) / $1 as half from thing'
    assert.deepEqual(await database.query(sql, [3]), [{ count: 2, sum: 42, much: 1, half: 13 }])
    assert.deepEqual(await database.query('select cast($1 as text) as text', [5]), [{ text: '5' }])
  })

  test(`throws on a number that is too large for JavaScript (${engine})`, async (t) => {
    const database = await open(t)
    await assert.rejects(database.query('select 9007199254740993 as n'), /too large/)
  })

  test(`copies the bytes at the moment of the call, and only those of the view (${engine})`, async (t) => {
    const database = await makeThings(await open(t))
    const pool = Buffer.from('before-WINDOW-after')
    const window = pool.subarray(7, 13)
    const written = database.query(insert, ['a', null, null, window, null])
    if (engine === 'sqlite') window.fill(0) // the driver of PostgreSQL sends at once or keeps the buffer, so callers must not rely on it
    await written
    assert.deepEqual(await database.query('select b from thing'), [{ b: new Uint8Array(Buffer.from('WINDOW')) }])
  })

  test(`reads a row as soon as its write was answered (${engine})`, async (t) => {
    const database = await makeThings(await open(t))
    for (let i = 0; i < 50; i++) {
      await database.query(insert, [`k${i}`, i, null, null, null])
      assert.deepEqual(await database.query('select n from thing where id = $1', [`k${i}`]), [{ n: i }])
    }
  })

  test(`recognises every form of a writing statement (${engine})`, async (t) => {
    const database = await makeThings(await open(t))
    const made = await database.query<{ id: string }>(
      'with source as (select cast($1 as text) as id) insert into thing (id) select id from source returning id',
      ['from with'],
    )
    assert.deepEqual(ids(made), ['from with'])
    const upsert = 'insert into thing (id, n) values ($1, $2) on conflict (id) do update set n = excluded.n returning n'
    assert.deepEqual(await database.query(upsert, ['from with', 7]), [{ n: 7 }])
    assert.deepEqual(await database.query('-- a note\n SELECT n FROM thing'), [{ n: 7 }])
    const slice = 'delete from thing where (id, n) in (select id, n from thing order by id limit $1) returning id'
    assert.deepEqual(ids(await database.query(slice, [1])), ['from with'])
  })

  test(`stores 1,000 simultaneous writes (${engine})`, async (t) => {
    const database = await makeThings(await open(t))
    const numbers = Array.from({ length: 1000 }, (_, i) => i)
    await Promise.all(numbers.map((n) => database.query(insert, [`k${n}`, n, null, randomBytes(32), null])))
    const rows = await database.query<{ n: number }>('select n from thing order by n')
    assert.deepEqual(
      rows.map(({ n }) => n),
      numbers,
    )
  })

  test(`fails one statement and stores the other writes of its turn (${engine})`, async (t) => {
    const database = await makeThings(await open(t))
    await database.query('create table child (id text references thing (id) deferrable initially deferred)')
    await database.query(insert, ['taken', 1, null, null, 'taken'])
    const good = (i: number) => database.query(insert, [`good${i}`, i, null, null, null])
    const outcomes = await Promise.allSettled([
      good(1),
      database.query(insert, ['taken', 2, null, null, null]),
      good(2),
      database.query(insert, ['other', 2, null, null, 'taken']),
      good(3),
      database.query('insert into thing (id) values ($1)', [null]),
      good(4),
      database.query('insert into nowhere (id) values ($1)', ['a']),
      good(5),
      database.query('insert into child (id) values ($1)', ['nobody']), // fails at the commit
      good(6),
    ])
    const failed = outcomes.map((outcome) => (outcome.status === 'rejected' ? (outcome.reason as Error).name : ''))
    const bad = ['UniqueViolation', 'UniqueViolation', 'Error', 'Error', 'Error']
    assert.deepEqual(
      failed.map((name) => (name === 'error' ? 'Error' : name)),
      bad.flatMap((name) => ['', name]).concat(''),
    )
    assert.deepEqual(ids(await database.query("select id from thing where id like 'good%' order by id")), [
      ...['good1', 'good2', 'good3', 'good4', 'good5', 'good6'],
    ])
    assert.deepEqual(await database.query('select id from child'), [])
  })

  test(`fails one read and answers the other reads of its turn (${engine})`, async (t) => {
    const database = await makeThings(await open(t))
    for (let i = 0; i < 4; i++) await database.query(insert, [`k${i}`, i, 0.5, Uint8Array.of(i), `one${i}`])
    const read = 'select n, x, b, t from thing where id = $1 and n / $2 >= 0'
    const outcomes = await Promise.allSettled([
      ...[0, 1, 2].map((i) => database.query(read, [`k${i}`, 1])),
      database.query('select cast($1 as bigint) + 9007199254740992 as n', [1]),
      database.query('select n from nowhere where id = $1', ['k3']),
      database.query(read, ['nobody', 1]),
      database.query(read, ['k3', 1]),
    ])
    const row = (i: number) => [{ n: i, x: 0.5, b: Uint8Array.of(i), t: `one${i}` }]
    assert.deepEqual(
      outcomes.map((outcome) => (outcome.status === 'fulfilled' ? outcome.value : 'failed')),
      [row(0), row(1), row(2), 'failed', 'failed', [], row(3)],
    )
  })

  test(`throws UniqueViolation for a key that exists (${engine})`, async (t) => {
    const database = await makeThings(await open(t))
    await database.query(insert, ['a', 1, null, null, 'x'])
    await assert.rejects(database.query(insert, ['a', 2, null, null, 'y']), UniqueViolation)
    await assert.rejects(database.query(insert, ['b', 2, null, null, 'x']), UniqueViolation)
    await assert.rejects(database.query('update thing set id = null'), (error) => !(error instanceof UniqueViolation))
    assert.deepEqual(await database.query('select id, n, t from thing'), [{ id: 'a', n: 1, t: 'x' }])
  })

  test(`refuses what the two engines would handle differently (${engine})`, async (t) => {
    const database = await makeThings(await open(t))
    const refused: [string, (string | number)[], RegExp][] = [
      ["insert into thing (id) values ('a'); insert into thing (id) values ('b')", [], /One statement per query/],
      ['-- nothing', [], /One statement per query/],
      ['begin', [], /Use transaction\(\)/],
      ['COMMIT', [], /Use transaction\(\)/],
      ['insert into thing (id, n) values ($1, $2)', ['a'], /2 values expected, 1 given/],
      ['insert into thing (id) values ($1)', ['a', 'b'], /1 values expected, 2 given/],
      ['insert into thing (id, x) values ($1, $2)', ['a', Number.NaN], /\$2 is not finite/],
      ['insert into thing (id) values ($1)', ['a\0b'], /\$1 .*U\+0000/],
    ]
    for (const [sql, params, message] of refused) {
      await assert.rejects(database.query(sql, params), { message })
      await assert.rejects(
        database.transaction((tx) => tx.query(sql, params)),
        { message },
      )
    }
    await assert.rejects(database.query('selekt 1'), /syntax error/)
    assert.deepEqual(await database.query('select id from thing'), [])
  })

  test(`refuses at once what would wait too long, and answers the rest (${engine})`, async (t) => {
    const database = await makeThings(await open(t))
    const sql = 'update thing set n = n where id = $1'
    const outcomes = await Promise.allSettled(Array.from({ length: 21_000 }, () => database.query(sql, ['nobody'])))
    const refused = outcomes.filter((outcome) => outcome.status === 'rejected')
    assert.ok(refused.length > 0 && refused.length < outcomes.length)
    assert.ok(refused.every(({ reason }) => reason instanceof StorageUnavailable))
    assert.ok(refused.some(({ reason }) => /already waiting/.test(reason.message)))
    await database.query(insert, ['next', null, null, null, null])
  })

  test(`finishes accepted calls on close and refuses later ones (${engine})`, async (t) => {
    const where = await place(t)
    const database = await makeThings(await openDatabase(where))
    const accepted = Array.from({ length: 300 }, (_, i) => database.query(insert, [`k${i}`, i, null, null, null]))
    const transaction = database.transaction(async (tx) => {
      await tx.query(insert, ['t1', 1, null, null, null])
      await tx.query(insert, ['t2', 2, null, null, null])
    })
    const read = database.query("select 'accepted' as word")
    const closed = database.close()
    assert.deepEqual(await read, [{ word: 'accepted' }])
    await assert.rejects(database.query('select 1 as one'), /closed/)
    await assert.rejects(database.query(insert, ['late', 0, null, null, null]), /closed/)
    await assert.rejects(
      database.transaction(async () => 1),
      /closed/,
    )
    await assert.rejects(database.ping(), /closed/)
    await Promise.all([...accepted, transaction, closed, database.close()])
    const again = await openDatabase(where)
    assert.deepEqual(await again.query('select count(*) as n from thing'), [{ n: 302 }])
    await again.ping()
    await again.close()
  })
})
