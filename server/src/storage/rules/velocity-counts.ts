// How much did each key of a velocity count in its window? Rows only grow, so concurrent decisions of several servers never conflict.

import type { BatchStatement, Queryable } from '../database.ts'

/** A part of the count of a key: a tenth of its window, or a distinct value. */
export interface VelocityPart {
  /** 16 bytes. */
  readonly keyHash: Uint8Array
  readonly part: Uint8Array
  /** Epoch milliseconds. */
  readonly leavesAt: number
  /** Decisions to add. */
  readonly n: number
  /** Ten-thousandths to add. */
  readonly units: number
}

/** What to read: all parts of a key, or whether a distinct value is among them. */
export interface WantedCount {
  readonly keyHash: Uint8Array
  /** For distinct values: the part of the present one. */
  readonly part?: Uint8Array
}

export interface VelocityCount {
  readonly n: number
  readonly units: number
  /** When the wanted distinct value leaves; null when it is not there. */
  readonly leavesAt: number | null
}

/**
 * The counts of all keys at this time, in their order, in one statement. Distinct values are counted up to `most`, so that a flood of
 * them costs a read little.
 */
export async function countsOf(
  database: Queryable,
  wanted: readonly WantedCount[],
  now: number,
  most: number,
): Promise<VelocityCount[]> {
  if (wanted.length === 0) return []
  const params: (Uint8Array | number)[] = [now]
  const parameter = (value: Uint8Array) => `$${params.push(value)}`
  const branches = wanted.map(({ keyHash, part }, place) =>
    part
      ? `select ${place} as place, count(*) as n, cast(0 as bigint) as units,
                max(case when part = ${parameter(part)} then leaves_at end) as "leavesAt"
           from (select part, leaves_at from velocity_count
                  where key_hash = ${parameter(keyHash)} and leaves_at > $1 limit ${most}) as values${place}`
      : `select ${place} as place, cast(coalesce(sum(n), 0) as bigint) as n,
                cast(coalesce(case when sum(total) > ${mostTotal} then ${mostTotal} else sum(total) end, 0) as bigint) as units,
                cast(null as bigint) as "leavesAt"
           from velocity_count where key_hash = ${parameter(keyHash)} and leaves_at > $1`,
  )
  const rows = await database.query<VelocityCount & { place: number }>(branches.join('\nunion all\n'), params)
  const counts: VelocityCount[] = wanted.map(() => ({ n: 0, units: 0, leavesAt: null }))
  for (const { place, ...count } of rows) counts[place] = count
  return counts
}

const mostTotal = Number.MAX_SAFE_INTEGER

/**
 * Adds to these parts, no two of which are the same. In the order of their keys, so that concurrent statements wait for each other
 * instead of deadlocking.
 */
export function addStatement(parts: readonly VelocityPart[]): BatchStatement {
  const sorted = parts.toSorted((a, b) => Buffer.compare(a.keyHash, b.keyHash) || Buffer.compare(a.part, b.part))
  const rows = sorted.map((_, i) => `(${[1, 2, 3, 4, 5].map((column) => `$${5 * i + column}`).join(', ')})`)
  return {
    sql: `insert into velocity_count (key_hash, part, leaves_at, n, total) values ${rows.join(', ')}
     on conflict (key_hash, part) do update
        set leaves_at = case when excluded.leaves_at > velocity_count.leaves_at
                             then excluded.leaves_at else velocity_count.leaves_at end,
            n = velocity_count.n + excluded.n,
            total = case when velocity_count.total + excluded.total > ${mostTotal}
                         then ${mostTotal} else velocity_count.total + excluded.total end`,
    params: sorted.flatMap(({ keyHash, part, leavesAt, n, units }) => [keyHash, part, leavesAt, n, units]),
  }
}

/** Deletes at most `limit` parts that have left their window, and are not counted again meanwhile. @returns how many */
export async function dropCountsThatLeft(database: Queryable, now: number, limit: number): Promise<number> {
  const dropped = await database.query(
    `delete from velocity_count where (key_hash, part) in
       (select key_hash, part from velocity_count where leaves_at <= $1 limit ${limit})
       and leaves_at <= $1
     returning leaves_at`,
    [now],
  )
  return dropped.length
}
