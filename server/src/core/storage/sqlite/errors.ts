// Which error does the caller get for a failure of SQLite?

import { ConditionFailed, StorageUnavailable, UniqueViolation } from '../database.ts'

/** A failure as the writer thread sends it: an Error would lose its result code. */
export interface Failure {
  readonly failure: string
  /** Extended result code (sqlite.org/rescode.html); absent when the failure does not come from SQLite. */
  readonly code?: number
  /** A required statement of a batch returned no row. */
  readonly isCondition?: true
}

/** ABORT BUSY LOCKED NOMEM READONLY INTERRUPT IOERR CORRUPT FULL CANTOPEN PROTOCOL NOTADB: not the statement's fault. */
const unavailableCodes = new Set([4, 5, 6, 7, 8, 9, 10, 11, 13, 14, 15, 26])

/** CONSTRAINT_PRIMARYKEY, _UNIQUE and _ROWID. */
const uniqueCodes = new Set([1555, 2067, 2579])

/** The thread of a transaction has ended, and with it the transaction (ABORT_ROLLBACK). */
export const transactionLost: Failure = { failure: 'the transaction was rolled back', code: 516 }

/** A required statement of a batch returned no row. */
export const conditionFailed: Failure = { failure: 'a required statement returned no row', isCondition: true }

export function failureOf(error: unknown): Failure {
  const { message, errcode } = error as Error & { errcode?: number }
  return errcode === undefined ? { failure: message } : { failure: message, code: errcode }
}

/** Whether the store itself failed; then the whole transaction has failed. */
export function isUnavailable({ code }: Failure): boolean {
  return code !== undefined && unavailableCodes.has(code & 0xff)
}

/** Whether only the statement failed. SQLite has rolled it back, and the other statements of the transaction remain. */
export function isContained({ code }: Failure): boolean {
  return code !== undefined && !unavailableCodes.has(code & 0xff)
}

export function errorOf(failure: Failure, cause?: unknown): Error {
  const { failure: message, code, isCondition } = failure
  if (isCondition) return new ConditionFailed(message, { cause })
  if (isUnavailable(failure)) return new StorageUnavailable(`SQLite: ${message} (${code})`, { cause })
  if (code !== undefined && uniqueCodes.has(code)) return new UniqueViolation(message, { cause })
  return new Error(message, { cause })
}
