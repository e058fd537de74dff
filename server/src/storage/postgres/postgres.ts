// How does Ringfence store data in PostgreSQL, so that several servers share one store?

import { setTimeout as after } from 'node:timers/promises'
import { Client, type ClientBase, type ClientConfig, Pool, type QueryConfig, type QueryResultRow } from 'pg'
import {
  type BatchStatement,
  ConditionFailed,
  type Database,
  type Queryable,
  type Row,
  type SqlValue,
  StorageUnavailable,
} from '../database.ts'
import { InFlight } from '../in-flight.ts'
import { checkParameters, jointStatement, readStatement, type Statement } from '../statement.ts'
import { defaultTransactionTimeoutMs, SerialisationConflict, TransactionRunner } from '../transaction.ts'
import { errorOf, isDivisionByZero } from './errors.ts'
import { PostgresReads } from './reads.ts'
import { postgresTypes } from './types.ts'

/** Connections of one server. PostgreSQL answers a point read in well under a millisecond, so few connections suffice. */
const connections = 10
const connectTimeoutMs = 5_000
/** PostgreSQL stops a statement first and says why. The limit of the client is for a server that no longer responds. */
const statementTimeoutMs = 10_000
const silenceTimeoutMs = 12_000
/** When this many calls wait, more are refused at once instead of being answered too late. */
const longestQueue = 5_000
const conflictAttempts = 10
/** A statement that begins like this only reads. Other reads work too, but are not combined. */
const readsOnly = /^\s*select\b/i
/** The advisory lock for migrations; any number, but the same in every version. */
const startUpLock = 0x52494e47

/** The PostgreSQL engine. It can also keep other servers out while one migrates. */
export interface PostgresDatabase extends Database {
  /** Runs `work` while no other server on this database does; waits for its turn without limit. */
  exclusively<T>(work: () => Promise<T>): Promise<T>
}

/**
 * Connects to `postgres://user:password@host:port/database?sslmode=…` (parameters as in libpq).
 * @throws StorageUnavailable when the server is not reachable or refuses
 */
export async function openPostgres(url: string): Promise<PostgresDatabase> {
  const database = new Postgres(url)
  try {
    await database.ping()
    return database
  } catch (error) {
    await database.close()
    throw error
  }
}

class Postgres implements PostgresDatabase {
  readonly engine = 'postgres'
  readonly #connection: ClientConfig
  readonly #pool: Pool
  readonly #statements = new Map<string, Statement & { name: string; isRead: boolean }>()
  /** The statement of a batch, by the texts of its statements. */
  readonly #jointTexts = new Map<string, string>()
  readonly #transactions = new TransactionRunner()
  readonly #inFlight = new InFlight()
  readonly #reads = new PostgresReads((sql, params) => this.#send(sql, params))
  #closed: Promise<void> | undefined

