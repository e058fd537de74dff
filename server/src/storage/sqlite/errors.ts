// What does a failure of SQLite mean to the caller?

import { StorageUnavailable, UniqueViolation } from '../database.ts'

/** A failure as it crosses from the writer's thread: an Error would lose its result code on the way. */
export interface Failure {
  readonly failure: string
  /** SQLite's extended result code (sqlite.org/rescode.html); absent when the failure is not SQLite's. */
  readonly code?: number
}

/** ABORT BUSY LOCKED NOMEM READONLY INTERRUPT IOERR CORRUPT FULL CANTOPEN PROTOCOL NOTADB: not the statement's fault. */
const unavailableCodes = new Set([4, 5, 6, 7, 8, 9, 10, 11, 13, 14, 15, 26])

/** CONSTRAINT_PRIMARYKEY, _UNIQUE and _ROWID. */
const uniqueCodes = new Set([1555, 2067, 2579])

/** The thread that held a transaction has ended, and the transaction with it (ABORT_ROLLBACK). */
export const transactionLost: Failure = { failure: 'the transaction was rolled back', code: 516 }

export function failureOf(error: unknown): Failure {
  const { message, errcode } = error as Error & { errcode?: number }
  return errcode === undefined ? { failure: message } : { failure: message, code: errcode }
}

/** Is the store itself in trouble? Then everything of the same transaction has failed too. */
export function isUnavailable({ code }: Failure): boolean {
  return code !== undefined && unavailableCodes.has(code & 0xff)
}

/** Was it a statement's own fault, which SQLite has undone by itself, leaving its neighbours in place? */
export function isContained({ code }: Failure): boolean {
  return code !== undefined && !unavailableCodes.has(code & 0xff)
}

export function errorOf(failure: Failure, cause?: unknown): Error {
  const { failure: message, code } = failure
  if (isUnavailable(failure)) return new StorageUnavailable(`SQLite: ${message} (${code})`, { cause })
  if (code !== undefined && uniqueCodes.has(code)) return new UniqueViolation(message, { cause })
  return new Error(message, { cause })
}
