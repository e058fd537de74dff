// How are rows deleted that were not seen for long, without an index that changes whenever one is seen?

import type { Queryable } from './database.ts'

/** It has an index on `retention_at`: when a row was last seen, or an earlier time. (decision 98) */
interface SeenTable {
  readonly table: string
  /** Columns of the primary key. */
  readonly key: string
  /** The column that says when a row was last seen. */
  readonly seenAt: string
}

/**
 * Deletes rows that were last seen before this time. Of rows that were seen since, it moves `retention_at` to that time. At most `limit`
 * of each.
 * @returns at least `limit` while there may be more
 */
export async function dropUnseen(
  database: Queryable,
  { table, key, seenAt }: SeenTable,
  before: number,
  limit: number,
): Promise<number> {
  const due = `(${key}) in (select ${key} from ${table} where retention_at < $1 order by retention_at limit ${limit})`
  const seen = await database.query(
    `update ${table} set retention_at = ${seenAt} where ${due} and ${seenAt} >= $1 returning ${seenAt}`,
    [before],
  )
  const dropped = await database.query(`delete from ${table} where ${due} and ${seenAt} < $1 returning ${seenAt}`, [
    before,
  ])
  return seen.length + dropped.length
}
