// Which error does the caller get for a failure of PostgreSQL or of the connection, and may the statement run again?

import { DatabaseError } from 'pg'
import { LockTimeout, StorageUnavailable, type UnavailableReason, UniqueViolation } from '../database.ts'
import { SerialisationConflict } from '../transaction.ts'

const uniqueViolation = '23505'
const lockNotAvailable = '55P03'
/** serialization_failure, deadlock_detected */
const conflicts = new Set(['40001', '40P01'])

/**
 * SQLSTATE classes and codes that concern the store and not the statement (postgresql.org/docs/current/errcodes-appendix.html):
 * connection, authorisation, resources (a full disk is 53100), time limits, shutdown, system (I/O), corrupted data, and a server
 * that is read-only, such as a standby.
 */
const unavailable = /^(?:08|28|53|57|58|XX|3D|25006|55P03|25P03|25P04)/
/** The connection ended, or the server lost track of the statement (statement_completion_unknown). */
const unknownOutcome = /^(?:08|57P0|40003)/

/** The statement was sent, and nobody can say whether it ran: the connection was lost. */
export class OutcomeUnknown extends StorageUnavailable {}

/**
 * The server does not have this prepared statement, or has it already, or its plan is too old: the statement did not run. A pooler
 * that shares connections between clients is the usual cause.
 */
export class PreparedStatementLost extends SerialisationConflict {
  override name = 'PreparedStatementLost'
  /** The plan is too old: the next connection prepares it again. Otherwise prepared statements do not work here. */
  readonly isOldPlan: boolean
  constructor(message: string, { isOldPlan, cause }: { isOldPlan: boolean; cause: unknown }) {
    super(message, { cause })
    this.isOldPlan = isOldPlan
  }
}

/** How a batch reports that a required statement returned no row (`jointStatement`). */
export const isDivisionByZero = (error: unknown): boolean => error instanceof DatabaseError && error.code === '22012'

/** PgBouncer refuses start parameters that it does not know. */
export const isRefusedParameter = (error: unknown): boolean =>
  error instanceof DatabaseError && error.code === '08P01' && /startup parameter/.test(error.message)

/** The error for an error of `pg`, of a statement that was sent. */
export function errorOf(error: unknown): Error {
  if (!(error instanceof Error)) return new Error(String(error))
  if (error instanceof RangeError || error instanceof TypeError) return error // a value of the wrong type, which is the caller's fault
  if (!(error instanceof DatabaseError))
    return new OutcomeUnknown(textOf(error), { cause: error, reason: 'connection' })
  const { code = '', message } = error
  if (code === uniqueViolation) return new UniqueViolation(message, { cause: error })
  if (conflicts.has(code)) return new SerialisationConflict(message, { cause: error })
  const isOldPlan = code === '0A000' && /cached plan/.test(message)
  if (isOldPlan || code === '26000' || code === '42P05') {
    return new PreparedStatementLost(message, { isOldPlan, cause: error })
  }
  const options = { cause: error, reason: reasonOf(code) }
  if (code === lockNotAvailable) return new LockTimeout(`PostgreSQL: ${message} (${code})`, options)
  if (unknownOutcome.test(code)) return new OutcomeUnknown(`PostgreSQL: ${message} (${code})`, options)
  if (unavailable.test(code)) return new StorageUnavailable(`PostgreSQL: ${message} (${code})`, options)
  return error
}

/** The error for a connection that could not be opened. */
export function connectionErrorOf(error: unknown): StorageUnavailable {
  if (error instanceof StorageUnavailable) return error
  const code = error instanceof DatabaseError ? error.code : undefined
  const text = code ? `PostgreSQL: ${(error as Error).message} (${code})` : textOf(error as Error)
  return new StorageUnavailable(text, { cause: error, reason: code ? reasonOf(code) : 'connection' })
}

// When every IP address of a host refuses, the error has a code and no message.
const textOf = (error: Error) =>
  `PostgreSQL: ${error.message || ((error as NodeJS.ErrnoException).code ?? 'no connection')}`

function reasonOf(code: string): UnavailableReason {
  if (code === '25006') return 'read_only'
  if (code === '57014' || /^(?:55|25)P0/.test(code)) return 'time'
  if (code.startsWith('53')) return 'resources'
  return /^(?:08|57|28|3D|40003)/.test(code) ? 'connection' : 'fault'
}
