// Does SQLite commit in groups, survive a full disk and a lost thread, and keep its log short?

import assert from 'node:assert/strict'
import { chmodSync, existsSync, readdirSync, statSync } from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { sqliteDatabases } from '../../../testing/databases.ts'
import { newCommits } from '../../../testing/new-commits.ts'
import { until } from '../../../testing/until.ts'
import { type Queryable, StorageUnavailable, UniqueViolation } from '../database.ts'
import { openDatabase } from '../open-database.ts'
import { sqliteFileName } from './sqlite.ts'
import { WriterThread } from './writer-thread.ts'

const { open, place } = sqliteDatabases
const insert = 'insert into thing (id, b) values ($1, $2)'
const makeThings = (database: Queryable) => database.query('create table thing (id text not null primary key, b bytea)')
const count = async (database: Queryable) => (await database.query('select count(*) as n from thing'))[0]?.n

test('commits the writes of one turn together, and those of different turns apart', async (t) => {
  const folder = await place(t)
  const database = await openDatabase(folder)
  await makeThings(database)
  const commits = await newCommits(folder)
  await Promise.all(Array.from({ length: 100 }, (_, i) => database.query(insert, [`together${i}`, null])))
  assert.equal(await commits(), 1)
  for (let i = 0; i < 10; i++) await database.query(insert, [`alone${i}`, null])
  assert.equal(await commits(), 10)
  const statement = (id: string) => ({ sql: insert, params: [id, null] })
  const batches = Array.from({ length: 50 }, (_, i) => database.batch([statement(`a${i}`), statement(`b${i}`)]))
  await Promise.all([...batches, database.query(insert, ['beside', null])])
  assert.equal(await commits(), 1)
  const outcomes = await Promise.allSettled(['new1', 'alone1', 'new2'].map((id) => database.query(insert, [id, null])))
  assert.deepEqual(
    outcomes.map(({ status }) => status),
    ['fulfilled', 'rejected', 'fulfilled'],
  )
  assert.equal(await commits(), 1, 'one that fails costs its neighbours no commit of their own')
  await database.close()
})

test('what nobody waits for shares a commit, comes before what is written later, and is there after close', async (t) => {
  const folder = await place(t)
  const database = await openDatabase(folder)
  await makeThings(database)
  const commits = await newCommits(folder)
  const soon = (id: string) => database.batchSoon([{ sql: insert, params: [id, null] }])
  // The time that they wait for others passes when the test says so, however long the turns take.
  t.mock.timers.enable({ apis: ['setTimeout'] })
  const timeIsOver = async () => {
    await new Promise(setImmediate)
    t.mock.timers.tick(10)
  }
  const ofTurns = []
  for (let i = 0; i < 4; i++) {
    ofTurns.push(soon(`turn${i}`))
    await new Promise(setImmediate)
  }
  await timeIsOver()
  await Promise.all(ofTurns)
  assert.equal(await commits(), 1)

  const before = soon('before')
  await database.query('delete from thing')
  await before
  assert.deepEqual([await commits(), await count(database)], [1, 0], 'a later write comes after it')

  const beforeTransaction = soon('before a transaction')
  assert.equal(await database.transaction(count), 1)
  await beforeTransaction

  const taken = assert.rejects(soon('before a transaction'), UniqueViolation)
  await timeIsOver()
  await taken
  const last = soon('last')
  const closed = database.close()
  await Promise.all([last, closed])
  const again = await openDatabase(folder)
  assert.equal(await count(again), 2)
  await again.close()
})

