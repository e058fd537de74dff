// How is the log written? As JSON lines, several in one write: under load a system call for each would cost more than the line.

import { type Logger, type LoggerOptions, pino } from 'pino'

/** A line waits at most this long for others. */
const togetherMs = 100
const togetherBytes = 8_192
/** When the reader of the log stalls, lines beyond this size are dropped instead of filling the memory. */
const waitingBytes = 16_777_216

/** A log on this file descriptor. Waiting lines are written when the process ends, unless it is killed. */
export function logTo(fileDescriptor: number, options: LoggerOptions = {}): Logger {
  const destination = {
    dest: fileDescriptor,
    sync: false,
    minLength: togetherBytes,
    periodicFlush: togetherMs,
    maxLength: waitingBytes,
  }
  return pino(options, pino.destination(destination))
}
