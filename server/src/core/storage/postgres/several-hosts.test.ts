// Does a URL with several hosts reach the one that takes writes, also after a change?

import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { Client } from 'pg'
import { atEnd } from '../../../testing/at-end.ts'
import { startPostgres } from '../../../testing/postgres-server.ts'
import { openDatabase } from '../open-database.ts'
import { readPostgresUrl } from './connection-url.ts'

const hostsOf = (url: string) => readPostgresUrl(url).hosts.map(({ name }) => name)

test('reads the hosts of a URL as libpq does', () => {
  const { hosts, mustWrite } = readPostgresUrl('postgres://me:p%40ss@a,b:6000,[::1]:7000/db?sslmode=disable')
  assert.deepEqual(
    hosts.map(({ name }) => name),
    ['a:5432', 'b:6000', '[::1]:7000'],
  )
  assert.ok(mustWrite)
  const { user, password, host, port, database, ssl } = hosts[1]!.config
  assert.deepEqual(
    { user, password, host, port, database, ssl },
    {
      user: 'me',
      password: 'p@ss',
      host: 'b',
      port: 6000,
      database: 'db',
      ssl: false,
    },
  )
  assert.deepEqual(hostsOf('postgres:///db?host=/run/a,/run/b&port=1,2'), ['/run/a', '/run/b'])
  assert.deepEqual(hostsOf('postgres:///db?host=a,b&port=6000'), ['a:6000', 'b:6000'])
  assert.equal(readPostgresUrl('postgres://a/db').mustWrite, false)
  assert.equal(readPostgresUrl('postgres://a,b/db?target_session_attrs=any').mustWrite, false)
  assert.equal(readPostgresUrl('postgres://a/db?target_session_attrs=primary').mustWrite, true)
  assert.equal(readPostgresUrl('postgres://a/db?connect_timeout=3').connectTimeoutMs, 3000)
})

test('says what is wrong with a URL', () => {
  assert.throws(() => readPostgresUrl('postgres://a,b/db?port=1,2,3'), /2 hosts and 3 ports/)
  assert.throws(() => readPostgresUrl('postgres://a,b/db?target_session_attrs=standby'), /read-write, primary or any/)
  assert.throws(() => readPostgresUrl('postgres://a/db?connect_timeout=5s'), /whole number of seconds/)
  for (const url of [
    'postgres://a:x/db',
    'postgres://u:p/w@a/db',
    'postgres://a:99999/db',
    'postgres://%zz/db',
    'postgres://u:p%ff@a/db',
  ]) {
    assert.throws(() => readPostgresUrl(url), /not valid\. Write postgres:/, url)
  }
})

async function server(t: TestContext) {
  const started = await startPostgres()
  atEnd(t, () => started.stop())
  const admin = new Client({ connectionString: started.url() })
  admin.on('error', () => undefined)
  await admin.connect()
  atEnd(t, () => admin.end())
  const folder = new URL(started.url()).searchParams.get('host') ?? ''
  const shownByNew = async (setting: string): Promise<string> => {
    const client = new Client({ connectionString: started.url() })
    await client.connect()
    const { rows } = await client.query(`show ${setting}`)
    await client.end()
    return rows[0][setting]
  }
  const demote = async (isReadOnly: boolean) => {
    await admin.query(`alter system set default_transaction_read_only = ${isReadOnly ? 'on' : 'off'}`)
    await admin.query('select pg_reload_conf()')
    // The process that accepts connections tells all others first: a new connection knows it when each of them does.
    while ((await shownByNew('default_transaction_read_only')) !== (isReadOnly ? 'on' : 'off'));
  }
  return { folder, demote }
}

test('connects to the host that takes writes, and follows when another one does', async (t) => {
  const [a, b] = await Promise.all([server(t), server(t)])
  await a.demote(true)
  const url = `postgres://ringfence@/postgres?host=/nowhere,${a.folder},${b.folder}&target_session_attrs=read-write`
  const database = await openDatabase(url)
  atEnd(t, () => database.close())
  await database.query('create table place (name text)')
  await database.query("insert into place (name) values ('b')")

  // The new primary, as replication would have made it.
  await a.demote(false)
  const onA = await openDatabase(`postgres://ringfence@/postgres?host=${a.folder}`)
  atEnd(t, () => onA.close())
  await onA.query('create table place (name text)')
  await onA.query("insert into place (name) values ('a')")
  await b.demote(true)
  await assert.rejects(database.query("insert into place (name) values ('lost')"), { reason: 'read_only' })
  await database.query("insert into place (name) values ('more')")
  assert.deepEqual(await database.query('select name from place order by name'), [{ name: 'a' }, { name: 'more' }])

  await a.demote(true)
  await assert.rejects(openDatabase(url), {
    name: 'StorageUnavailable',
    message: /no host takes writes \(\/nowhere: .*ENOENT.*; .*read-only.*; .*read-only/,
  })
})
