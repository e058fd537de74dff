// How does a test get PgBouncer in front of a database? As a process on a free port, if Debian's package is installed.

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { chmod, chown, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as after } from 'node:timers/promises'
import { Client } from 'pg'
import { whyMissing } from '../../../scripts/debian-packages.ts'
import { atEnd, type Ending } from './at-end.ts'
import { postgresDatabases } from './databases.ts'
import { freePorts } from './free-ports.ts'
import { unprivilegedUser } from './postgres-binaries.ts'

const program = '/usr/sbin/pgbouncer'

/** Why tests with PgBouncer are skipped here; false when they can run. */
export const whyWithoutPgbouncer = (await whyMissing(() => existsSync(program), 'pgbouncer')) ?? false

export interface PooledDatabase {
  /** By PgBouncer. */
  readonly url: string
  /** Of PostgreSQL itself. */
  readonly direct: string
}

/**
 * A new database, and a PgBouncer in front of it that ends with the test.
 * @param prepare with the database, before PgBouncer has a connection to it: settings of the database count for later ones only
 */
export async function pooledDatabase(
  t: Ending,
  mode: 'session' | 'transaction',
  prepare: (direct: string) => Promise<void> = async () => undefined,
): Promise<PooledDatabase> {
  const direct = await postgresDatabases.place(t)
  await prepare(direct)
  const place = new URL(direct)
  const user = await unprivilegedUser()
  const folder = await mkdtemp(join(tmpdir(), 'ringfence-pgbouncer-'))
  atEnd(t, () => rm(folder, { recursive: true }))
  await chmod(folder, 0o755)
  if (user.uid !== undefined && user.gid !== undefined) await chown(folder, user.uid, user.gid)
  const [port] = await freePorts(1)
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
  atEnd(t, async () => {
    child.kill('SIGKILL')
    await ended
  })
  const url = `postgres://ringfence@127.0.0.1:${port}${place.pathname}`
  for (const giveUpAt = performance.now() + 60_000; ; await after(20)) {
    const client = new Client({ connectionString: url })
    client.on('error', () => undefined)
    const failure = await client
      .connect()
      .then(() => client.end())
      .catch((error: Error) => error)
    if (!failure) return { url, direct }
    if (performance.now() > giveUpAt) throw failure
  }
}
