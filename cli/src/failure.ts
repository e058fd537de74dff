// What does the user read when a command fails? One line that says what to do, and an exit code.

import { StorageUnavailable } from '@ringfence/server/storage/database.ts'

/** 0: done. 1: not done, stderr says why. 2: the command line is wrong. 128 + n: ended by signal n. */
export const exitCodes = { failed: 1, usage: 2, interrupted: 130 } as const

/** A command cannot do what it was asked for; the message is for its user. */
export class CommandFailed extends Error {
  override name = 'CommandFailed'
  readonly exitCode: number
  constructor(message: string, { exitCode = exitCodes.failed, ...options }: ErrorOptions & { exitCode?: number } = {}) {
    super(message, options)
    this.exitCode = exitCode
  }
}

/** One line, without a stack: `NODE_DEBUG=ringfence` shows that. */
export function explain(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error)
  const [firstLine = ''] = message.split('\n', 1)
  const line = firstLine.replace(/:\s*$/, '')
  const hint = error instanceof StorageUnavailable && storageHints.find(([pattern]) => pattern.test(line))
  return hint ? `${line}; ${hint[1]}` : line
}

const storageHints = [
  [/^Cannot open/, 'name a folder that this user may write to: --data DIR or DATA_FOLDER'],
  // SQLSTATE 3D000: invalid_catalog_name
  [
    /^PostgreSQL: .*\(3D000\)/,
    'make the database (createdb --owner ROLE NAME), or name another one: --database URL or DATABASE_URL',
  ],
  [/^PostgreSQL/, 'check that the server runs, and its address: --database URL or DATABASE_URL'],
] as const

/** Why nothing could listen, with what to change; anything else is answered as it is. */
export function listenFailure(error: unknown, host: string, port: number, change: string): unknown {
  const reasons: Readonly<Record<string, string>> = {
    EADDRINUSE: `port ${port} on ${host} is taken: stop what listens there, or choose another one with ${change}`,
    EACCES: `port ${port} on ${host} is not for this user: choose one from 1024 up with ${change}`,
    EADDRNOTAVAIL: `${host} is no address of this machine: choose one with --host or HOST`,
    ENOTFOUND: `${host} is no address of this machine: choose one with --host or HOST`,
  }
  const { code = '', syscall } = error as NodeJS.ErrnoException
  const reason = syscall === 'listen' || syscall === 'getaddrinfo' ? reasons[code] : undefined
  return reason ? new CommandFailed(reason, { cause: error }) : error
}
