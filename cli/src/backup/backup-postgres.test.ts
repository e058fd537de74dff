import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { debianPostgres } from '@ringfence/server/testing/postgres-binaries.ts'
import { startPostgres } from '@ringfence/server/testing/postgres-server.ts'
import { until } from '@ringfence/server/testing/until.ts'
import { Client } from 'pg'
import { assertFailed, commandLine, portedNumbers, program } from '../testing.ts'
import { env, issued, statusWith } from './testing.ts'

const { programs, missing } = await debianPostgres()
const skip = missing ?? false

/** A server of Debian with these databases, which has pg_dump beside it, and the environment of each. */
async function postgres(t: TestContext, ...databases: string[]) {
  const server = await startPostgres({ programs: programs! })
  t.after(() => server.stop())
  const sessionOf = async (name?: string) => {
    const client = new Client({ connectionString: server.url(name) })
    client.on('error', () => undefined)
    await client.connect()
    t.after(() => client.end())
    return client
  }
  const admin = await sessionOf()
  for (const name of databases) await admin.query(`create database ${name}`)
  const at = (name: string) => ({
    ...env,
    DATABASE_URL: server.url(name),
    MASTER_KEY: Buffer.alloc(32, 3).toString('base64'),
  })
  const scratch = async () =>
    (await admin.query("select datname from pg_database where datname like 'ringfence_backup%'")).rows
  return { admin, at, scratch, sessionOf }
}

test('backs up and restores PostgreSQL with its own pg_dump, and refuses a database with tables', {
  skip,
}, async (t) => {
  const { at, scratch } = await postgres(t, 'live', 'restored')
  const cli = await commandLine(t)
  const { folder, run, serve } = cli
  const credentials = await issued(cli, at('live'))
  const service = await serve([], { env: at('live'), create: false })
  const accepted = await statusWith(service.url, credentials)
  // As a cluster has it: several hosts, of which the first does not answer.
  const DATABASE_URL = at('live').DATABASE_URL.replace('?host=', '?host=%2Fnowhere,')
  const made = await run(['backup', 'pg.age', '--data', 'unused'], { env: { ...at('live'), DATABASE_URL } })
  assert.equal(made.stderr, '')
  assert.match(made.stdout, /verified by restoring them/)
  assert.equal(existsSync(join(folder, 'unused')), false)
  assertFailed(
    await run(['restore', 'pg.age', '--data', 'new'], { env: at('live') }),
    /the database has tables already/,
  )
  assertFailed(await run(['restore', 'pg.age', '--data', 'new'], { env }), /of PostgreSQL: name an empty database/)
  assert.equal((await run(['restore', 'pg.age', '--data', 'new'], { env: at('restored') })).code, 0)
  const second = await serve(['--data', 'new'], { env: at('restored'), create: false })
  assert.equal(await statusWith(second.url, credentials), accepted)
  assert.deepEqual(await scratch(), [], 'the scratch database is gone')
})

test('a restore that PostgreSQL refuses leaves no key and no number data, and can be repeated', { skip }, async (t) => {
  const { at, sessionOf } = await postgres(t, 'live', 'taken')
  const cli = await commandLine(t)
  const { folder, run } = cli
  await issued(cli, at('live'))
  await writeFile(join(folder, 'ported.csv'), portedNumbers(['31612345678,204-04,2024-03-01,port']))
  await run(['init', '--data', 'with-numbers'])
  assert.equal((await run(['numbers', 'import', 'ported.csv', '--data', 'with-numbers'])).stderr, '')
  const options = ['--data', 'with-numbers', '--with-master-key']
  assert.equal((await run(['backup', 'pg.age', ...options], { env: at('live') })).stderr, '')

  const session = await sessionOf('taken')
  await session.query('create view tenant as select 1 as one')
  const { MASTER_KEY: _, ...taken } = at('taken')
  const restore = () => run(['restore', 'pg.age', '--data', 'new'], { env: taken })
  assertFailed(await restore(), /pg_restore failed: .*tenant/)
  assert.equal(existsSync(join(folder, 'new')), false)
  await session.query('drop view tenant')
  assert.equal((await restore()).stderr, '')
  assert.deepEqual((await readdir(join(folder, 'new'))).sort(), ['master.key', 'numbers'])
})

