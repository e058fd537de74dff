// Does PostgreSQL recover from a lost connection, and does each refusal become the right error?

import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { type TestContext, test } from 'node:test'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { atEnd } from '../../../testing/at-end.ts'
import { postgresDatabases } from '../../../testing/databases.ts'
import { settlesWithin } from '../../../testing/settles.ts'
import { type Database, StorageUnavailable } from '../database.ts'
import { openDatabase } from '../open-database.ts'

const { open, place } = postgresDatabases
const endOtherConnections =
  'select count(pg_terminate_backend(pid)) as n from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()'

/** Ends idle connections. The server does it some time after the request. */
async function endIdleConnections(by: Database): Promise<void> {
  while ((await by.query(endOtherConnections))[0]?.n !== 0);
  await nextTurn() // the client has noticed it
}

async function openedFor(t: TestContext, where: string): Promise<Database> {
  const database = await openDatabase(where)
  atEnd(t, () => database.close())
  return database
}

test('throws StorageUnavailable for a lost connection, and opens a new one for the next call', async (t) => {
  const where = await place(t)
  const [database, other] = [await openedFor(t, where), await openedFor(t, where)]
  await database.query('create table thing (id text not null primary key)')
  const inTransaction = database.transaction(async (tx) => {
    await tx.query("insert into thing (id) values ('lost')")
    await other.query(endOtherConnections)
    await tx.query("insert into thing (id) values ('never')")
  })
  await assert.rejects(inTransaction, StorageUnavailable)
  await endIdleConnections(other)
  const asleep = assert.rejects(
    database.query('insert into thing (id) select cast(pg_sleep(60) as text)'),
    StorageUnavailable,
  )
  while ((await other.query(`${endOtherConnections} and query like '%sleep(60)%'`))[0]?.n === 0);
  await asleep
  await endIdleConnections(other)
  await database.query("insert into thing (id) values ('kept')")
  assert.deepEqual(await database.query('select id from thing'), [{ id: 'kept' }])
})

test('throws StorageUnavailable for a server that is not reachable or refuses', async (t) => {
  const where = await place(t)
  const nowhere = where.replace(/host=.*/, `host=${encodeURIComponent('/nowhere')}`)
  await assert.rejects(openDatabase(nowhere), { name: 'StorageUnavailable', message: /ENOENT/ })
  await assert.rejects(openDatabase('postgres://ringfence@127.0.0.1:1/x'), { name: 'StorageUnavailable' })
  await assert.rejects(openDatabase(where.replace(/\/test_\w+/, '/absent')), {
    name: 'StorageUnavailable',
    message: /database "absent" does not exist/,
  })
})

test('sslmode=verify-full sends nothing but the TLS request to a server without TLS', async (t) => {
  const received: Buffer[] = []
  const server = createServer((socket) => {
    socket.on('data', (bytes: Buffer) => {
      received.push(bytes)
      socket.write('N')
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  atEnd(t, () => server.close())
  const { port } = server.address() as AddressInfo
  await assert.rejects(openDatabase(`postgres://ringfence:secret@127.0.0.1:${port}/x?sslmode=verify-full`), {
    name: 'StorageUnavailable',
    message: /does not support SSL/,
  })
  const sslRequest = Buffer.from([0, 0, 0, 8, 4, 210, 22, 47])
  assert.deepEqual(Buffer.concat(received), sslRequest)
})

test('reports a read-only server as not ready', async (t) => {
  const where = await place(t)
  const database = await openedFor(t, where)
  const [row] = await database.query('select current_database() as name')
  await database.query(`alter database ${row?.name} set default_transaction_read_only = on`)
  await database.query(endOtherConnections)
  await database.query('select pg_terminate_backend(pg_backend_pid())').catch(() => undefined)
  await assert.rejects(database.ping(), StorageUnavailable)
  await assert.rejects(database.query('create table thing (id text)'), StorageUnavailable)
  await assert.rejects(openDatabase(where), StorageUnavailable)
})

test('stops a statement on the server when its transaction times out', async (t) => {
  const database = await open(t)
  const slow = database.transaction((tx) => tx.query('select cast(pg_sleep(60) as text) as t'), 50)
  await settlesWithin(10_000, assert.rejects(slow, StorageUnavailable))
})

test('prepares a statement once for each connection', async (t) => {
  const database = await open(t)
  for (const id of ['a', 'b', 'c']) await database.query('select name from tenant where id = $1', [id])
  const sql = 'select count(*) as n from pg_prepared_statements where statement = $1'
  assert.deepEqual(await database.query(sql, ['select name from tenant where id = $1']), [{ n: 1 }])
})

test('batches that are never the same twice leave no statements behind, in the server or here', async (t) => {
  const database = await openDatabase(await place(t), { pools: { read: 1, write: 1 } })
  atEnd(t, () => database.close())
  await database.query('create table thing (id bigint not null primary key)')
  const insert = (rows: number, from: number) => ({
    sql: `insert into thing (id) values ${Array.from({ length: rows }, (_, row) => `($${row + 1})`).join(', ')}`,
    params: Array.from({ length: rows }, (_, row) => from + row),
  })
  const prepared = async () => {
    const sql = 'select count(*) as n, max(length(statement)) as longest from pg_prepared_statements'
    return (await database.transaction((tx) => tx.query<{ n: number; longest: number }>(sql)))[0]!
  }
  await database.batch([insert(9_000, 0)])
  assert.ok((await prepared()).longest < 32_768, 'a long text is not prepared')
  let next = 9_000
  for (let batch = 0; batch < 2_500; batch++) {
    const [one, other] = [1 + Math.floor(batch / 50), 1 + (batch % 50)]
    await database.batch([insert(one, next), insert(other, next + one)])
    next += one + other
  }
  assert.ok((await prepared()).n <= 2_000, `${(await prepared()).n} statements are prepared`)
  assert.equal((await database.query<{ n: number }>('select count(*) as n from thing'))[0]?.n, next)
})
