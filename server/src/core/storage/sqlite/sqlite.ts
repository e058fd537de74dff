// How does Ringfence store data without a database server? In one SQLite file: the main thread reads, another one writes.

import { writeFileSync } from 'node:fs'
import { mkdir, statfs } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import {
  type BatchStatement,
  type Database,
  type Queryable,
  type Row,
  type SqlValue,
  StorageUnavailable,
} from '../database.ts'
import { checkParameters, readStatement, type Statement } from '../statement.ts'
import { defaultTransactionTimeoutMs, TransactionRunner } from '../transaction.ts'
import { SqliteReads } from './reads.ts'
import { SqliteWrites } from './writes.ts'

/** The file in the data folder. SQLite has its log next to it (`-wal`, `-shm`); the three belong together. */
export const sqliteFileName = 'ringfence.sqlite'

/** The smallest read and write that use the file. */
const leastRead = 'select count(*) from sqlite_schema'
const leastWrite = 'pragma user_version = 1'
/** Some large commits. A write alone does not show a full disk: the log reuses its own space, and a small write still fits. */
export const leastFreeBytes = 1_048_576

/**
 * Opens the database of a data folder. Creates folder and file if they are missing, for this user only.
 * @throws StorageUnavailable that names the file when it cannot be used
 */
export async function openSqlite(folder: string): Promise<Database> {
  const file = join(folder, sqliteFileName)
  const database = new SqliteDatabase(file)
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 })
    makeForOwner(file)
    await database.open()
    return database
  } catch (cause) {
    await database.close()
    throw new StorageUnavailable(`Cannot open ${file}: ${(cause as Error).message}`, { cause })
  }
}

class SqliteDatabase implements Database {
  readonly engine = 'sqlite'
  readonly #file: string
  readonly #reads: SqliteReads
  readonly #writes: SqliteWrites
  /** `writes` is known after the first use outside a transaction. */
  readonly #statements = new Map<string, Statement & { writes?: boolean }>()
  readonly #transactions = new TransactionRunner()
  #closed: Promise<void> | undefined

  constructor(file: string) {
    this.#file = file
    this.#reads = new SqliteReads(file)
    this.#writes = new SqliteWrites(file)
  }

  async open(): Promise<void> {
    await this.#writes.open()
    await this.#reads.read(leastRead)
  }

  /** Its calls take as long as the disk; none waits for another machine. */
  within<T>(_until: number, work: () => T): T {
    return work()
  }

  pools(): [] {
    return []
  }

  async query<R = Row>(sql: string, params: readonly SqlValue[] = []): Promise<R[]> {
    this.#refuseWhenClosedOrInside()
    const statement = this.#statement(sql)
    const { sqliteText } = statement
    statement.writes ??= this.#reads.writes(sqliteText)
    checkParameters(sql, statement, params)
    const rows = statement.writes ? this.#writes.write(sqliteText, params) : this.#reads.read(sqliteText, params)
    return rows as Promise<R[]>
  }

  async batch(statements: readonly BatchStatement[]): Promise<void> {
    this.#refuseWhenClosedOrInside()
    if (statements.length > 0) await this.#writes.batch(this.#inSqlite(statements))
  }

  async batchSoon(statements: readonly BatchStatement[]): Promise<void> {
    this.#refuseWhenClosedOrInside()
    if (statements.length > 0) await this.#writes.batch(this.#inSqlite(statements), 'soon')
  }

  async transaction<T>(work: (tx: Queryable) => Promise<T>, timeoutMs = defaultTransactionTimeoutMs): Promise<T> {
    this.#refuseWhenClosedOrInside()
    return this.#writes.transaction((begun) => {
      const query = (sql: string, params: readonly SqlValue[]): Promise<Row[]> => {
        const statement = this.#statement(sql)
        checkParameters(sql, statement, params)
        return begun.query(statement.sqliteText, params)
      }
      return this.#transactions.run({ ...begun, query }, work, timeoutMs)
    })
  }

  async overwriteDeleted(): Promise<void> {
    this.#refuseWhenClosedOrInside()
    await this.#writes.cutLog()
  }

  async ping(): Promise<void> {
    this.#refuseWhenClosedOrInside()
    await this.#reads.read(leastRead)
    await this.#writes.write(leastWrite, [])
    await refuseFullDisk(dirname(this.#file))
  }

  close(): Promise<void> {
    if (!this.#closed) {
      this.#reads.close() // first, since the last connection removes the log, and only the writer's can
      this.#closed = this.#writes.close()
    }
    return this.#closed
  }

  #inSqlite(statements: readonly BatchStatement[]): BatchStatement[] {
    return statements.map(({ sql, params, ...rest }) => {
      const statement = this.#statement(sql)
      checkParameters(sql, statement, params)
      return { sql: statement.sqliteText, params, ...rest }
    })
  }

  #statement(sql: string): Statement & { writes?: boolean } {
    let statement = this.#statements.get(sql)
    if (!statement) {
      statement = readStatement(sql)
      this.#statements.set(sql, statement)
    }
    return statement
  }

  #refuseWhenClosedOrInside(): void {
    if (this.#closed) throw new Error('The database is closed')
    this.#transactions.refuseInside()
  }
}

/** A file system that reports no size, as some do that are not disks, is never full. @throws StorageUnavailable */
async function refuseFullDisk(folder: string): Promise<void> {
  const { blocks, bavail, bsize } = await statfs(folder).catch(asUnavailable)
  if (blocks > 0 && bavail * bsize < leastFreeBytes) {
    throw new StorageUnavailable(`The disk of ${folder} is full: fewer than ${leastFreeBytes} bytes are free`, {
      reason: 'resources',
    })
  }
}

function asUnavailable(cause: Error): never {
  throw new StorageUnavailable(cause.message, { cause })
}

/**
 * SQLite would create a file that everyone can read; log and index get the mode of the file. An existing file is not opened, since
 * closing it would release the locks of other connections of this process (fcntl(2)).
 */
function makeForOwner(file: string): void {
  try {
    writeFileSync(file, '', { flag: 'wx', mode: 0o600 })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  }
}
