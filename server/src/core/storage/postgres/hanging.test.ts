// What happens while PostgreSQL hangs? Every call ends in time, reads go on, and no unreplicated commit is acknowledged.

import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { setTimeout as after } from 'node:timers/promises'
import { Client } from 'pg'
import { atEnd } from '../../../testing/at-end.ts'
import { postgresDatabases } from '../../../testing/databases.ts'
import { holdTimers } from '../../../testing/held-timers.ts'
import { startPostgres } from '../../../testing/postgres-server.ts'
import { settlesWithin } from '../../../testing/settles.ts'
import { until } from '../../../testing/until.ts'
import { type Database, type Queryable, StorageUnavailable } from '../database.ts'
import { openDatabase } from '../open-database.ts'

const { place } = postgresDatabases

async function clientOf(t: TestContext, connectionString: string): Promise<Client> {
  const client = new Client({ connectionString })
  client.on('error', () => undefined)
  await client.connect()
  atEnd(t, () => client.end())
  return client
}

async function opened(t: TestContext, where: string, write = 2): Promise<Database> {
  const database = await openDatabase(where, { pools: { read: 2, write } })
  atEnd(t, () => database.close())
  return database
}

const late = { name: 'StorageUnavailable', reason: 'time' }
const within = <T>(database: Database, ms: number, work: () => Promise<T>) =>
  database.within(performance.now() + ms, work)

/** Its writes wait for locks, however slow the machine is: PostgreSQL ends them after two seconds otherwise. */
async function patient(database: Database, write = 2): Promise<void> {
  const all = Promise.withResolvers<void>()
  let begun = 0
  const wait = async (tx: Queryable) => {
    if (++begun === write) all.resolve()
    await all.promise
    await tx.query("select set_config('lock_timeout', '60s', false)")
  }
  await Promise.all(Array.from({ length: write }, () => database.transaction(wait)))
}

test('batches that wait for their turn leave the connections to other writes', async (t) => {
  const where = await place(t)
  const [database, other] = [await opened(t, where), await opened(t, where)]
  const admin = await clientOf(t, where)
  await database.query('create table locked (id text)')
  await database.query('create table free (id text)')
  for (const each of [database, other]) await patient(each)
  await admin.query('begin; lock table locked in share row exclusive mode')
  const insert = (table: string) => ({ sql: `insert into ${table} (id) values ($1)`, params: ['x'] })
  const counting = (table: string) => [
    { sql: 'select 1 as few', params: [], required: true, counts: 'x' },
    insert(table),
  ]
  const isCounting = async (isGranted: boolean) => {
    const { rows } = await admin.query(
      `select 1 from pg_locks where locktype = 'advisory' and granted = $1
          and database = (select oid from pg_database where datname = current_database())`,
      [isGranted],
    )
    return rows.length > 0
  }
  const first = other.batch(counting('locked'))
  await until(() => isCounting(true))
  const flood = Array.from({ length: 20 }, () => database.batch(counting('free')))
  await until(() => isCounting(false))
  const inAHurry = within(database, 100, () => database.batch(counting('free')))
  await Promise.all([database.batch([insert('free')]), assert.rejects(inAHurry, late)])
  assert.equal((await database.query('select id from free')).length, 1, 'those that count wait still')
  await admin.query('commit')
  await Promise.all([first, ...flood])
  assert.equal((await database.query('select id from free')).length, 21)
})

test('ends writes to a locked table in time, and goes on with reads and with other writes', async (t) => {
  const where = await place(t)
  const database = await opened(t, where)
  const admin = await clientOf(t, where)
  await database.query('create table locked (id text)')
  await database.query('create table free (id text)')
  await admin.query('begin; lock table locked in share row exclusive mode')
  const writes = () => database.query('insert into locked (id) values ($1)', ['x'])
  const hanging = [1, 2, 3].map(() => within(database, 300, writes))
  await settlesWithin(1_500, Promise.all(hanging.map((write) => assert.rejects(write, late))))
  assert.deepEqual(await database.query('select id from locked'), [])

  await assert.rejects(writes(), late) // the server gives up on the lock
  const other = within(database, 5_000, () => database.query('insert into free (id) values ($1)', ['x']))
  const more = Promise.allSettled(Array.from({ length: 20 }, () => within(database, 5_000, writes)))
  await other
  await admin.query('commit')
  const refused = (await more).filter(({ status }) => status === 'rejected')
  assert.ok(refused.length >= 19, `${refused.length}`) // one of them waits for the lock, and may get it
  await until(async () => (await writes().catch(() => undefined)) !== undefined)
  await until(() => database.pools().every(({ abandoned, inUse }) => abandoned + inUse === 0))
})

test('stops a read at the time of its caller, and that of another caller in the same statement later', async (t) => {
  const database = await opened(t, await place(t))
  const read = () => database.query('select cast(pg_sleep($1 / 10.0) as text) as slept', [5])
  const [short, long] = [within(database, 100, read), within(database, 10_000, read)]
  await settlesWithin(1_000, assert.rejects(short, late))
  assert.equal((await long).length, 1)
  await assert.rejects(
    within(database, 100, () => database.query('select cast(pg_sleep(60) as text) as slept')),
    late,
  )
  await until(() => database.pools().every(({ abandoned }) => abandoned === 0))
})

