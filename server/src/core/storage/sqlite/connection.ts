// How does a connection to the SQLite file work? The writer thread and the main thread, which reads, have one each.

import { constants, DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite'
import type { Row, SqlValue } from '../database.ts'

/** Another process, such as a command, may lock the file for this long before a call fails as busy. */
const writerBusyTimeoutMs = 5_000
/** A read waits only while the log of a crashed process is recovered; it blocks the event loop meanwhile. */
const readerBusyTimeoutMs = 1_000

const cacheKib = 16_384
/** Size of the write-ahead log on disk after a burst of writes. */
const longestLogBytes = 64 * 2 ** 20

const readingActions = new Set([
  constants.SQLITE_SELECT,
  constants.SQLITE_READ,
  constants.SQLITE_FUNCTION,
  constants.SQLITE_RECURSIVE,
])

export class SqliteConnection {
  readonly #database: DatabaseSync
  readonly #statements = new Map<string, StatementSync>()

  constructor(database: DatabaseSync, pragmas: readonly string[]) {
    this.#database = database
    try {
      for (const pragma of pragmas) database.exec(`pragma ${pragma}`)
    } catch (error) {
      database.close()
      throw error
    }
  }

  /** Rows of a statement with `?1 … ?n`, prepared once. */
  all(sql: string, params: readonly SqlValue[] = []): Row[] {
    let statement = this.#statements.get(sql)
    if (!statement) {
      statement = this.#database.prepare(sql)
      this.#statements.set(sql, statement)
    }
    const rows = statement.all(...params.map(asBound)) as Row[]
    // Rows have no prototype, so they would not equal a literal; this costs less than a copy.
    for (const row of rows) Object.setPrototypeOf(row, Object.prototype)
    return rows
  }

  /** Whether the statement writes. SQLite reports it during compilation, also for `with … insert`. */
  writes(sql: string): boolean {
    let writes = false
    this.#database.setAuthorizer((action) => {
      writes ||= !readingActions.has(action)
      return constants.SQLITE_OK
    })
    try {
      this.#database.prepare(sql)
      return writes
    } finally {
      this.#database.setAuthorizer(null)
    }
  }

  /** Whether a transaction is open. SQLite ends one automatically when a statement fails on a full or broken disk. */
  get inTransaction(): boolean {
    return this.#database.isTransaction
  }

  close(): void {
    this.#database.close()
  }
}

/** The only connection that writes. Creates the file if it is missing. */
export function openForWriting(file: string): SqliteConnection {
  // The busy timeout is set before journal_mode=wal, so that of two processes that start at the same time one waits.
  return new SqliteConnection(new DatabaseSync(file, { timeout: writerBusyTimeoutMs }), [
    'journal_mode=wal',
    'synchronous=full',
    'foreign_keys=on',
    'wal_autocheckpoint=0',
    // Deleted rows are overwritten with zeros, so that whoever is erased is not in the file.
    'secure_delete=on',
    `journal_size_limit=${longestLogBytes}`,
    `cache_size=-${cacheKib}`,
  ])
}

/** A read-only connection. Its file is not mapped: SQLite would drop the map, and fault each page in again, after each commit of the writer. */
export function openForReading(file: string): SqliteConnection {
  const database = new DatabaseSync(file, { readOnly: true, timeout: readerBusyTimeoutMs })
  return new SqliteConnection(database, [`cache_size=-${cacheKib}`])
}

/** node:sqlite binds every number as a real: 5 would become the text '5.0', and 7 / 2 would be 3.5. */
function asBound(value: SqlValue): SQLInputValue {
  return typeof value === 'number' && Number.isSafeInteger(value) ? BigInt(value) : value
}
