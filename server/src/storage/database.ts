// What does a storage engine offer? The seam between the aggregates (one file each, SQL by hand) and the engines.

/**
 * A value that both engines store alike. Times are epoch milliseconds, truth values are 0 and 1, ids are text.
 * Numbers are finite; whole ones go up to 2^53 − 1. Text holds no U+0000 (PostgreSQL cannot store it).
 */
export type SqlValue = string | number | Uint8Array | null

export type Row = Record<string, SqlValue>

/**
 * SQL written once, in PostgreSQL's words: placeholders `$1 … $n`, lower-case keywords, only what both engines know
 * (`on conflict … do update`, `returning`, `limit`, row values, `cast(… as bigint)`). One statement per call. Every text
 * is prepared once for each connection and kept for good, so values go into parameters and texts are few.
 * Columns are named, never `*`: a newer server may add some while this one still runs.
 */
export interface Queryable {
  /** Rows of a statement. A statement that writes is answered after it is durable, and later reads see it. */
  query<R = Row>(sql: string, params?: readonly SqlValue[]): Promise<R[]>
}

export interface Database extends Queryable {
  readonly engine: 'sqlite' | 'postgres'
  /**
   * Runs `work` in one serialisable transaction and answers after the commit is durable; anything thrown rolls back.
   * A statement that fails ends the transaction even when `work` catches the error: it is rolled back and the error thrown.
   * `work` may run again when the engine reports a serialisation conflict, so it must have no effect outside of `tx`;
   * it asks only `tx` (the database itself refuses, since waiting for it there would never end) and waits for nothing else:
   * on SQLite every other write waits meanwhile. After `timeoutMs` it is rolled back with `StorageUnavailable`.
   */
  transaction<T>(work: (tx: Queryable) => Promise<T>, timeoutMs?: number): Promise<T>
  /** Answers when the engine can read and write now; throws `StorageUnavailable` otherwise. */
  ping(): Promise<void>
  /** Finishes what was accepted, then releases files and connections. Later calls are refused. */
  close(): Promise<void>
}

/**
 * The store cannot take this now (disk full, failed fsync, connection lost, too much waiting); the caller answers 503.
 * Nothing was acknowledged. The engine recovers by itself, so the next call may succeed.
 */
export class StorageUnavailable extends Error {
  override name = 'StorageUnavailable'
}

/** A row with this key is there already. */
export class UniqueViolation extends Error {
  override name = 'UniqueViolation'
}