  constructor(url: string) {
    this.#connection = {
      connectionString: url,
      application_name: 'ringfence',
      connectionTimeoutMillis: connectTimeoutMs,
      keepAlive: true,
      types: postgresTypes,
    }
    this.#pool = new Pool({
      ...this.#connection,
      max: connections,
      statement_timeout: statementTimeoutMs,
      query_timeout: silenceTimeoutMs,
      idle_in_transaction_session_timeout: silenceTimeoutMs,
    })
    // The pool removes a lost connection; its query fails.
    this.#pool.on('error', () => undefined)
    this.#pool.on('connect', (client) => client.on('error', () => undefined))
  }

  async query<R = Row>(sql: string, params: readonly SqlValue[] = []): Promise<R[]> {
    this.#transactions.refuseInside()
    const statement = this.#statement(sql)
    checkParameters(sql, statement, params)
    const rows = this.#inFlight.run(() => (statement.isRead ? this.#reads.read(sql, params) : this.#send(sql, params)))
    return rows as Promise<R[]>
  }

  async batch(statements: readonly BatchStatement[]): Promise<void> {
    this.#transactions.refuseInside()
    if (statements.length === 0) return
    for (const { sql, params } of statements) checkParameters(sql, this.#statement(sql), params)
    const values = statements.flatMap(({ params }) => params)
    try {
      await this.#inFlight.run(() => this.#send(this.#jointText(statements), values))
    } catch (cause) {
      if (!isDivisionByZero(cause)) throw cause
      throw new ConditionFailed('a required statement returned no row', { cause })
    }
  }

  async transaction<T>(work: (tx: Queryable) => Promise<T>, timeoutMs = defaultTransactionTimeoutMs): Promise<T> {
    this.#transactions.refuseInside()
    const attempt = async (session: Session): Promise<T> => {
      await session.send({ text: `begin isolation level serializable; set local statement_timeout = ${timeoutMs}` })
      const query_timeout = timeoutMs + silenceTimeoutMs
      const begun = {
        query: async (sql: string, params: readonly SqlValue[]) => {
          checkParameters(sql, this.#statement(sql), params)
          return session.send({ ...this.#queryOf(sql, params), query_timeout })
        },
        commit: async () => void (await session.send({ text: 'commit' })),
        rollback: () => session.rollback(),
      }
      return this.#transactions.run(begun, work, timeoutMs)
    }
    return this.#inFlight.run(() => this.#retry(() => this.#withSession(attempt)))
  }

  async exclusively<T>(work: () => Promise<T>): Promise<T> {
    const client = new Client(this.#connection) // not from the pool: the lock lives as long as its connection
    client.on('error', () => undefined)
    try {
      await client.connect()
      await client.query('select pg_advisory_lock($1)', [startUpLock])
    } catch (error) {
      await client.end()
      throw errorOf(error)
    }
    try {
      return await work()
    } finally {
      await client.end()
    }
  }

  async ping(): Promise<void> {
    const text = `select 1 as "readOnly" where current_setting('transaction_read_only') = 'on'`
    const [readOnly] = await this.query(text)
    if (readOnly) throw new StorageUnavailable('PostgreSQL: this server is read-only (a standby?)')
  }

  close(): Promise<void> {
    this.#closed ??= this.#inFlight.close().then(() => this.#pool.end())
    return this.#closed
  }

  #statement(sql: string): Statement & { name: string; isRead: boolean } {
    let statement = this.#statements.get(sql)
    if (!statement) {
      statement = { ...readStatement(sql), name: `q${this.#statements.size}`, isRead: readsOnly.test(sql) }
      this.#statements.set(sql, statement)
    }
    return statement
  }

  #jointText(statements: readonly BatchStatement[]): string {
    const key = statements.map(({ sql, required }) => `${required ? 'required' : ''} ${sql}`).join(';')
    let text = this.#jointTexts.get(key)
    if (text === undefined) {
      text = jointStatement(statements)
      this.#jointTexts.set(key, text)
    }
    return text
  }

  #queryOf(sql: string, params: readonly unknown[]): Query {
    return { name: this.#statement(sql).name, text: sql, values: [...params] }
  }

  #send(sql: string, params: readonly unknown[]): Promise<Row[]> {
    return this.#retry(() => this.#withSession((session) => session.send(this.#queryOf(sql, params))))
  }

  /** Runs `attempt` again after a conflict, each time after a longer random pause, so that the same two do not meet again. */
  async #retry<T>(attempt: () => Promise<T>): Promise<T> {
    for (let attempts = 1; ; attempts++) {
      try {
        return await attempt()
      } catch (error) {
        if (!(error instanceof SerialisationConflict)) throw error
        if (attempts === conflictAttempts) {
          throw new StorageUnavailable(`PostgreSQL: ${attempts} conflicts with other transactions in a row`, {
            cause: error,
          })
        }
        await after(Math.random() * 2 ** attempts)
      }
    }
  }

  async #withSession<T>(work: (session: Session) => Promise<T>): Promise<T> {
    if (this.#pool.waitingCount >= longestQueue)
      throw new StorageUnavailable(`${longestQueue} calls are already waiting`)
    const client = await this.#pool.connect().catch((error) => {
      throw errorOf(error)
    })
    const session = new Session(client)
    try {
      return await work(session)
    } finally {
      client.release(session.isUnusable)
    }
  }
}

interface Query extends QueryConfig {
  query_timeout?: number
}

/** A connection in use. */
class Session {
  readonly #client: ClientBase
  /** The connection is lost or in an unknown state (an answer may still come): the pool replaces it. */
  isUnusable = false

  constructor(client: ClientBase) {
    this.#client = client
  }

  async send<R = Row>(query: Query): Promise<R[]> {
    try {
      const { rows } = await this.#client.query<R & QueryResultRow>(query)
      return rows
    } catch (cause) {
      const error = errorOf(cause)
      this.isUnusable ||= error instanceof StorageUnavailable
      throw error
    }
  }

  /** A connection that cannot roll back is closed, which rolls back. */
  async rollback(): Promise<void> {
    if (!this.isUnusable) await this.send({ text: 'rollback' }).catch(() => (this.isUnusable = true))
  }
}
