// What does a user see when a command fails? One line that says what to do, and an exit code.

import { describeRefusal, Refusal } from '@ringfence/server/core/errors.ts'
import { StorageUnavailable } from '@ringfence/server/core/storage/database.ts'
import { printable } from '@ringfence/server/telecom/portability-sources/number-file-error.ts'

/**
 * 0: success. 1: failure, explained on stderr. 2: wrong command line. 3: a server refused the key, or its role. 4: a server was not
 * reached. 128 + n: stopped by signal n.
 */
export const exitCodes = { failed: 1, usage: 2, refused: 3, unreachable: 4, interrupted: 130 } as const

/** A command failed. The message is for the user. */
export class CommandFailed extends Error {
  override name = 'CommandFailed'
  readonly exitCode: number
  constructor(message: string, { exitCode = exitCodes.failed, ...options }: ErrorOptions & { exitCode?: number } = {}) {
    super(message, options)
    this.exitCode = exitCode
  }
}

/** One line without a stack; `NODE_DEBUG=ringfence` shows the stack. */
export function explain(error: unknown): string {
  const message =
    error instanceof Refusal ? describeRefusal(error) : error instanceof Error ? error.message : String(error)
  const [firstLine = ''] = message.split('\n', 1)
  const line = printable(firstLine.replace(/:\s*$/, ''))
  const { code = '', errcode } = Object(error) as { code?: string; errcode?: number }
  const ofFile = fileHints[code]
  if (ofFile !== undefined) return `${line}; ${ofFile}`
  // SQLITE_FULL of a command that reads the store itself, such as backup.
  if (errcode === 13) return `SQLite: ${line}; ${noRoom}`
  const hint = error instanceof StorageUnavailable && storageHints.find(([pattern]) => pattern.test(line))
  return hint ? `${line}; ${hint[1]}` : line
}

/** A file that the user named cannot be read: why, without the words of the operating system where there are better ones. */
export function unreadable(file: string, error: unknown): CommandFailed {
  const { code = '', message } = error as NodeJS.ErrnoException
  return new CommandFailed(`${printable(file)} cannot be read: ${unreadableReasons[code] ?? message}`, { cause: error })
}

const unreadableReasons: Readonly<Record<string, string>> = {
  ENOENT: 'it does not exist',
  EACCES: 'this user has no permission',
  EISDIR: 'it is a folder',
}

const notWritable = 'choose a place that this user can write to, or run this as the user that owns it'
const noRoom = 'make room on the disk of the data folder, and try again'

/** By the error code of the operating system. */
const fileHints: Readonly<Record<string, string>> = {
  ENOSPC: 'make room on that disk, and try again',
  EDQUOT: 'make room in the quota of this user, and try again',
  EROFS: notWritable,
  EACCES: notWritable,
  EPERM: notWritable,
}

const storageHints = [
  [/^Cannot open .* is full/, noRoom],
  [
    /^Cannot open .*: E(ACCES|PERM)/,
    'run this as the user that the server runs as, or correct the owner of the folder',
  ],
  [
    /^Cannot open/,
    'choose a folder that you can write to, with --data DIR or DATA_FOLDER, or run this as the user that owns it',
  ],
  [/^SQLite: database or disk is full/, noRoom],
  // SQLSTATE 3D000: invalid_catalog_name
  [
    /^PostgreSQL: .*\(3D000\)/,
    'create the database (createdb --owner ROLE NAME), or choose another with --database URL or DATABASE_URL',
  ],
  [/^PostgreSQL/, 'check that PostgreSQL runs, and that --database URL or DATABASE_URL is right'],
] as const

/** Explains why the server could not listen, and what to change. Returns any other error unchanged. */
export function listenFailure(error: unknown, host: string, port: number, change: string): unknown {
  const reasons: Readonly<Record<string, string>> = {
    EADDRINUSE: `port ${port} on ${host} is taken: stop the process that uses it, or choose another port with ${change}`,
    EACCES: `port ${port} on ${host} needs more rights than this user has: choose a port from 1024 with ${change}`,
    EADDRNOTAVAIL: `${host} is not an IP address of this machine: choose one with --host or HOST`,
    ENOTFOUND: `${host} is not an IP address of this machine: choose one with --host or HOST`,
  }
  const { code = '', syscall } = error as NodeJS.ErrnoException
  // A worker hears of it as `bind`.
  const isOfListening = ['listen', 'bind', 'getaddrinfo'].includes(syscall ?? '')
  const reason = isOfListening ? reasons[code] : undefined
  return reason ? new CommandFailed(reason, { cause: error }) : error
}