test('acknowledges nothing on a full disk, still reads, and writes again when there is room', async (t) => {
  const database = await open(t)
  await makeThings(database)
  await database.query(insert, ['before', null])
  const fill = async () => {
    const [limit] = await database.query<{ max_page_count: number }>('pragma max_page_count = 1') // the present size
    await database.query(`pragma max_page_count = ${limit!.max_page_count + 3}`)
  }
  const big = new Uint8Array(3_000)

  await fill()
  const group = Array.from({ length: 20 }, (_, i) => database.query(insert, [`group${i}`, big]))
  const outcomes = await Promise.allSettled(group)
  assert.ok(outcomes.every((outcome) => outcome.status === 'rejected' && outcome.reason instanceof StorageUnavailable))
  assert.equal(await count(database), 1)
  // The limit belongs to the connection, and a connection that met a full disk is replaced: there is room again.
  await Promise.all(Array.from({ length: 20 }, (_, i) => database.query(insert, [`again${i}`, big])))

  await fill()
  const transaction = database.transaction(async (tx) => {
    for (let i = 0; i < 20; i++) await tx.query(insert, [`transaction${i}`, big])
  })
  await assert.rejects(transaction, StorageUnavailable)
  assert.equal(await count(database), 21)
  await database.ping()
  await database.query(insert, ['after the transaction', big])
  assert.equal(await count(database), 22)
})

test('throws StorageUnavailable when the writer thread dies, and starts another at the next write', async (t) => {
  const thread = new WriterThread(join(await place(t), sqliteFileName))
  await thread.send({ do: 'open' })
  const unreadable = { do: 'group', writes: [{ sql: 'select 1', params: undefined }] } as never // no request of the engine ends the thread, so this one is malformed
  const pending = [thread.send(unreadable), thread.send({ do: 'begin' })]
  for (const outcome of await Promise.allSettled(pending)) {
    assert.ok(outcome.status === 'rejected' && outcome.reason instanceof StorageUnavailable)
  }
  const [lost] = await thread.send({ do: 'statement', write: { sql: 'select 1', params: [] } })
  assert.ok(lost && 'failure' in lost, 'a statement of a lost transaction does not run alone')
  assert.deepEqual(await thread.send({ do: 'group', writes: [{ sql: 'select 1 as one', params: [] }] }), [[{ one: 1 }]])
  await thread.close()
})

test('lets two processes on one folder read the writes of the other', async (t) => {
  const folder = await place(t)
  const [one, other] = await Promise.all([openDatabase(folder), openDatabase(folder)])
  await makeThings(one)
  await Promise.all(
    Array.from({ length: 100 }, (_, i) => (i % 2 ? one : other).query(insert, [`k${i}`, new Uint8Array(100)])),
  )
  assert.deepEqual([await count(one), await count(other)], [100, 100])
  await Promise.all([one.close(), other.close()])
})

test('copies the log into the file when the writer is idle, and leaves one file after close', async (t) => {
  const folder = await place(t)
  const database = await openDatabase(folder)
  await makeThings(database)
  const rows = Array.from({ length: 300 }, (_, i) => database.query(insert, [`k${i}`, new Uint8Array(16_000)]))
  await Promise.all(rows)
  const file = join(folder, sqliteFileName)
  await until(() => statSync(file).size >= 300 * 16_000)
  await database.close()
  assert.deepEqual([existsSync(`${file}-wal`), existsSync(`${file}-shm`)], [false, false])
})

test('creates database, log and index for their owner only, and keeps the mode of an existing file', async (t) => {
  const folder = await place(t)
  const modes = () =>
    Object.fromEntries(readdirSync(folder).map((name) => [name, statSync(join(folder, name)).mode & 0o777]))
  const database = await openDatabase(folder)
  await makeThings(database)
  assert.deepEqual(modes(), {
    [sqliteFileName]: 0o600,
    [`${sqliteFileName}-shm`]: 0o600,
    [`${sqliteFileName}-wal`]: 0o600,
  })
  await database.close()
  chmodSync(join(folder, sqliteFileName), 0o640)
  await (await openDatabase(folder)).close()
  assert.equal(modes()[sqliteFileName], 0o640)
})

test('names a folder that cannot be used', async (t) => {
  const folder = await place(t)
  await writeFile(join(folder, 'file'), 'not a folder')
  await assert.rejects(openDatabase(join(folder, 'file')), {
    name: 'StorageUnavailable',
    message: /Cannot open .*file/,
  })
  await mkdir(join(folder, 'other'))
  await writeFile(join(folder, 'other', sqliteFileName), 'this is not a database, whatever its name says'.repeat(100))
  await assert.rejects(openDatabase(join(folder, 'other')), {
    name: 'StorageUnavailable',
    message: /Cannot open .*other.*not a database/,
  })
})
