// What does a storage engine offer? The interface between the tables (one file for each aggregate, SQL by hand) and the engines.

/**
 * A value that both engines store in the same way. Times are epoch milliseconds, truth values are 0 and 1, ids are text.
 * Numbers are finite; whole ones go up to 2^53 − 1. Text holds no U+0000 (PostgreSQL cannot store it).
 */
export type SqlValue = string | number | Uint8Array | null

export type Row = Record<string, SqlValue>

/**
 * One SQL text for both engines, in the syntax of PostgreSQL: placeholders `$1 … $n`, lower-case keywords, only what both support
 * (`on conflict … do update`, `returning`, `limit`, row values, `cast(… as bigint)`). One statement per call. Each text is prepared
 * once for each connection and stays prepared, so values are parameters. Columns are named, never `*`: a newer server may add some
 * while this one still runs.
 */
export interface Queryable {
  /** Rows of a statement. A write returns when it is durable; later reads see it. */
  query<R = Row>(sql: string, params?: readonly SqlValue[]): Promise<R[]>
}

/** A statement of a batch. It writes; a required one may also read only, as a condition. */
export interface BatchStatement {
  readonly sql: string
  readonly params: readonly SqlValue[]
  /** The batch is undone when this statement returns no row. One that writes needs `returning`. */
  readonly required?: boolean
  /**
   * What a condition counts, by a name. Batches that count the same are written one after the other: else none of those that PostgreSQL
   * runs at the same time would count the rows of another.
   */
  readonly counts?: string
}

/** The connections of one pool. */
export interface PoolState {
  readonly pool: 'read' | 'write'
  readonly inUse: number
  readonly idle: number
  /** In use by a statement whose caller no longer waits for it. */
  readonly abandoned: number
  /** Calls that wait for a connection. */
  readonly waiting: number
}

export interface Database extends Queryable {
  readonly engine: 'sqlite' | 'postgres'
  /**
   * Runs `work`. Its calls to this database end at `until` (milliseconds of `performance.now()`) with `StorageUnavailable`, also when
   * they wait for a connection. A call outside has its own limit.
   */
  within<T>(until: number, work: () => T): T
  /** The connections now; none in the embedded engine. */
  pools(): readonly PoolState[]
  /**
   * Writes all statements or none, in one commit that it may share with other calls, and in one round trip on PostgreSQL.
   * The statements do not see each other's rows, and no two of them write the same row.
   * @throws ConditionFailed when a required statement returns no row
   */
  batch(statements: readonly BatchStatement[]): Promise<void>
  /**
   * As `batch`, for what no caller waits for: the embedded engine lets some milliseconds of them share a commit, since each costs more
   * than all that it writes. Whatever is written later comes after it.
   */
  batchSoon(statements: readonly BatchStatement[]): Promise<void>
  /**
   * Runs `work` in one serialisable transaction, and returns when the commit is durable. An exception rolls it back.
   * A statement that fails ends the transaction, even when `work` catches the error.
   * `work` may run again after a serialisation conflict, so it must have no effect outside `tx`. It uses only `tx`, since a call to
   * the database would wait for itself, and it waits for nothing else, since on SQLite every other write waits meanwhile.
   * After `timeoutMs` the transaction is rolled back with `StorageUnavailable`.
   */
  transaction<T>(work: (tx: Queryable) => Promise<T>, timeoutMs?: number): Promise<T>
  /**
   * After this, deleted rows are in no file of the engine, as far as it can: SQLite has overwritten them, and its log is copied into the
   * file and cut off. PostgreSQL reuses their space after a vacuum, and its log has them.
   */
  overwriteDeleted?(): Promise<void>
  /** Returns if the engine can read and write now. @throws StorageUnavailable */
  ping(): Promise<void>
  /** Finishes accepted calls, then closes files and connections. Later calls are refused. */
  close(): Promise<void>
}

/**
 * The store cannot do this now (disk full, failed fsync, lost connection, too many waiting calls); the service returns 503.
 * Nothing was acknowledged. The engine recovers automatically, so the next call may succeed.
 */
export class StorageUnavailable extends Error {
  override name = 'StorageUnavailable'
  readonly reason: UnavailableReason
  constructor(message: string, { reason = 'fault', ...options }: ErrorOptions & { reason?: UnavailableReason } = {}) {
    super(message, options)
    this.reason = reason
  }
}

/**
 * Why the store is unavailable, for metrics: no connection, no answer in time, too many waiting calls, too many conflicts, a full disk
 * or too many connections, a read-only server, a schema that is too new for this program, any other fault.
 */
export type UnavailableReason =
  | 'connection'
  | 'time'
  | 'queue'
  | 'conflicts'
  | 'resources'
  | 'read_only'
  | 'schema'
  | 'fault'

/** A statement waited too long for a lock that another transaction holds. The statement did nothing. */
export class LockTimeout extends StorageUnavailable {}

/** A required statement of a batch returned no row, so nothing of the batch was written. */
export class ConditionFailed extends Error {
  override name = 'ConditionFailed'
}

/** A row with this key exists. */
export class UniqueViolation extends Error {
  override name = 'UniqueViolation'
}
