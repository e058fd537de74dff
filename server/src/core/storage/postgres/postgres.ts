// How does Ringfence store data in PostgreSQL, so that several servers share one store?

import { AsyncLocalStorage } from 'node:async_hooks'
import { createHash } from 'node:crypto'
import type { QueryConfig } from 'pg'
import {
  type BatchStatement,
  ConditionFailed,
  type Database,
  type PoolState,
  type Queryable,
  type Row,
  type SqlValue,
  StorageUnavailable,
} from '../database.ts'
import { InFlight } from '../in-flight.ts'
import { defaultWaiting, type Waiting } from '../migrate.ts'
import { checkParameters, jointStatement, readStatement, type Statement } from '../statement.ts'
import { defaultTransactionTimeoutMs, TransactionRunner } from '../transaction.ts'
import { cancelRead, watchWrite } from './abandoned.ts'
import { Attempts } from './attempts.ts'
import type { Connection } from './connection.ts'
import { Connections } from './connections.ts'
import { Connector, longestLimits, serverLimits } from './connector.ts'
import { isDivisionByZero } from './errors.ts'
import type { IndexBuilder } from './index-builds.ts'
import { takeMigrationLock } from './migration-lock.ts'
import { defaultPools, type PostgresPools } from './pools.ts'
import { PostgresReads } from './reads.ts'
import { Stuck } from './stuck.ts'
import { Turns, turnsOf } from './turns.ts'

/** How long a call outside of `within` waits for its connection and its statement together. */
const callTimeoutMs = 12_000
/** The server stops a statement of a transaction this much before the caller gives up, so that its reason arrives. */
const marginMs = 20
/** A caller that gives up waits this long for the rollback. */
const rollbackMs = 50
/** A migration waits this long for a table. Meanwhile every other call to the table queues behind it. */
const migrationLockTimeoutMs = 1_000

/** The PostgreSQL engine. It can also keep other servers out while one migrates, and build an index while they write. */
export interface PostgresDatabase extends Database, IndexBuilder {
  /** Runs `work` while no other server on this database does. @throws StorageUnavailable when another one does for too long */
  exclusively<T>(work: () => Promise<T>, waiting?: Waiting): Promise<T>
}

/**
 * Connects to `postgres://user:password@host:port/database?sslmode=…` (parameters as in libpq, also several hosts).
 * @throws StorageUnavailable when the server is not reachable or refuses; TypeError when the URL is not valid
 */
export async function openPostgres(url: string, pools: PostgresPools = defaultPools): Promise<PostgresDatabase> {
  const database = new Postgres(url, pools)
  try {
    await database.ping()
    return database
  } catch (error) {
    await database.close()
    throw error
  }
}

/**
 * The text of a batch follows from how many rows it has: those of background work are never the same twice. Beyond these limits a text
 * is neither remembered here nor prepared in the server, where it would take memory as long as the connection lives.
 */
const mostStatements = 2_000
const longestPrepared = 32_768
/** A message of PostgreSQL has room for no more values. */
const mostValues = 65_535

interface Named extends Statement {
  readonly name: string
  readonly isPrepared: boolean
}

class Postgres implements PostgresDatabase {
  readonly engine = 'postgres'
  readonly #connector: Connector
  /** Writes that hang must not stop reads. */
  readonly #pools: Record<'read' | 'write', Connections>
  readonly #statements = new Map<string, Named>()
  /** The statement of a batch, by the texts of its statements. */
  readonly #jointTexts = new Map<string, string>()
  readonly #transactions = new TransactionRunner()
  readonly #inFlight = new InFlight()
  readonly #limits = new AsyncLocalStorage<number>()
  readonly #stuck = new Stuck()
  readonly #turns = new Turns()
  readonly #reads = new PostgresReads((sql, params, until) => this.#send(sql, params, until))
  /** Off when a pooler is in between that shares connections. */
  #preparesStatements = true
  #closed: Promise<void> | undefined

