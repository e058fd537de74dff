// May a call run again after this error, and when?

import { setTimeout as after } from 'node:timers/promises'
import { StorageUnavailable } from '../database.ts'
import { SerialisationConflict } from '../transaction.ts'
import { OutcomeUnknown, PreparedStatementLost } from './errors.ts'

const mostAttempts = 10
/** A lost connection is repeated once or twice: then the server itself is gone. */
const mostLosses = 2

/** The connection was lost, and nothing of the call is committed, or it may run twice. */
class NotRun extends SerialisationConflict {}

/** The attempts of one call until its time is over. */
export class Attempts {
  readonly #until: number
  #failed = 0
  #losses = 0
  /** Whether the next attempt uses prepared statements. */
  prepares = true
  /** False when prepared statements do not work with this server: a pooler is in between. */
  canPrepare = true

  constructor(until: number) {
    this.#until = until
  }

  /** For an error of a call that did not commit or may run twice: a lost connection then allows another attempt. */
  asNotRun(error: unknown): unknown {
    return error instanceof OutcomeUnknown ? new NotRun(error.message, { cause: error }) : error
  }

  /**
   * Returns when the next attempt may begin: after a conflict, each time after a longer random pause, so that the same two do not
   * meet again.
   * @throws the error, or StorageUnavailable, when no other attempt is allowed
   */
  async next(error: unknown): Promise<void> {
    if (!(error instanceof SerialisationConflict)) throw error
    this.#failed++
    if (error instanceof NotRun && ++this.#losses > mostLosses) throw error.cause
    if (error instanceof PreparedStatementLost) {
      this.prepares = false
      this.canPrepare = error.isOldPlan
    }
    const pauseMs = error instanceof PreparedStatementLost ? 0 : Math.random() * 2 ** this.#failed
    if (this.#failed === mostAttempts || performance.now() + pauseMs >= this.#until) {
      const text = `PostgreSQL: ${this.#failed} conflicts with other transactions or lost connections in a row`
      throw new StorageUnavailable(text, { cause: error, reason: 'conflicts' })
    }
    await after(pauseMs)
  }
}
