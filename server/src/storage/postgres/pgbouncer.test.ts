// Does the service work behind PgBouncer, in session mode and in transaction mode?

import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { chmod, chown, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { setTimeout as after } from 'node:timers/promises'
import { Client } from 'pg'
import { whyNotInstalled } from '../../../../scripts/debian-packages.ts'
import { postgresDatabases } from '../../testing/databases.ts'
import { unprivilegedUser } from '../../testing/postgres-binaries.ts'
import { StorageUnavailable } from '../database.ts'
import { openDatabase } from '../open-database.ts'

const program = '/usr/sbin/pgbouncer'
const isMissing = existsSync(program) ? undefined : await whyNotInstalled('pgbouncer')

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as { port: number }
  server.close()
  return port
}

/** The URL of this database by a PgBouncer of the test. */
async function pooled(t: TestContext, mode: 'session' | 'transaction'): Promise<string> {
  const place = new URL(await postgresDatabases.place(t))
  const user = await unprivilegedUser()
  const folder = await mkdtemp(join(tmpdir(), 'ringfence-pgbouncer-'))
  t.after(() => rm(folder, { recursive: true }))
  await chmod(folder, 0o755)
  if (user.uid !== undefined && user.gid !== undefined) await chown(folder, user.uid, user.gid)
  const port = await freePort()
  await writeFile(
    join(folder, 'pgbouncer.ini'),
    `[databases]
* = host=${place.searchParams.get('host')} user=ringfence
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = any
pool_mode = ${mode}
default_pool_size = ${mode === 'session' ? 50 : 6}
`,
  )
  const child = spawn(program, ['-q', join(folder, 'pgbouncer.ini')], { ...user, cwd: folder, stdio: 'ignore' })
  const ended = once(child, 'exit')
  t.after(async () => {
    child.kill('SIGKILL')
    await ended
  })
  const url = `postgres://ringfence@127.0.0.1:${port}${place.pathname}`
  for (const giveUpAt = performance.now() + 10_000; ; await after(20)) {
    const client = new Client({ connectionString: url })
    client.on('error', () => undefined)
    const failure = await client
      .connect()
      .then(() => client.end())
      .catch((error: Error) => error)
    if (!failure) return url
    if (performance.now() > giveUpAt) throw failure
  }
}

for (const mode of ['session', 'transaction'] as const) {
  test(`migrates, reads, writes and limits time behind PgBouncer in ${mode} mode`, {
    skip: isMissing ?? false,
  }, async (t) => {
    const url = await pooled(t, mode)
    // Two servers that start at once share the lock for migrations and the server connections.
    const servers = await Promise.all([openDatabase(url), openDatabase(url)])
    for (const server of servers) t.after(() => server.close())
    await servers[0]!.query('create table thing (id text not null primary key, n bigint)')
    const insert = 'insert into thing (id, n) values ($1, $2)'
    const count = 'select count(*) as n from thing where n = $1'
    await Promise.all(
      Array.from({ length: 200 }, async (_, i) => {
        const database = servers[i % 2]!
        if (i % 3 === 0) await database.batch([{ sql: insert, params: [`${i}`, 7] }])
        else if (i % 3 === 1) await database.transaction((tx) => tx.query(insert, [`${i}`, 7]))
        else await database.query(insert, [`${i}`, 7])
        await database.query(count, [i])
      }),
    )
    assert.deepEqual(await servers[1]!.query(count, [7]), [{ n: 200 }])

    const startedAt = performance.now()
    const slow = servers[0]!.within(performance.now() + 200, () =>
      servers[0]!.query('select cast(pg_sleep(30) as text) as slept'),
    )
    await assert.rejects(slow, StorageUnavailable)
    await assert.rejects(
      servers[0]!.transaction((tx) => tx.query('select cast(pg_sleep(30) as text) as slept'), 200),
      StorageUnavailable,
    )
    assert.ok(performance.now() - startedAt < 3_000)
    assert.deepEqual(await servers[0]!.query(count, [7]), [{ n: 200 }])
    const sleeping = `select count(*) as n from pg_stat_activity where query like '%pg_sleep(30)%' and state = 'active' and pid <> pg_backend_pid()`
    while ((await servers[1]!.query(sleeping))[0]?.n !== 0) await after(20)
    const locks = `select count(*) as n from pg_locks where locktype = 'advisory'
      and database = (select oid from pg_database where datname = current_database())`
    assert.deepEqual(await servers[1]!.query(locks), [{ n: 0 }])
  })

  test(`builds an index behind PgBouncer in ${mode} mode, and explains when the time limit of the database ends it`, {
    skip: isMissing ?? false,
  }, async (t) => {
    const url = await pooled(t, mode)
    const things = { name: '0001-things', sql: 'create table thing (id text not null primary key, n bigint)' }
    const sql = 'create index /* postgres: concurrently */ thing_by_n on thing (n)'
    const running = await openDatabase(url, { migrations: [things] })
    t.after(() => running.close())
    const blocker = new Client({ connectionString: url })
    blocker.on('error', () => undefined)
    await blocker.connect()
    t.after(() => blocker.end())
    await blocker.query(`alter database ${new URL(url).pathname.slice(1)} set statement_timeout = '1s'`)
    await blocker.query('begin; insert into thing (id) values (1)')
    const migrations = [things, { name: '0002-index', sql }]
    await assert.rejects(openDatabase(url, { migrations }), {
      name: 'StorageUnavailable',
      message: /index thing_by_n could not be built within the time limits .* with the URL of PostgreSQL itself/,
    })
    await blocker.query('commit')
    const upgraded = await openDatabase(url, { migrations })
    t.after(() => upgraded.close())
    const valid = "select indisvalid as valid from pg_index where indexrelid = to_regclass('thing_by_n')"
    assert.deepEqual(await upgraded.query(valid), [{ valid: 1 }])
  })
}
