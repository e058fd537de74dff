// What does a failure of PostgreSQL, or of the way there, mean to the caller?

import { DatabaseError } from 'pg'
import { StorageUnavailable, UniqueViolation } from '../database.ts'
import { SerialisationConflict } from '../transaction.ts'

const uniqueViolation = '23505'
/** serialization_failure, deadlock_detected */
const conflicts = new Set(['40001', '40P01'])

/**
 * SQLSTATE classes and codes that say something of the store and nothing of the statement
 * (postgresql.org/docs/current/errcodes-appendix.html): connection, authorisation, resources (a full disk is 53100),
 * limits of time, shutdown, system (I/O), corrupted data; a server that only reads, as a standby does.
 */
const unavailable = /^(?:08|28|53|57|58|XX|3D|25006|55P03|25P03|25P04)/

/** The error that the caller of the database gets for an error of `pg`. */
export function errorOf(error: unknown): Error {
  if (!(error instanceof Error)) return new Error(String(error))
  if (error instanceof RangeError || error instanceof TypeError) return error // ours: a value that does not fit
  if (!(error instanceof DatabaseError)) {
    // Refused on all of a host's addresses, an error has a code and no message.
    const { message, code = 'no connection' } = error as NodeJS.ErrnoException
    return new StorageUnavailable(`PostgreSQL: ${message || code}`, { cause: error })
  }
  const { code = '', message } = error
  if (code === uniqueViolation) return new UniqueViolation(message, { cause: error })
  if (conflicts.has(code)) return new SerialisationConflict(message, { cause: error })
  if (unavailable.test(code)) return new StorageUnavailable(`PostgreSQL: ${message} (${code})`, { cause: error })
  return error
}