test('refuses a store with a trigger, a function, a rule or a view, by a backup and by a restore', {
  skip,
}, async (t) => {
  const { at, sessionOf } = await postgres(t, 'live', 'empty')
  const cli = await commandLine(t)
  const { folder, run } = cli
  await issued(cli, at('live'))
  const session = await sessionOf('live')
  const backup = (file: string) => run(['backup', file, '--data', 'unused'], { env: at('live') })
  for (const [kind, make, drop] of [
    ['view', 'create view spy as select * from tenant', 'drop view spy'],
    ['rule', 'create rule spy as on delete to tenant do instead nothing', 'drop rule spy on tenant'],
    [
      'function',
      "create function spy() returns trigger language plpgsql as 'begin return null; end'",
      'drop function spy()',
    ],
    [
      'trigger',
      `create function spy() returns trigger language plpgsql as 'begin return null; end';
       create trigger spy before insert on tenant execute function spy()`,
      'drop trigger spy on tenant; drop function spy()',
    ],
  ] as const) {
    await session.query(make)
    assertFailed(await backup(`${kind}.age`), /the store has the [a-z ]+ .*spy.*, which Ringfence never makes/)
    assert.equal(existsSync(join(folder, `${kind}.age`)), false)
    await session.query(drop)
  }
  assert.equal((await backup('clean.age')).stderr, '')
  assert.equal((await run(['restore', 'clean.age', '--data', 'new'], { env: at('empty') })).code, 0)
})

test('drops the scratch databases of backups that were killed, and of no other one', { skip }, async (t) => {
  const { admin, at, scratch } = await postgres(t, 'live')
  const cli = await commandLine(t)
  await issued(cli, at('live'))
  const { rows } = await admin.query('select pg_backend_pid() as pid')
  const ofRunning = `ringfence_backup_check_${rows[0].pid}_0123456789ab`
  for (const name of [ofRunning, 'ringfence_backup_check_999999999_0123456789ab'])
    await admin.query(`create database ${name}`)
  assert.equal((await cli.run(['backup', 'pg.age', '--data', 'unused'], { env: at('live') })).stderr, '')
  assert.deepEqual(await scratch(), [{ datname: ofRunning }])
})

test('a role that limits its statements does not cut a backup off', { skip }, async (t) => {
  const { admin, at, sessionOf } = await postgres(t, 'live')
  const cli = await commandLine(t)
  await issued(cli, at('live'))
  await admin.query("alter role ringfence set statement_timeout = '1s'")
  const session = await sessionOf('live')
  await session.query('begin; lock table tenant')
  const made = cli.run(['backup', 'pg.age'], { env: at('live') })
  const waits = `select 1 from pg_stat_activity where query like 'select count%tenant%' and wait_event_type = 'Lock'
    and clock_timestamp() - query_start > interval '1.5 s'`
  let ended = false
  void made.finally(() => {
    ended = true
  })
  await until(
    async () => ended || (await admin.query(waits)).rows.length > 0,
    (holds) => holds,
  )
  await session.query('commit')
  assert.equal((await made).stderr, '')
})

test('a signal ends the programs of a backup, and drops its scratch database', { skip }, async (t) => {
  const { at, scratch, sessionOf } = await postgres(t, 'live')
  const cli = await commandLine(t)
  const { folder } = cli
  await issued(cli, at('live'))
  // An index that takes minutes to build, so that the restore is still running. Here it is built while the table is empty.
  const session = await sessionOf('live')
  await session.query('create table slow_table (n int); create index slow on slow_table (length(factorial(n)::text))')
  const maintain = (isReady: boolean) =>
    session.query(`update pg_index set indisready = ${isReady} where indexrelid = 'slow'::regclass`)
  await maintain(false)
  await session.query('insert into slow_table select 12000 from generate_series(1, 6000)')
  await maintain(true)
  const building = "select 1 from pg_stat_activity where query like 'CREATE INDEX%slow_table%' and state = 'active'"
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    const child = spawn(process.execPath, [program, 'backup', 'pg.age'], {
      cwd: folder,
      env: { PATH: process.env.PATH, HOME: folder, ...at('live') },
    })
    const exit = once(child, 'exit')
    await until(
      async () => child.exitCode !== null || (await session.query(building)).rows.length > 0,
      (holds) => holds,
    )
    child.kill(signal)
    assert.deepEqual(await exit, [signal === 'SIGTERM' ? 143 : 130, null])
    assert.deepEqual(await scratch(), [])
    assert.deepEqual(
      (await readdir(folder, { recursive: true })).filter((name) => /backup-|\.age/.test(name)),
      [],
    )
  }
})
