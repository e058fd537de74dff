import assert from 'node:assert/strict'
import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { appendFile, chmod, chown, copyFile, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { promisify } from 'node:util'
import { openDatabase } from '@ringfence/server/core/storage/open-database.ts'
import { debianPostgres, unprivilegedUser } from '@ringfence/server/testing/postgres-binaries.ts'
import { until } from '@ringfence/server/testing/until.ts'
import { Client } from 'pg'

const original = join(import.meta.dirname, '..', '..', 'deploy', 'postgresql', 'point-in-time.sh')

test('deploy/postgresql/point-in-time.sh puts a store back to the moment before a mistake', async (t) => {
  // The one of the other tests has no pg_basebackup.
  const { programs, missing } = await debianPostgres()
  if (programs === undefined) return t.skip(missing)
  const user = await unprivilegedUser()
  const folder = await mkdtemp(join(tmpdir(), 'ringfence-pitr-'))
  t.after(() => rm(folder, { recursive: true, force: true }))
  if (user.uid !== undefined && user.gid !== undefined) await chown(folder, user.uid, user.gid)
  const script = join(folder, 'point-in-time.sh')
  await copyFile(original, script)
  await chmod(script, 0o755)
  const options = { ...user, cwd: folder, env: { PATH: process.env.PATH, PG_PROGRAMS: programs } }
  const sh = (...words: string[]) => promisify(execFile)(script, words, options)
  const at = (name: string) => join(folder, name)

  await promisify(execFile)(
    join(programs, 'initdb'),
    ['-U', 'ringfence', '-A', 'trust', '-N', '-D', at('data')],
    options,
  )
  await appendFile(join(at('data'), 'postgresql.conf'), (await sh('settings', at('archive'))).stdout)
  const live = await started(t, programs, at('data'), options)
  const database = await openDatabase(live.url)
  const mark = (name: string) =>
    database.query('insert into schema_migration (name, checksum, applied_at) values ($1, $2, $3)', [name, '', 1])
  await sh('base', at('backup'), '--host', folder, '--username', 'ringfence')
  await mark('9001-wanted')
  const admin = new Client({ connectionString: live.url })
  await admin.connect()
  const { rows } = await admin.query('select cast(clock_timestamp() as text) as now')
  await pause(20)
  await mark('9002-mistake')
  await admin.query('select pg_switch_wal()')
  await admin.end()
  await database.close()
  await live.stop()

  await sh('recover', at('backup'), at('archive'), at('again'), rows[0].now)
  await assert.rejects(
    sh('recover', at('backup'), at('archive'), at('again'), rows[0].now),
    /name a new data directory/,
  )
  const recovered = await started(t, programs, at('again'), options)
  const client = new Client({ connectionString: recovered.url })
  await client.connect()
  t.after(() => client.end())
  const found = await client.query("select name from schema_migration where name like '900%'")
  assert.deepEqual(found.rows, [{ name: '9001-wanted' }])
  await client.end()
  await recovered.stop()
})

/** Starts a server whose socket is in the folder, and waits until it accepts writes. */
async function started(t: TestContext, bin: string, data: string, options: { cwd: string }) {
  const server = spawn(join(bin, 'postgres'), ['-D', data, '-k', options.cwd, '-c', 'listen_addresses='], {
    ...options,
    stdio: 'ignore',
  })
  const exit = once(server, 'exit')
  const stop = async () => {
    server.kill('SIGINT')
    await exit
  }
  t.after(stop)
  const url = `postgres://ringfence@localhost/postgres?host=${encodeURIComponent(options.cwd)}`
  const acceptsWrites = async (): Promise<boolean> => {
    assert.ok(server.exitCode === null, 'PostgreSQL does not start')
    const client = new Client({ connectionString: url })
    try {
      await client.connect()
      const { rows } = await client.query('select pg_is_in_recovery() as recovering')
      return !rows[0].recovering
    } catch {
      return false
    } finally {
      await client.end().catch(() => undefined)
    }
  }
  await until(acceptsWrites)
  return { url, stop }
}
