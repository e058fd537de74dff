// Does a batch write everything or nothing, in one commit, on both engines?

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { atEnd } from '../../testing/at-end.ts'
import { eachDatabase } from '../../testing/databases.ts'
import { type BatchStatement, ConditionFailed, type Database, UniqueViolation } from './database.ts'
import { openDatabase } from './open-database.ts'
import { jointStatement } from './statement.ts'

async function makeTables(database: Database): Promise<Database> {
  await database.query('create table thing (id text not null primary key, n bigint, x double precision, b bytea)')
  await database.query('create table counter (id text not null primary key, n bigint not null)')
  await database.query("insert into counter (id, n) values ('c', 0)")
  return database
}

const insert = (id: string, n: number | null = null): BatchStatement => ({
  sql: 'insert into thing (id, n) values ($1, $2)',
  params: [id, n],
})
const raise = (n: number): BatchStatement => ({
  sql: "update counter set n = $1 where id = 'c' and n < $1 returning n",
  params: [n],
  required: true,
})
const idsIn = async (database: Database) =>
  (await database.query<{ id: string }>('select id from thing order by id')).map(({ id }) => id)
const counterIn = async (database: Database) => (await database.query<{ n: number }>('select n from counter'))[0]?.n

eachDatabase(({ engine, open, place }) => {
  test(`writes all statements of a batch, with every kind of value (${engine})`, async (t) => {
    const database = await makeTables(await open(t))
    const bytes = Uint8Array.from({ length: 256 }, (_, i) => i)
    await database.batch([
      {
        sql: `-- $9 in a comment
          with source as (select cast($1 as text) as id) insert into thing (id, n, x, b) select id, $2, $3, $4 from source`,
        params: ["it's $1; --", Number.MAX_SAFE_INTEGER, 0.5, bytes],
      },
      { sql: "insert into thing (id, b) values ('$1', $1) on conflict (id) do nothing -- the end", params: [null] },
      raise(7),
      { sql: 'delete from counter where id = $1', params: ['nobody'] },
    ])
    assert.deepEqual(await database.query('select id, n, x, b from thing order by id'), [
      { id: '$1', n: null, x: null, b: null },
      { id: "it's $1; --", n: Number.MAX_SAFE_INTEGER, x: 0.5, b: bytes },
    ])
    assert.equal(await counterIn(database), 7)
    await database.batch([])
  })

  test(`batches that count the same are written one after the other, whichever server sends them (${engine})`, async (t) => {
    const at = await place(t)
    const servers = [await openDatabase(at), await openDatabase(at)]
    atEnd(t, () => Promise.all(servers.map((server) => server.close())))
    await makeTables(servers[0]!)
    const few = (counts: string): BatchStatement => ({
      sql: 'select 1 as fewer where (select count(*) from thing where n = $1) < 3',
      params: [counts.length],
      required: true,
      counts,
    })
    const written = await Promise.allSettled(
      Array.from({ length: 40 }, (_, i) => {
        const counts = ['a', 'bb'][i % 4 < 2 ? 0 : 1]!
        return servers[i % 2]!.batch([few(counts), insert(`${i}`, counts.length), few(`${counts}, and more`)])
      }),
    )
    const refused = written.flatMap((each) => (each.status === 'rejected' ? [each.reason] : []))
    assert.deepEqual([...new Set(refused.map(({ name }) => name))], ['ConditionFailed'])
    const counted = await servers[0]!.query(
      'select n, cast(count(*) as bigint) as many from thing group by n order by n',
    )
    assert.deepEqual(counted, [
      { n: 1, many: 3 },
      { n: 2, many: 3 },
    ])
  })

  test(`writes a batch of more values than a message of PostgreSQL has, or nothing of it (${engine})`, async (t) => {
    const database = await makeTables(await open(t))
    const places = Array.from({ length: 100 }, (_, i) => `$${i + 1}`).join(', ')
    const one = { sql: `delete from thing where id in (${places})`, params: Array<string>(100).fill('nobody') }
    const many = Array<BatchStatement>(660).fill(one)
    await database.batch([raise(7), ...many, insert('a')])
    assert.equal(await counterIn(database), 7)
    await assert.rejects(database.batch([insert('b'), ...many, raise(7)]), ConditionFailed)
    await assert.rejects(database.batch([insert('c'), ...many, insert('a')]), UniqueViolation)
    assert.deepEqual(await idsIn(database), ['a'])
  })

  test(`writes nothing of a batch when one statement fails or a required one returns no row (${engine})`, async (t) => {
    const database = await makeTables(await open(t))
    await database.batch([insert('taken'), raise(5)])
    await assert.rejects(database.batch([insert('a'), raise(6), insert('taken')]), UniqueViolation)
    await assert.rejects(database.batch([insert('b'), raise(5)]), ConditionFailed)
    await assert.rejects(database.batch([raise(5), insert('b')]), ConditionFailed)
    await assert.rejects(database.batch([insert('c'), { sql: 'insert into nowhere (id) values (1)', params: [] }]))
    await assert.rejects(
      database.batch([insert('d'), { sql: 'insert into thing (id) values ($1)', params: [] }]),
      TypeError,
    )
    await assert.rejects(database.batch([{ ...insert('e'), required: true }]), (error) => error instanceof Error)
    assert.deepEqual([await idsIn(database), await counterIn(database)], [['taken'], 5])
  })

  test(`keeps the other writes of the turn when a batch fails (${engine})`, async (t) => {
    const database = await makeTables(await open(t))
    await database.batch([insert('taken')])
    const outcomes = await Promise.allSettled([
      database.query('insert into thing (id) values ($1)', ['alone']),
      database.batch([insert('a'), insert('taken')]),
      database.batch([insert('b'), insert('c')]),
      database.batch([insert('d'), raise(-1)]),
      database.query('insert into thing (id) values ($1)', ['last']),
    ])
    assert.deepEqual(
      outcomes.map((outcome) => (outcome.status === 'rejected' ? outcome.reason.name : '')),
      ['', 'UniqueViolation', '', 'ConditionFailed', ''],
    )
    assert.deepEqual(await idsIn(database), ['alone', 'b', 'c', 'last', 'taken'])
  })

  test(`lets one of several concurrent batches with one condition through, on two servers (${engine})`, async (t) => {
    const at = await place(t)
    const [one, other] = await Promise.all([openDatabase(at), openDatabase(at)])
    atEnd(t, () => Promise.all([one.close(), other.close()]))
    await makeTables(one)
    for (let round = 1; round <= 20; round++) {
      const outcomes = await Promise.allSettled(
        Array.from({ length: 8 }, (_, i) => (i % 2 ? one : other).batch([insert(`${round} ${i}`), raise(round)])),
      )
      assert.equal(outcomes.filter(({ status }) => status === 'fulfilled').length, 1)
      const reasons = outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [outcome.reason] : []))
      assert.ok(
        reasons.every((reason) => reason instanceof ConditionFailed),
        String(reasons),
      )
      assert.equal((await idsIn(one)).length, round)
    }
  })

  test(`refuses a batch inside a transaction and after close (${engine})`, async (t) => {
    const database = await makeTables(await open(t))
    const inside = database.transaction(() => database.batch([insert('a')]))
    await assert.rejects(inside, /Inside a transaction/)
    const accepted = database.batch([insert('b')])
    const closed = database.close()
    await accepted
    await assert.rejects(database.batch([insert('c')]), /closed/)
    await closed
  })
})

test('numbers the parameters of a joint statement on, but not those in strings and comments', () => {
  const text = jointStatement([
    { sql: 'insert into a (x) values ($1) -- $1', params: [1] },
    { sql: "update b set x = $2, y = '$1' where z = $1 returning x", params: [1, 2], required: true },
  ])
  assert.equal(
    text,
    'with part0 as (insert into a (x) values ($1) -- $1\n), ' +
      "part1 as (update b set x = $3, y = '$1' where z = $2 returning x\n) " +
      'select 1, 1 / (select count(*) from part1)',
  )
})
