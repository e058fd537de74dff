// Where do tests and benchmarks get their own PostgreSQL server?

import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { access, chown, constants, mkdtemp, open, readFile, rm, statfs } from 'node:fs/promises'
import { Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as after } from 'node:timers/promises'
import { promisify } from 'node:util'
import { Client } from 'pg'
import { findPostgres, type User, unprivilegedUser } from './postgres-binaries.ts'

const startTimeoutMs = 30_000
/** A test database takes 11 MB and lives for one test; the log of changes takes the rest. */
const leastMemoryBytes = 1_000_000_000
const memoryFolder = '/dev/shm'

/** A crash may lose everything, and the log of changes stays small, since it may be in memory. */
const undurable = [
  'fsync=off',
  'synchronous_commit=off',
  'full_page_writes=off',
  'autovacuum=off',
  'max_wal_size=256MB',
]

export interface PostgresServer {
  /** Of its files and its socket. */
  readonly folder: string
  /** URL of one of its databases, as a superuser, by a Unix socket that no other user can reach. */
  url(database?: string): string
  /** Ends the server and removes its files. At the end of the process this happens anyway. */
  stop(): Promise<void>
}

/**
 * Starts a server with an empty cluster in about half a second, also as root.
 * @param durable whether commits wait for the disk, as in production; tests do not need it
 * @param programs folder of its programs, if not the one that findPostgres chooses
 * @param connections how many it accepts
 * @throws Error with the output of the server when it does not start
 */
export async function startPostgres({
  durable = false,
  programs,
  connections = 400,
}: {
  durable?: boolean
  programs?: string
  connections?: number
} = {}): Promise<PostgresServer> {
  const folder = await mkdtemp(join(durable ? tmpdir() : await fastestFolder(), 'ringfence-pg-'))
  try {
    const user = await unprivilegedUser()
    if (user.uid !== undefined && user.gid !== undefined) await chown(folder, user.uid, user.gid)
    const chosen = programs ?? (await findPostgres(user, folder))
    await makeCluster(chosen, folder, user)
    return await serve({ programs: chosen, folder, user }, [
      `max_connections=${connections}`,
      ...(durable ? [] : undurable),
    ])
  } catch (error) {
    await rm(folder, { recursive: true, force: true })
    throw error
  }
}

/** In memory, a new database with the whole schema takes a tenth of the processor time that it takes on a disk. */
async function fastestFolder(): Promise<string> {
  try {
    await access(memoryFolder, constants.W_OK | constants.X_OK)
    const { bavail, bsize } = await statfs(memoryFolder)
    return bavail * bsize >= leastMemoryBytes ? memoryFolder : tmpdir()
  } catch {
    return tmpdir()
  }
}

async function makeCluster(programs: string, folder: string, user: User): Promise<void> {
  const options = ['--username=ringfence', '--auth=trust', '--encoding=UTF8', '--locale=C', '--no-sync']
  await promisify(execFile)(join(programs, 'initdb'), [...options, `--pgdata=${join(folder, 'data')}`], {
    ...user,
    cwd: folder,
  })
}

interface Cluster {
  readonly programs: string
  readonly folder: string
  readonly user: User
}

async function serve({ programs, folder, user }: Cluster, more: readonly string[]): Promise<PostgresServer> {
  const settings = ['listen_addresses=', 'shared_buffers=128MB', 'log_min_messages=warning', ...more]
  const log = await open(join(folder, 'log'), 'a+')
  const server = spawn(
    join(programs, 'postgres'),
    ['-D', join(folder, 'data'), '-k', folder, ...settings.flatMap((setting) => ['-c', setting])],
    { ...user, cwd: folder, detached: true, stdio: ['ignore', 'ignore', log.fd] },
  )
  server.unref()
  const guard = guardOf(folder)
  const stop = async (): Promise<void> => {
    guard.ref()
    guard.stdin?.end()
    if (guard.exitCode === null) await once(guard, 'exit')
  }
  try {
    await answers(urlIn(folder), server)
    return { ...serverIn(folder), folder, stop }
  } catch (error) {
    const words = await readFile(join(folder, 'log'), 'utf8')
    await stop()
    throw new Error(`PostgreSQL does not start (${programs}):\n${words}`, { cause: error })
  } finally {
    await log.close()
  }
}

/**
 * Ends the server and removes its folder as soon as this process has ended, for any reason: then the input of the guard ends.
 * The guard reads the process id from the folder of the server at that moment, so it cannot hit another process.
 */
function guardOf(folder: string): ChildProcess {
  const script = `
    trap '' INT TERM HUP
    cat > /dev/null
    server=$(head -n 1 "$0/data/postmaster.pid" 2> /dev/null)
    if [ -n "$server" ]; then
      kill -QUIT "$server" 2> /dev/null
      while kill -0 "$server" 2> /dev/null; do sleep 0.01; done
    fi
    rm -rf "$0"`
  const guard = spawn('/bin/sh', ['-c', script, folder], { detached: true, stdio: ['pipe', 'ignore', 'ignore'] })
  guard.unref()
  if (guard.stdin instanceof Socket) guard.stdin.unref()
  return guard
}

/** A server that another process has started, by its folder. */
export const serverIn = (folder: string): Pick<PostgresServer, 'url'> => ({
  url: (database) => urlIn(folder, database),
})

const urlIn = (folder: string, database = 'postgres'): string =>
  `postgres://ringfence@localhost/${database}?host=${encodeURIComponent(folder)}`

async function answers(url: string, server: ChildProcess): Promise<void> {
  const giveUpAt = performance.now() + startTimeoutMs
  for (;;) {
    const client = new Client({ connectionString: url })
    try {
      await client.connect()
      await client.end()
      return
    } catch (error) {
      if (server.exitCode !== null || performance.now() > giveUpAt) throw error
      await after(10)
    }
  }
}
