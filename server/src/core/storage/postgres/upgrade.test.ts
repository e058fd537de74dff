// Does an upgrade leave running servers alone? Short locks, indexes beside writes, and a lock for migrations that nobody waits for silently.

import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { type TestContext, test } from 'node:test'
import { setTimeout as after } from 'node:timers/promises'
import { Client } from 'pg'
import { atEnd } from '../../../testing/at-end.ts'
import { postgresDatabases } from '../../../testing/databases.ts'
import { until } from '../../../testing/until.ts'
import type { Database } from '../database.ts'
import { openDatabase } from '../open-database.ts'
import type { Migration } from '../upgrade/migration.ts'
import { openPostgres } from './postgres.ts'

const things: Migration = {
  name: '0001-things',
  sql: `create table thing (id text not null primary key, n bigint not null);
insert into thing (id, n) select cast(i as text), i from generate_series(1, 1000) as i;`,
}
const column: Migration = { name: '0002-column', sql: 'alter table thing add column more text' }
const index: Migration = {
  name: '0003-index',
  sql: `-- By number.
create index /* postgres: concurrently */ thing_by_n on thing (n);
create unique index /* postgres: concurrently */ thing_once on thing (n, id) where n > 0`,
}
const all = [things, column, index]

/** Another session of the database, such as the one of an administrator. */
async function session(t: TestContext, place: string): Promise<Client> {
  const client = new Client({ connectionString: place, application_name: 'administrator' })
  client.on('error', () => undefined)
  await client.connect()
  atEnd(t, () => client.end())
  return client
}

async function opened(t: TestContext, place: string, migrations: readonly Migration[], reported: string[] = []) {
  const database = await openDatabase(place, { migrations, waiting: { report: (line) => reported.push(line) } })
  atEnd(t, () => database.close())
  return database
}

const indexes = (database: Pick<Database, 'query'>) =>
  database.query(`select cast(indexrelid as regclass) || '' as name, indisvalid as valid, indisunique as once
    from pg_index where indrelid = to_regclass('thing') and not indisprimary order by 1`)
const built = [
  { name: 'thing_by_n', valid: 1, once: 0 },
  { name: 'thing_once', valid: 1, once: 1 },
]

test('builds an index beside writes, while a transaction that is older holds it up', async (t) => {
  const place = await postgresDatabases.place(t)
  const running = await opened(t, place, [things])
  const administrator = await session(t, place)
  await administrator.query('begin isolation level repeatable read; select 1')
  const reported: string[] = []
  const opening = opened(t, place, all, reported)
  const phase = 'select phase from pg_stat_progress_create_index where datname = current_database()'
  await until(async () => (await running.query<{ phase: string }>(phase))[0]?.phase === 'waiting for old snapshots')
  await running.query("insert into thing (id, n) values ('new', 5)")
  await administrator.query('commit')
  const upgraded = await opening
  assert.deepEqual(await indexes(upgraded), built)
  assert.deepEqual(await upgraded.query('select name from schema_index'), [])
  assert.deepEqual(
    reported.map((line) => line.replace(/ in [\d.]+ s$/, '')),
    [
      ...['Applied migration 0002-column', 'Applied migration 0003-index'],
      ...['Building index thing_by_n; writes go on', 'Built index thing_by_n'],
      ...['Building index thing_once; writes go on', 'Built index thing_once'],
    ],
  )
})

test('builds each index once when four servers start at the same time', async (t) => {
  const place = await postgresDatabases.place(t)
  await opened(t, place, [things])
  const reported: string[] = []
  const servers = await Promise.all([1, 2, 3, 4].map(() => opened(t, place, all, reported)))
  for (const server of servers) assert.deepEqual(await indexes(server), built)
  assert.equal(reported.filter((line) => line.startsWith('Built index')).length, 2)
})

test('says nothing of the indexes of a new store', async (t) => {
  const reported: string[] = []
  assert.deepEqual(await indexes(await opened(t, await postgresDatabases.place(t), all, reported)), built)
  assert.deepEqual(reported, [])
})

test('builds an index again that a killed server left unfinished', async (t) => {
  const place = await postgresDatabases.place(t)
  const running = await opened(t, place, [things])
  const administrator = await session(t, place)
  await administrator.query('begin isolation level repeatable read; select 1')
  const killed = assert.rejects(openDatabase(place, { migrations: all }), /terminating connection/)
  const building = `select pid from pg_stat_activity where datname = current_database() and query like 'create index concurrently%'`
  await until(async () => (await running.query(building)).length === 1)
  await until(async () => (await indexes(running)).length === 1)
  await administrator.query(`select pg_terminate_backend(pid) from (${building}) as b`)
  await killed
  assert.deepEqual(await indexes(running), [{ name: 'thing_by_n', valid: 0, once: 0 }])
  await administrator.query('commit')
  assert.deepEqual(await indexes(await opened(t, place, all)), built)
})

