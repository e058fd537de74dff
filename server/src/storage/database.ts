// What does a storage engine offer? The seam between the aggregates (one file each, SQL by hand) and the engines.

/** A value that both engines store alike. Times are epoch milliseconds, truth values are 0 and 1, ids are text. */
export type SqlValue = string | number | Uint8Array | null

export type Row = Record<string, SqlValue>

/**
 * SQL written once, in PostgreSQL's words: placeholders `$1 … $n`, lower-case keywords, only what both engines know
 * (`on conflict … do update`, `returning`, `limit`). Every statement is prepared once for each connection and kept by its text.
 */
export interface Queryable {
  /** Rows of a statement. A statement that writes is answered after it is durable. */
  query<R = Row>(sql: string, params?: readonly SqlValue[]): Promise<R[]>
}

export interface Database extends Queryable {
  readonly engine: 'sqlite' | 'postgres'
  /**
   * Runs `work` in one serialisable transaction and answers after the commit is durable; anything thrown rolls back.
   * `work` may run again when the engine reports a serialisation conflict, so it must have no effect outside of `tx`.
   * No statement of another caller can slip into it.
   */
  transaction<T>(work: (tx: Queryable) => Promise<T>): Promise<T>
  /** Answers when the engine can read and write now; throws `StorageUnavailable` otherwise. */
  ping(): Promise<void>
  /** Finishes what was accepted, then releases files and connections. */
  close(): Promise<void>
}

/** The store cannot take this now (disk full, failed fsync, connection lost). Nothing was acknowledged; the caller answers 503. */
export class StorageUnavailable extends Error {
  override name = 'StorageUnavailable'
}

/** A row with this key is there already. */
export class UniqueViolation extends Error {
  override name = 'UniqueViolation'
}
