// Which error does the caller get for a failure of PostgreSQL or of the connection?

import { DatabaseError } from 'pg'
import { StorageUnavailable, UniqueViolation } from '../database.ts'
import { SerialisationConflict } from '../transaction.ts'

const uniqueViolation = '23505'
/** serialization_failure, deadlock_detected */
const conflicts = new Set(['40001', '40P01'])

/**
 * SQLSTATE classes and codes that concern the store and not the statement (postgresql.org/docs/current/errcodes-appendix.html):
 * connection, authorisation, resources (a full disk is 53100), time limits, shutdown, system (I/O), corrupted data, and a server
 * that is read-only, such as a standby.
 */
const unavailable = /^(?:08|28|53|57|58|XX|3D|25006|55P03|25P03|25P04)/

/** How a batch reports that a required statement returned no row (`jointStatement`). */
export const isDivisionByZero = (error: unknown): boolean => error instanceof DatabaseError && error.code === '22012'

/** The error for an error of `pg`. */
export function errorOf(error: unknown): Error {
  if (!(error instanceof Error)) return new Error(String(error))
  if (error instanceof RangeError || error instanceof TypeError) return error // a value of the wrong type, which is the caller's fault
  if (!(error instanceof DatabaseError)) {
    // When every IP address of a host refuses, the error has a code and no message.
    const { message, code = 'no connection' } = error as NodeJS.ErrnoException
    return new StorageUnavailable(`PostgreSQL: ${message || code}`, { cause: error })
  }
  const { code = '', message } = error
  if (code === uniqueViolation) return new UniqueViolation(message, { cause: error })
  if (conflicts.has(code)) return new SerialisationConflict(message, { cause: error })
  if (unavailable.test(code)) return new StorageUnavailable(`PostgreSQL: ${message} (${code})`, { cause: error })
  return error
}
