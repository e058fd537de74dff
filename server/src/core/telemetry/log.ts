// How is the log written? As JSON lines, several in one write: under load a system call for each would cost more than the line.
// A person at a terminal gets readable lines.

import fs from 'node:fs'
import { hostname } from 'node:os'
import { isatty } from 'node:tty'
import { type Logger, type LoggerOptions, pino, stdSerializers } from 'pino'
import type { Settings } from '../config/settings.ts'
import { StorageUnavailable } from '../storage/database.ts'
import { ringfenceVersion } from '../version.ts'

/** A line waits at most this long for others. */
const togetherMs = 100
const togetherBytes = 32_768
/** A write of this size to a pipe is not mixed with that of another process (POSIX, PIPE_BUF). */
const wholeBytes = 4_096
/** When the reader of the log stalls, lines beyond this size are dropped instead of filling the memory. */
const waitingBytes = 16_777_216

/** Whether other processes write there too. */
interface Shared {
  readonly isShared?: boolean
}

/**
 * A log on this file descriptor, or in this file, which is created if it is missing. Waiting lines are written when the process ends, unless
 * it is killed.
 */
export function logTo(
  place: number | string,
  options: LoggerOptions = {},
  failed: (error: Error) => void = () => undefined,
  { isShared = false }: Shared = {},
): Logger {
  const destination = {
    dest: place,
    append: true,
    mkdir: true,
    sync: false,
    minLength: isShared ? wholeBytes / 2 : togetherBytes,
    maxWrite: isShared ? wholeBytes : 2 * togetherBytes,
    periodicFlush: togetherMs,
    maxLength: waitingBytes,
  }
  const stream = pino.destination(destination)
  const flush = stream.flushSync.bind(stream)
  const flushSync = () => writingOnce(flush)
  stream.flushSync = flushSync
  // Without a listener, a full disk would end the service. Lines wait, and are written with the next one. At the end of the process
  // sonic-boom would try to write them for ever.
  stream.on('error', (error) => {
    stream.flushSync = () => undefined
    failed(error)
  })
  stream.on('write', () => {
    stream.flushSync = flushSync
  })
  return pino(withFormat(options), stream)
}

/** How often a write at the end is repeated, a tenth of a second apart, while the reader of the log is busy. */
const mostRepeats = 10

/**
 * sonic-boom repeats a synchronous write until it succeeds: a process whose log has no reader any more would never end. What cannot be
 * written counts as written.
 */
function writingOnce(write: () => void): void {
  const { writeSync } = fs
  let repeats = 0
  fs.writeSync = ((fd: number, data: string | Uint8Array, ...more: never[]) => {
    try {
      return writeSync(fd, data as string, ...more)
    } catch (error) {
      const isBusy = ['EAGAIN', 'EBUSY'].includes((error as NodeJS.ErrnoException).code ?? '')
      if (isBusy && repeats++ < mostRepeats) throw error
      return Buffer.byteLength(data)
    }
  }) as typeof writeSync
  try {
    write()
  } finally {
    fs.writeSync = writeSync
  }
}

/** A log for whoever reads this file descriptor. `auto`: readable lines at a terminal, else JSON lines. */
export async function logForReader(
  fileDescriptor: number,
  format: Settings['logFormat'],
  options: LoggerOptions = {},
  shared: Shared = {},
): Promise<Logger> {
  const isPretty = format === 'pretty' || (format === 'auto' && isatty(fileDescriptor))
  if (!isPretty) return logTo(fileDescriptor, options, undefined, shared)
  // Loaded only here: production writes JSON.
  const { default: pretty } = await import('pino-pretty')
  const stream = pretty({
    destination: fileDescriptor,
    sync: true,
    colorize: isatty(fileDescriptor),
    ignore: 'pid,hostname,version',
    translateTime: 'SYS:HH:MM:ss.l',
    singleLine: true,
  })
  return pino(withFormat(options), stream)
}

/** ISO times, levels by name, and the version of the service. pino would list the 25 constants of every DOMException; its stack is that of a timer. */
const withFormat = (options: LoggerOptions): LoggerOptions => ({
  timestamp: timeOfLine,
  base: { pid: process.pid, hostname: hostname(), version: ringfenceVersion() },
  ...options,
  formatters: { level: (level) => ({ level }), ...options.formatters },
  hooks: { logMethod: withoutOutage, ...options.hooks },
  serializers: {
    err: (error: unknown) =>
      error instanceof DOMException ? { type: error.name, message: error.message } : stdSerializers.err(error as Error),
    ...options.serializers,
  },
})

let [timedAt, timeText] = [Number.NaN, '']

/** Under load, many lines have the same millisecond, and its text takes longer than the rest of their start. */
function timeOfLine(): string {
  const now = Date.now()
  if (now !== timedAt) [timedAt, timeText] = [now, `,"time":"${new Date(now).toISOString()}"`]
  return timeText
}

type LogMethod = NonNullable<NonNullable<LoggerOptions['hooks']>['logMethod']>

/**
 * An outage of the store has its own line (core/metrics/observed-database.ts), and so has a schema that is too new, which is an error. What
 * waits for their end says so at the level debug only.
 */
const withoutOutage: LogMethod = function (args, method, level) {
  const { err } = (args[0] ?? {}) as { err?: unknown }
  const name = err instanceof StorageUnavailable ? err.name : ''
  const isTold = name === 'StorageUnavailable' || (name === 'SchemaTooNew' && level < error)
  if (isTold && level > debug) this.debug(...args)
  else method.apply(this, args)
}
const [debug, error] = [20, 50]
