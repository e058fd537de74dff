// How does one connection to the SQLite file behave? The writer's thread and the reading main thread have one each.

import { constants, DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite'
import type { Row, SqlValue } from '../database.ts'

/** Another process (a command line beside the server) may hold the file for so long before a call fails as busy. */
const writerBusyTimeoutMs = 5_000
/** A read waits only while the log of a crashed process is recovered; it holds up the event loop meanwhile. */
const readerBusyTimeoutMs = 1_000

/** SQLite's own upper bound. Pages are read where the operating system has them instead of being copied. */
const mmapBytes = 2_147_418_112
const writerCacheKib = 16_384
/** What the write-ahead log may keep on disk after a rush. */
const keptLogBytes = 64 * 2 ** 20

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
    // Rows come without a prototype and would equal no literal; this costs less than copying them.
    for (const row of rows) Object.setPrototypeOf(row, Object.prototype)
    return rows
  }

  /** Does this statement change anything? SQLite itself tells while it compiles it, `with … insert` and all. */
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

  /** Is a transaction open? SQLite ends one by itself when a statement hits a full or failing disk. */
  get inTransaction(): boolean {
    return this.#database.isTransaction
  }

  close(): void {
    this.#database.close()
  }
}

/** The one connection that writes; makes the file when there is none. */
export function openForWriting(file: string): SqliteConnection {
  // The busy time-out is set by opening, so before journal_mode=wal: of two processes that start at once, one waits.
  return new SqliteConnection(new DatabaseSync(file, { timeout: writerBusyTimeoutMs }), [
    'journal_mode=wal',
    'synchronous=full',
    'foreign_keys=on',
    'wal_autocheckpoint=0',
    `journal_size_limit=${keptLogBytes}`,
    `cache_size=-${writerCacheKib}`,
    `mmap_size=${mmapBytes}`,
  ])
}

/** A connection that reads what is committed. SQLite refuses to write by it. */
export function openForReading(file: string): SqliteConnection {
  const database = new DatabaseSync(file, { readOnly: true, timeout: readerBusyTimeoutMs })
  return new SqliteConnection(database, [`mmap_size=${mmapBytes}`])
}

/** node:sqlite binds every number as a real: 5 would become '5.0' as text, and 7 / 2 would be 3.5. */
function asBound(value: SqlValue): SQLInputValue {
  return typeof value === 'number' && Number.isSafeInteger(value) ? BigInt(value) : value
}
