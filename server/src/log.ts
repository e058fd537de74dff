// How is the log written? As JSON lines, some together: under load a call of the system for each would cost more than the line.

import { type Logger, type LoggerOptions, pino } from 'pino'

/** So long a line waits at most for others. */
const togetherMs = 100
const togetherBytes = 8_192
/** Of a reader of the log that has stalled, so much is kept; what comes after is dropped rather than filling the memory. */
const waitingBytes = 16_777_216

/** A log on this file descriptor. What waits is written when the process ends, unless it is killed. */
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