  constructor(url: string, { read, write }: PostgresPools) {
    this.#connector = new Connector(url)
    const connect = async () => {
      const before = this.#connector.host
      const connection = await this.#connector.connect()
      if (connection.host !== before) for (const pool of Object.values(this.#pools)) pool.leaveOthers(connection.host)
      return connection
    }
    this.#pools = {
      read: new Connections({ pool: 'read', most: read, connect, onAbandoned: cancelRead }),
      write: new Connections({
        pool: 'write',
        most: write,
        connect,
        onAbandoned: (connection) => watchWrite(connection, this.#pools.read),
      }),
    }
  }

  within<T>(until: number, work: () => T): T {
    return this.#limits.run(until, work)
  }

  pools(): PoolState[] {
    return Object.values(this.#pools).map((pool) => pool.state())
  }

  async query<R = Row>(sql: string, params: readonly SqlValue[] = []): Promise<R[]> {
    this.#transactions.refuseInside()
    const statement = this.#statement(sql)
    checkParameters(sql, statement, params)
    const until = this.#until()
    const rows = this.#inFlight.run(() =>
      statement.reads ? this.#reads.read(sql, params, until) : this.#send(sql, params, until),
    )
    return rows as Promise<R[]>
  }

  async batch(statements: readonly BatchStatement[]): Promise<void> {
    this.#transactions.refuseInside()
    if (statements.length === 0) return
    for (const { sql, params } of statements) checkParameters(sql, this.#statement(sql), params)
    const values = statements.flatMap(({ params }) => params)
    if (values.length > mostValues) return this.#batchInTransaction(statements)
    const until = this.#until()
    const text = this.#jointText(statements)
    const turns = turnsOf(statements)
    const send = () => this.#send(text, values, until, turns)
    try {
      await this.#inFlight.run(() => (turns.length === 0 ? send() : this.#turns.take(turns, until, send)))
    } catch (cause) {
      if (!isDivisionByZero(cause)) throw cause
      throw new ConditionFailed('a required statement returned no row', { cause })
    }
  }

  #batchInTransaction(statements: readonly BatchStatement[]): Promise<void> {
    return this.transaction(async (tx) => {
      for (const { sql, params, required } of statements) {
        const rows = await tx.query(sql, params)
        if (required && rows.length === 0) throw new ConditionFailed('a required statement returned no row')
      }
    })
  }

  /** Commits of several connections share a write of the log anyway. */
  batchSoon(statements: readonly BatchStatement[]): Promise<void> {
    return this.batch(statements)
  }

  async transaction<T>(work: (tx: Queryable) => Promise<T>, timeoutMs = defaultTransactionTimeoutMs): Promise<T> {
    this.#transactions.refuseInside()
    const until = this.#until(timeoutMs + callTimeoutMs)
    const attempts = new Attempts(until)
    const attempt = async (connection: Connection): Promise<T> => {
      const leftMs = Math.floor(Math.min(timeoutMs, until - performance.now() - marginMs))
      if (leftMs <= 0)
        throw new StorageUnavailable('PostgreSQL: no time is left for the transaction', { reason: 'time' })
      let commits = false
      const begun = {
        query: async (sql: string, params: readonly SqlValue[]) => {
          checkParameters(sql, this.#statement(sql), params)
          return connection.send(this.#queryOf(sql, params, attempts.prepares), until)
        },
        commit: async () => {
          commits = true
          await connection.send({ text: 'commit' }, until)
        },
        rollback: async () => {
          if (connection.busySince !== undefined) connection.isUnusable = true // it ends in an unknown state
          if (connection.isUnusable) return
          const soon = Math.max(until, performance.now()) + rollbackMs
          await connection.send({ text: 'rollback' }, soon).catch(() => (connection.isUnusable = true))
        },
      }
      try {
        await connection.send({ text: beginWithin(leftMs) }, until)
        return await this.#transactions.run(begun, work, leftMs)
      } catch (error) {
        // Nothing is committed as long as the commit was not sent.
        throw commits ? error : attempts.asNotRun(error)
      }
    }
    return this.#inFlight.run(() => this.#retry(attempts, () => this.#using('write', until, attempt)))
  }

  async exclusively<T>(work: () => Promise<T>, waiting: Waiting = defaultWaiting): Promise<T> {
    const connection = await this.#connector.connect() // not from a pool: it is in use for long
    try {
      await takeMigrationLock(connection, this, waiting)
      return await work()
    } finally {
      await connection.end()
    }
  }

  async runAlone(sql: string): Promise<void> {
    const connection = await this.#connector.connect(longestLimits)
    try {
      await connection.send({ text: sql }, Number.POSITIVE_INFINITY)
    } finally {
      await connection.end()
    }
  }

  async ping(): Promise<void> {
    const text = `select 1 as "readOnly" where current_setting('transaction_read_only') = 'on'`
    const [readOnly] = await this.query(text)
    if (!readOnly) return
    this.#pools.read.closeIdle() // the next connection may reach the primary
    throw new StorageUnavailable('PostgreSQL: this server is read-only (a standby?)', { reason: 'read_only' })
  }

  close(): Promise<void> {
    this.#closed ??= this.#inFlight
      .close()
      .then(() => Promise.all(Object.values(this.#pools).map((pool) => pool.close())))
      .then(() => undefined)
    return this.#closed
  }

  #until(ownLimitMs = callTimeoutMs): number {
    return Math.min(performance.now() + ownLimitMs, this.#limits.getStore() ?? Number.POSITIVE_INFINITY)
  }

  /** The name follows from the text: behind a pooler, a name of another process must never mean another statement. */
  #statement(sql: string): Named {
    const known = this.#statements.get(sql)
    if (known) return known
    const name = createHash('sha256').update(sql).digest('base64url').slice(0, 32)
    const isPrepared = sql.length <= longestPrepared && this.#statements.size < mostStatements
    const statement = { ...readStatement(sql), name, isPrepared }
    if (isPrepared) this.#statements.set(sql, statement)
    return statement
  }

  #jointText(statements: readonly BatchStatement[]): string {
    const key = statements.map(({ sql, required }) => `${required ? 'required' : ''} ${sql}`).join(';')
    let text = this.#jointTexts.get(key)
    if (text === undefined) {
      text = jointStatement(statements)
      if (text.length <= longestPrepared && this.#jointTexts.size < mostStatements) this.#jointTexts.set(key, text)
    }
    return text
  }

  #queryOf(sql: string, params: readonly unknown[], prepares: boolean): QueryConfig {
    const query = { text: sql, values: [...params] }
    if (!prepares || !this.#preparesStatements) return query
    const { name, isPrepared } = this.#statement(sql)
    return isPrepared ? { name, ...query } : query
  }

  /** `turns`: the locks of what the statement counts, for which it waits. */
  async #send(sql: string, params: readonly unknown[], until: number, turns: readonly bigint[] = []): Promise<Row[]> {
    const { reads, repeatable, name } = this.#statement(sql)
    const attempts = new Attempts(until)
    const once = async (connection: Connection): Promise<Row[]> => {
      const query = this.#queryOf(sql, params, attempts.prepares)
      if (turns.length > 0) return connection.send(query, until, beginInTurn(turns))
      const answer = reads
        ? connection.send(query, until)
        : this.#stuck.watch(name, () => connection.send(query, until))
      return repeatable ? answer.catch((error) => Promise.reject(attempts.asNotRun(error))) : answer
    }
    if (!reads && turns.length === 0) this.#stuck.refuseIfStuck(name)
    return this.#retry(attempts, () => this.#using(reads ? 'read' : 'write', until, once))
  }

  async #retry<T>(attempts: Attempts, attempt: () => Promise<T>): Promise<T> {
    for (;;) {
      try {
        return await attempt()
      } catch (error) {
        await attempts.next(error) // throws when there is no next one
        this.#preparesStatements &&= attempts.canPrepare
      }
    }
  }

  async #using<T>(kind: 'read' | 'write', until: number, work: (connection: Connection) => Promise<T>): Promise<T> {
    const pool = this.#pools[kind]
    const connection = await pool.acquire(until)
    try {
      return await work(connection)
    } catch (error) {
      // A server that became read-only or ended this connection did the same to the others.
      if (connection.isUnusable) pool.closeIdle()
      throw error
    } finally {
      pool.release(connection)
    }
  }
}

/** A migration has more time than any other transaction, but waits for locks less. */
function beginWithin(timeoutMs: number): string {
  const lockTimeout = timeoutMs > defaultTransactionTimeoutMs ? migrationLockTimeoutMs : serverLimits.lock_timeout
  return (
    'begin isolation level serializable; ' +
    `set local statement_timeout = ${timeoutMs}; set local lock_timeout = ${lockTimeout}`
  )
}

/**
 * Begins the transaction of a batch that counts, and takes the locks of what it counts. A statement sees what was committed before it
 * began, so the locks are taken by statements before it.
 */
const beginInTurn = (turns: readonly bigint[]): string =>
  ['begin isolation level read committed', ...turns.map((turn) => `select pg_advisory_xact_lock(${turn})`)].join('; ')
