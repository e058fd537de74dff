// How are writes made durable on SQLite? This thread owns the one connection that writes, so that the main thread
// waits neither for the disk nor for the B-trees. It answers every request, in order, with one message.

import { type MessagePort, parentPort, workerData } from 'node:worker_threads'
import type { Row, SqlValue } from '../database.ts'
import { openForWriting, type SqliteConnection } from './connection.ts'
import { type Failure, failureOf, isContained, isUnavailable, transactionLost } from './errors.ts'
import { type Outcome, received, type Write, type WriterRequest } from './messages.ts'

/**
 * The log is copied into the file when the writer has been idle for a moment, and at the latest at so many pages: at 1,000,
 * as SQLite does by itself, copying costs a tenth of the rate; at 16,000 whoever comes meanwhile waits four times as long.
 */
const idleCheckpointPages = 1_000
const idleBeforeCheckpointMs = 100
const latestCheckpointPages = 4_000
/** After so many statements the length of the log is looked at. */
const statementsBetweenLooks = 250

interface Statement {
  readonly sql: string
  readonly params: readonly SqlValue[]
}

type Step =
  | Exclude<WriterRequest, { do: 'group' | 'statement' }>
  | { readonly do: 'statement'; readonly statement: Statement }

class Writer {
  readonly #file: string
  /** Of statements, in the order in which they came. */
  readonly #texts: string[] = []
  #opened: SqliteConnection | undefined
  #statementsSinceLook = 0
  #checkpointTimer: NodeJS.Timeout | undefined

  constructor(file: string) {
    this.#file = file
  }

  /** One outcome for each write of a group, one outcome for every other request. */
  outcomesOf(request: WriterRequest): Outcome[] {
    // Every text is taken down first: what fails, or is run again, has been heard once all the same.
    if (request.do === 'group') return this.#commitGroup(request.writes.map((write) => this.#heard(write)))
    const step = request.do === 'statement' ? { do: request.do, statement: this.#heard(request.write) } : request
    try {
      return [this.#step(step)]
    } catch (error) {
      const failure = failureOf(error)
      if (request.do !== 'statement' || isUnavailable(failure)) this.#undo(failure)
      return [failure]
    }
  }

  /** Looks, after a commit was answered, whether the log has grown long enough to be copied into the file. */
  tendLog(statements: number): void {
    this.#statementsSinceLook += statements
    if (this.#statementsSinceLook < statementsBetweenLooks || this.#opened?.inTransaction !== false) return
    this.#statementsSinceLook = 0
    clearTimeout(this.#checkpointTimer)
    // SQLite before 3.51 knows no `noop` and checkpoints, which is more than was asked but does no harm.
    const pages = this.#checkpoint('noop')
    if (pages >= latestCheckpointPages) this.#checkpoint('passive')
    else if (pages >= idleCheckpointPages) {
      this.#checkpointTimer = setTimeout(() => this.#checkpoint('passive'), idleBeforeCheckpointMs)
    }
  }

  get #connection(): SqliteConnection {
    this.#opened ??= openForWriting(this.#file)
    return this.#opened
  }

  #commitGroup(writes: readonly Statement[]): Outcome[] {
    try {
      this.#connection.all('begin immediate')
      const outcomes = writes.map((write) => this.#contained(write))
      this.#connection.all('commit')
      return outcomes
    } catch (error) {
      const failure = failureOf(error)
      this.#undo(failure)
      if (isUnavailable(failure) || writes.length === 1) return writes.map(() => failure)
      // Somebody's statement spoils the common commit (a deferred constraint, say): each gets a commit of its own.
      return writes.flatMap((write) => this.#commitGroup([write]))
    }
  }

  /** A failing statement is undone by SQLite itself, and the transaction goes on: its neighbours are unharmed. */
  #contained({ sql, params }: Statement): Outcome {
    try {
      return rowsOrNull(this.#connection.all(sql, params))
    } catch (error) {
      const failure = failureOf(error)
      if (isContained(failure) && this.#connection.inTransaction) return failure
      throw error
    }
  }

  #heard({ sql, params }: Write): Statement {
    if (typeof sql === 'string') this.#texts.push(sql)
    return { sql: typeof sql === 'string' ? sql : this.#texts[sql]!, params: params.map(received) }
  }

  #step(request: Step): Outcome {
    switch (request.do) {
      case 'open':
        this.#connection.all('select 1')
        return null
      case 'begin':
        this.#connection.all('begin immediate')
        return null
      case 'statement':
        if (!this.#opened?.inTransaction) return transactionLost
        return rowsOrNull(this.#opened.all(request.statement.sql, request.statement.params))
      case 'commit':
        if (!this.#opened?.inTransaction) return transactionLost
        this.#opened.all('commit')
        return null
      case 'rollback':
        if (this.#opened?.inTransaction) this.#opened.all('rollback')
        return null
      case 'close':
        clearTimeout(this.#checkpointTimer)
        this.#opened?.close()
        return null
    }
  }

  /**
   * Leaves nothing open after a failure. After a failing disk the connection goes too: what a failed write or fsync left
   * in its cache is not to be trusted, and a new one starts from what the log really holds (see sqlite.org/atomiccommit.html).
   */
  #undo(failure: Failure): void {
    try {
      if (this.#opened?.inTransaction) this.#opened.all('rollback')
      if (isUnavailable(failure)) this.#reopenLater()
    } catch {
      this.#reopenLater()
    }
  }

  #reopenLater(): void {
    const connection = this.#opened
    this.#opened = undefined
    connection?.close()
  }

  /** How many pages of the log are not in the file yet. */
  #checkpoint(mode: 'noop' | 'passive'): number {
    if (this.#opened?.inTransaction !== false) return 0
    try {
      const [state] = this.#opened.all(`pragma wal_checkpoint(${mode})`)
      return Number(state?.log) - Number(state?.checkpointed)
    } catch (error) {
      this.#undo(failureOf(error)) // nothing is lost: the log holds everything, and the next look tries again
      return 0
    }
  }
}

function rowsOrNull(rows: Row[]): Row[] | null {
  return rows.length === 0 ? null : rows
}

function serve(port: MessagePort, writer: Writer): void {
  port.on('message', (request: WriterRequest) => {
    const outcomes = writer.outcomesOf(request)
    port.postMessage(outcomes)
    if (request.do === 'close') port.close()
    else writer.tendLog(outcomes.length)
  })
}

if (parentPort) serve(parentPort, new Writer(workerData as string))