test('waits for a build whose server was killed, and takes it over', async (t) => {
  const place = await postgresDatabases.place(t)
  const running = await opened(t, place, [things])
  await openDatabase(place, { migrations: [things, column] }).then((database) => database.close())
  // What a killed server leaves: the migration, a claim that has ended, and a build that goes on.
  const administrator = await session(t, place)
  await administrator.query('begin isolation level repeatable read; select 1')
  const orphan = await session(t, place)
  const orphaned = orphan.query('create index concurrently thing_by_n on thing (n)')
  await until(async () => (await indexes(running)).length === 1)
  const reported: string[] = []
  const opening = opened(t, place, all, reported)
  await until(() => reported.some((line) => line.startsWith('Building index thing_by_n')))
  await after(300)
  const which = "select cast(to_regclass('thing_by_n') as oid) as oid"
  const begun = await running.query(which)
  await administrator.query('commit')
  await orphaned
  assert.deepEqual(await indexes(await opening), built)
  assert.deepEqual(await running.query(which), begun, 'the index is not built twice')
})

test('says what is wrong when the rows do not allow a unique index, and starts when they do', async (t) => {
  const place = await postgresDatabases.place(t)
  const once = { name: '0002-once', sql: 'create unique index /* postgres: concurrently */ thing_once on thing (n)' }
  const running = await opened(t, place, [things])
  await running.query("insert into thing (id, n) values ('twice', 7)")
  await assert.rejects(openDatabase(place, { migrations: [things, once] }), {
    name: 'UniqueViolation',
    message: /^could not create unique index "thing_once": .* Leave one of them, then start again$/,
  })
  await running.query("delete from thing where id = 'twice'")
  assert.deepEqual(await indexes(await opened(t, place, [things, once])), [built[1]])
})

test('forgets an index that a later migration drops before it was built', async (t) => {
  const drops = { name: '0004-drop', sql: 'drop index if exists thing_by_n' }
  const database = await opened(t, await postgresDatabases.place(t), [...all, drops])
  assert.deepEqual(await indexes(database), [built[1]])
})

test('leaves a table that is in use again soon, so that calls behind the migration are answered', async (t) => {
  const place = await postgresDatabases.place(t)
  const running = await opened(t, place, [things])
  const administrator = await session(t, place)
  await administrator.query("begin; update thing set n = 2 where id = '1'")
  const reported: string[] = []
  const opening = opened(t, place, [things, column], reported)
  // Behind the waiting `alter table`, this read would wait as long as the administrator does.
  for (let attempts = 1; attempts <= 2; attempts++) {
    await until(() => reported.length >= attempts)
    assert.deepEqual(await running.query("select n from thing where id = '2'"), [{ n: 2 }])
  }
  assert.match(
    reported[0]!,
    /^Migration 0002-column waits for a table that a transaction uses: process \d+ of PostgreSQL \(administrator; idle in transaction, for \d+ s\)$/,
  )
  await administrator.query('commit')
  await opening
})

test('gives up when a table stays in use, and names the session', async (t) => {
  const place = await postgresDatabases.place(t)
  await (await openDatabase(place, { migrations: [things] })).close()
  const administrator = await session(t, place)
  await administrator.query("begin; update thing set n = 2 where id = '1'")
  await assert.rejects(openDatabase(place, { migrations: [things, column], waiting: { waitMs: 1_000 } }), {
    name: 'StorageUnavailable',
    message:
      /^Migration 0002-column waited 1 s for a table that a transaction uses: process \d+ .*end it with pg_terminate_backend; then start again$/,
  })
})

test('names the session of another role too, although PostgreSQL hides what it does', async (t) => {
  const place = await postgresDatabases.place(t)
  const administrator = await session(t, place)
  const role = `plain_${randomUUID().replaceAll('-', '')}`
  await administrator.query(`create role ${role} login`)
  await administrator.query(`grant create on schema public to ${role}`)
  const own = place.replace('//ringfence@', `//${role}@`)
  await (await openDatabase(own, { migrations: [things] })).close()
  await administrator.query("begin; update thing set n = 2 where id = '1'")
  await assert.rejects(openDatabase(own, { migrations: [things, column], waiting: { waitMs: 1_000 } }), {
    message: /a transaction uses: process \d+ of PostgreSQL \(administrator; of another role\)\. Wait until/,
  })
  await administrator.query('commit')
})

test('says which server migrates, gives up after a time, and needs no turn when the store has everything', async (t) => {
  const place = await postgresDatabases.place(t)
  await (await openDatabase(place, { migrations: [things] })).close()
  const other = await openPostgres(place)
  atEnd(t, () => other.close())
  const done = Promise.withResolvers<void>()
  const migrating = Promise.withResolvers<void>()
  const working = other.exclusively(async () => {
    migrating.resolve()
    await done.promise
  })
  await migrating.promise
  await (await openDatabase(place, { migrations: [things] })).close()
  await assert.rejects(openDatabase(place, { migrations: [things, column], waiting: { waitMs: 400 } }), {
    name: 'StorageUnavailable',
    message:
      /^Another server has held the lock for migrations for \d+ s: process \d+ of PostgreSQL \(ringfence; .*end its session with pg_terminate_backend/,
  })
  const reported: string[] = []
  const opening = opened(t, place, [things, column], reported)
  await until(() => reported.length === 1)
  assert.match(reported[0]!, /^Another server migrates the store; waiting since \d+ s for process \d+/)
  done.resolve()
  await working
  assert.deepEqual(await (await opening).query('select more from thing where n = 1'), [{ more: null }])
})
