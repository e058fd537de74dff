// How are writes made durable on SQLite? This thread has the only connection that writes, so that the main thread waits neither for
// the disk nor for the B-trees. It answers every request, in order, with one message.

import { type MessagePort, parentPort, workerData } from 'node:worker_threads'
import type { Row, SqlValue } from '../database.ts'
import { openForWriting, type SqliteConnection } from './connection.ts'
import { conditionFailed, type Failure, failureOf, isContained, isUnavailable, transactionLost } from './errors.ts'
import { received, type Write, type WriteBatch, type WriteResult, type WriterRequest } from './messages.ts'

/**
 * The log is copied into the file (a checkpoint) when the writer was idle for a moment, and at the latest at 4,000 pages. At 1,000, the
 * default of SQLite, checkpoints cost a tenth of the rate; at 16,000, a write meanwhile waits four times as long.
 */
const idleCheckpointPages = 1_000
const idleBeforeCheckpointMs = 100
const latestCheckpointPages = 4_000
/** The length of the log is checked after this many statements. */
const statementsBetweenChecks = 250

interface Statement {
  readonly sql: string
  readonly params: readonly SqlValue[]
  readonly required?: boolean
}

type Step =
  | Exclude<WriterRequest, { do: 'group' | 'statement' }>
  | { readonly do: 'statement'; readonly statement: Statement }

class Writer {
  readonly #file: string
  /** Statement texts, in the order of arrival. */
  readonly #texts: string[] = []
  #opened: SqliteConnection | undefined
  #statementsSinceCheck = 0
  #checkpointTimer: NodeJS.Timeout | undefined

  constructor(file: string) {
    this.#file = file
  }

  /** One result for each statement or batch of a group; one result for any other request. */
  resultsOf(request: WriterRequest): WriteResult[] {
    // All texts are recorded first: a statement that fails or runs again must not be recorded twice.
    if (request.do === 'group') return this.#commitGroup(request.writes.map((write) => this.#receivedOfGroup(write)))
    const step = request.do === 'statement' ? { do: request.do, statement: this.#received(request.write) } : request
    try {
      return [this.#step(step)]
    } catch (error) {
      const failure = failureOf(error)
      if (request.do !== 'statement' || isUnavailable(failure)) this.#undo(failure)
      return [failure]
    }
  }

  /** Copies the log into the file when it is long enough. Runs after a commit was answered. */
  checkpointIfLong(statements: number): void {
    this.#statementsSinceCheck += statements
    if (this.#statementsSinceCheck < statementsBetweenChecks || this.#opened?.inTransaction !== false) return
    this.#statementsSinceCheck = 0
    clearTimeout(this.#checkpointTimer)
    // SQLite before 3.51 has no `noop` and makes a checkpoint, which is harmless.
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

  #commitGroup(writes: readonly (Statement | readonly Statement[])[]): WriteResult[] {
    try {
      this.#connection.all('begin immediate')
      const results = writes.map((write) => ('sql' in write ? this.#contained(write) : this.#containedBatch(write)))
      this.#connection.all('commit')
      return results
    } catch (error) {
      const failure = failureOf(error)
      this.#undo(failure)
      if (isUnavailable(failure) || writes.length === 1) return writes.map(() => failure)
      // One statement breaks the common commit, for example by a deferred constraint: each one is committed separately.
      return writes.flatMap((write) => this.#commitGroup([write]))
    }
  }

  /** SQLite rolls a failing statement back, and the transaction continues with the others. */
  #contained({ sql, params }: Statement): WriteResult {
    try {
      return rowsOrNull(this.#connection.all(sql, params))
    } catch (error) {
      const failure = failureOf(error)
      if (isContained(failure) && this.#connection.inTransaction) return failure
      throw error
    }
  }

  /** All statements of a batch or none. The other writes of the group remain. */
  #containedBatch(batch: readonly Statement[]): Failure | null {
    this.#connection.all('savepoint batch')
    for (const statement of batch) {
      const result = this.#contained(statement)
      const isEmpty = result === null && statement.required
      if (!isEmpty && (result === null || Array.isArray(result))) continue
      this.#connection.all('rollback to batch')
      this.#connection.all('release batch')
      return isEmpty ? conditionFailed : (result as Failure)
    }
    this.#connection.all('release batch')
    return null
  }

  #received({ sql, params, required }: Write): Statement {
    if (typeof sql === 'string') this.#texts.push(sql)
    const text = typeof sql === 'string' ? sql : this.#texts[sql]!
    return { sql: text, params: params.map(received), ...(required && { required }) }
  }

  #receivedOfGroup(write: Write | WriteBatch): Statement | readonly Statement[] {
    return 'sql' in write ? this.#received(write) : write.map((one) => this.#received(one))
  }

  #step(request: Step): WriteResult {
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
      case 'cutLog':
        this.#connection.all('pragma wal_checkpoint(truncate)')
        return null
      case 'close':
        clearTimeout(this.#checkpointTimer)
        this.#opened?.close()
        return null
    }
  }

  /**
   * Leaves no transaction open after a failure. After a disk failure the connection is closed too: its cache cannot be trusted after a
   * failed write or fsync, and a new connection reads what the log really contains (sqlite.org/atomiccommit.html).
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

  /** Runs a checkpoint. @returns how many pages of the log are not in the file yet */
  #checkpoint(mode: 'noop' | 'passive'): number {
    if (this.#opened?.inTransaction !== false) return 0
    try {
      const [state] = this.#opened.all(`pragma wal_checkpoint(${mode})`)
      return Number(state?.log) - Number(state?.checkpointed)
    } catch (error) {
      this.#undo(failureOf(error)) // nothing is lost: the log has everything, and the next check tries again
      return 0
    }
  }
}

function rowsOrNull(rows: Row[]): Row[] | null {
  return rows.length === 0 ? null : rows
}

function serve(port: MessagePort, writer: Writer): void {
  port.on('message', (request: WriterRequest) => {
    const results = writer.resultsOf(request)
    port.postMessage(results)
    if (request.do === 'close') port.close()
    else writer.checkpointIfLong(request.do === 'group' ? request.writes.flat().length : 1)
  })
}

if (parentPort) serve(parentPort, new Writer(workerData as string))