test('never cancels the wait of a commit for its standby: the row appears when the standby has it', async (t) => {
  const server = await startPostgres({ durable: true })
  atEnd(t, () => server.stop())
  const [admin, prober] = [await clientOf(t, server.url()), await clientOf(t, server.url())]
  const database = await opened(t, server.url())
  await database.query('create table thing (id text)')
  await database.query('create table probe (id text)')
  const cancel = "select pg_cancel_backend(pid) from pg_stat_activity where wait_event = 'SyncRep'"
  const cancelled = async (more = '') => ((await admin.query(`${cancel} ${more}`)).rowCount ?? 0) > 0
  const pid = (await prober.query('select pg_backend_pid() as pid')).rows[0].pid
  const commitWaits = async () => {
    let isOver = false
    const commit = prober.query("insert into probe (id) values ('x')").finally(() => {
      isOver = true
    })
    let waits = false
    while (!isOver && !waits) waits = await cancelled(`and pid = ${pid}`)
    await commit
    return waits
  }
  const standbyNamed = async (names: string) => {
    await admin.query(`alter system set synchronous_standby_names = '${names}'`)
    await admin.query('select pg_reload_conf()')
    await until(
      async () => (await admin.query('show synchronous_standby_names')).rows[0].synchronous_standby_names === names,
    )
    // Other backends know it from the checkpointer, which no query shows.
    if (names !== '') await until(commitWaits)
  }
  await admin.query('set synchronous_commit = local')
  await standbyNamed('nobody')
  const insert = (id: string) => database.query('insert into thing (id) values ($1)', [id])
  // The rest of the caller's time when the write begins, which may be late on a slow machine.
  const callerMs = 9_000
  const limit = holdTimers(t, (ms) => ms > 2_000 && ms <= callerMs)
  const waiting = async () =>
    (await admin.query("select 1 from pg_stat_activity where wait_event = 'SyncRep'")).rowCount
  /** The time of the caller is over when its commit waits. */
  const isLate = async (count: number, write: () => Promise<unknown>) => {
    const ended = assert.rejects(within(database, callerMs, write), late)
    await until(async () => (await waiting()) === count)
    limit.fire()
    await ended
  }
  await isLate(1, () => insert('autocommit'))
  await isLate(2, () => database.transaction((tx) => tx.query("insert into thing (id) values ('tx')")))
  const stored = async () => (await database.query('select id from thing order by id')).map(({ id }) => id)
  await after(300)
  assert.deepEqual(await stored(), [])
  assert.equal(database.pools().find(({ pool }) => pool === 'write')?.abandoned, 2)
  await standbyNamed('')
  await until(async () => (await stored()).length === 2)
  await insert('next')

  await standbyNamed('nobody')
  const insertion = assert.rejects(insert('cancelled'), /on no standby/)
  await until(() => cancelled())
  await insertion
  await standbyNamed('')
})

test('runs a transaction again when its connection is lost before the commit', async (t) => {
  const where = await place(t)
  const database = await opened(t, where)
  const admin = await clientOf(t, where)
  await database.query('create table thing (id text)')
  let runs = 0
  await database.transaction(async (tx) => {
    const [row] = await tx.query("insert into thing (id) values ('once') returning pg_backend_pid() as pid")
    if (runs++ === 0) await admin.query('select pg_terminate_backend($1)', [row?.pid])
    await tx.query('select 1')
  })
  assert.equal(runs, 2)
  assert.deepEqual(await database.query('select id from thing'), [{ id: 'once' }])
})

test('refuses a write whose connection was lost, unless it may run twice', async (t) => {
  const where = await place(t)
  const database = await opened(t, where)
  const [admin, killer] = [await clientOf(t, where), await clientOf(t, where)]
  await database.query('create table thing (id text not null primary key)')
  const locked = async (sql: string, params: string[]) => {
    await patient(database)
    await admin.query('begin; lock table thing in exclusive mode')
    const write = database.query(sql, params)
    write.catch(() => undefined)
    const waiting =
      "select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'"
    await until(async () => ((await killer.query(waiting)).rowCount ?? 0) > 0)
    await admin.query('commit')
    return write
  }
  await assert.rejects(locked('insert into thing (id) values ($1)', ['a']), StorageUnavailable)
  await locked('insert into thing (id) values ($1) on conflict (id) do nothing', ['b'])
  await locked('delete from thing where id = $1', ['a'])
  assert.deepEqual(await database.query('select id from thing'), [{ id: 'b' }])
})

test('goes on without prepared statements when the server loses them, and prepares again after a change of the table', async (t) => {
  const where = await place(t)
  const database = await opened(t, where, 1)
  const admin = await clientOf(t, where)
  await database.query('create table thing (id bigint)')
  const insert = (id: number) => database.query('insert into thing (id) values ($1) returning id', [id])
  await insert(1)
  const prepared = async () => {
    const rows = await database.query('insert into thing (id) select count(*) from pg_prepared_statements returning id')
    return Number(rows[0]?.id)
  }
  const before = await prepared()
  await admin.query('alter table thing alter column id type integer') // cached plan must not change result type
  await insert(2)
  await insert(2)
  assert.ok((await prepared()) > 0)
  assert.ok(before > 0)

  await database.query('deallocate all')
  assert.deepEqual(await insert(3), [{ id: 3 }])
  assert.deepEqual(await insert(4), [{ id: 4 }])
  assert.equal(await prepared(), 0)
})
