// How does the main thread read from SQLite? The reads of one turn of the event loop share a transaction.

import type { Row, SqlValue } from '../database.ts'
import { openForReading, type SqliteConnection } from './connection.ts'
import { errorOf, failureOf, isUnavailable } from './errors.ts'

/** Reads that do not end within this time leave the event loop to others before the next one. */
const turnMs = 5

interface WaitingRead {
  sql: string
  params: readonly SqlValue[]
  resolve(rows: Row[]): void
  reject(error: Error): void
}

/**
 * Outside a transaction each read would lock and unlock the file, which costs as much as a read by key. The transaction begins at the
 * end of the turn, so the rows are not older than the call.
 */
export class SqliteReads {
  readonly #file: string
  #connection: SqliteConnection | undefined
  readonly #stopwatch: () => number
  #waiting: WaitingRead[] = []

  /** `stopwatch`: milliseconds of a monotonic clock. */
  constructor(file: string, stopwatch: () => number = () => performance.now()) {
    this.#file = file
    this.#stopwatch = stopwatch
  }

  /** Rows of a reading statement. */
  read(sql: string, params: readonly SqlValue[] = []): Promise<Row[]> {
    return new Promise((resolve, reject) => {
      if (this.#waiting.push({ sql, params, resolve, reject }) === 1) setImmediate(() => this.#answer())
    })
  }

  /** Whether the statement writes. */
  writes(sql: string): boolean {
    return this.#using((connection) => connection.writes(sql))
  }

  /** Answers the waiting reads, then closes the file; the next read opens it again. */
  close(): void {
    while (this.#waiting.length > 0) this.#answer()
    this.#drop()
  }

  #answer(): void {
    const reads = this.#waiting
    if (reads.length === 0) return
    this.#waiting = []
    try {
      this.#using((connection) => connection.all('begin'))
      const until = this.#stopwatch() + turnMs
      for (const [place, { sql, params, resolve, reject }] of reads.entries()) {
        if (place > 0 && this.#stopwatch() >= until) {
          this.#later(reads.splice(place))
          break
        }
        try {
          resolve(this.#using((connection) => connection.all(sql, params)))
        } catch (error) {
          reject(error as Error)
        }
      }
      this.#using((connection) => connection.inTransaction && connection.all('commit'))
    } catch (error) {
      for (const { reject } of reads) reject(error as Error) // those that have no rows yet
      this.#drop()
    }
  }

  #later(reads: WaitingRead[]): void {
    this.#waiting = reads
    setImmediate(() => this.#answer())
  }

  #using<T>(use: (connection: SqliteConnection) => T): T {
    try {
      this.#connection ??= openForReading(this.#file)
      return use(this.#connection)
    } catch (error) {
      const failure = failureOf(error)
      if (isUnavailable(failure)) this.#drop() // the next read opens the file again
      throw errorOf(failure, error)
    }
  }

  #drop(): void {
    const connection = this.#connection
    this.#connection = undefined
    connection?.close()
  }
}
