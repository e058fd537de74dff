// How does the main thread read on SQLite? Together at the end of a turn of the event loop, so that the reads share a transaction.

import type { Row, SqlValue } from '../database.ts'
import { openForReading, type SqliteConnection } from './connection.ts'
import { errorOf, failureOf, isUnavailable } from './errors.ts'

interface WaitingRead {
  sql: string
  params: readonly SqlValue[]
  resolve(rows: Row[]): void
  reject(error: Error): void
}

/**
 * Outside of a transaction each read would take and give back locks on the file, which costs as much as a read by its key.
 * None is older than the moment it was asked for: the transaction begins when the turn ends.
 */
export class SqliteReads {
  readonly #file: string
  #connection: SqliteConnection | undefined
  #waiting: WaitingRead[] = []

  constructor(file: string) {
    this.#file = file
  }

  /** Rows of a statement that reads. */
  read(sql: string, params: readonly SqlValue[] = []): Promise<Row[]> {
    return new Promise((resolve, reject) => {
      if (this.#waiting.push({ sql, params, resolve, reject }) === 1) setImmediate(() => this.#answer())
    })
  }

  /** Does this statement change anything? */
  writes(sql: string): boolean {
    return this.#asking((connection) => connection.writes(sql))
  }

  /** Answers what was asked, then gives the file back; the next read opens it again. */
  close(): void {
    this.#answer()
    this.#drop()
  }

  #answer(): void {
    const reads = this.#waiting
    if (reads.length === 0) return
    this.#waiting = []
    try {
      this.#asking((connection) => connection.all('begin'))
      for (const { sql, params, resolve, reject } of reads) {
        try {
          resolve(this.#asking((connection) => connection.all(sql, params)))
        } catch (error) {
          reject(error as Error)
        }
      }
      this.#asking((connection) => connection.inTransaction && connection.all('commit'))
    } catch (error) {
      for (const { reject } of reads) reject(error as Error) // of those that have no rows yet
      this.#drop()
    }
  }

  #asking<T>(ask: (connection: SqliteConnection) => T): T {
    try {
      this.#connection ??= openForReading(this.#file)
      return ask(this.#connection)
    } catch (error) {
      const failure = failureOf(error)
      if (isUnavailable(failure)) this.#drop() // the next read starts afresh
      throw errorOf(failure, error)
    }
  }

  #drop(): void {
    const connection = this.#connection
    this.#connection = undefined
    connection?.close()
  }
}
