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
  const branches: string[] = []
  const subjects = new Set<string>()
  for (const [place, { keyHash, part }] of wanted.entries()) {
    if (part) {
      branches.push(`select ${place} as place, cast(null as bytea) as "keyHash", count(*) as n, cast(0 as bigint) as units,
          max(case when part = ${parameter(part)} then leaves_at end) as "leavesAt"
     from (select part, leaves_at from velocity_count
            where key_hash = ${parameter(keyHash)} and leaves_at > $1 limit ${most}) as v${place}`)
      continue
    }
    const subject = textOf(keyHash.subarray(0, subjectBytes))
    if (subjects.size === subjects.add(subject).size) continue
    const [from, to] = [placeOf(subject, 0), placeOf(subject, 1)].map(parameter)
    branches.push(`select -1 as place, key_hash as "keyHash", cast(sum(n) as bigint) as n,
          cast(case when sum(total) > ${mostTotal} then ${mostTotal} else sum(total) end as bigint) as units,
          cast(null as bigint) as "leavesAt"
     from velocity_count where key_hash >= ${from} and key_hash < ${to} and leaves_at > $1 group by key_hash`)
  }
  const rows = await database.query<FoundCount>(branches.join('\nunion all\n'), params)
  const byPlace = new Map(rows.map((row) => [row.keyHash ? textOf(row.keyHash) : row.place, row]))
  return wanted.map(({ keyHash, part }, place) => byPlace.get(part ? place : textOf(keyHash)) ?? nothing)
}

interface FoundCount extends VelocityCount {
  readonly place: number
  readonly keyHash: Uint8Array | null
}

const nothing: VelocityCount = { n: 0, units: 0, leavesAt: null }
const textOf = (bytes: Uint8Array) => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1')

/** Bytes of a key that are the hash of the subject. */
const subjectBytes = 10

/** A key: the velocities of a subject are next to each other, first the totals, then those that count distinct values. */
export function velocityKey(subjectHash: Uint8Array, definitionHash: Uint8Array, isDistinct: boolean): Buffer {
  const kind = Uint8Array.of(isDistinct ? 1 : 0)
  return Buffer.concat([subjectHash.subarray(0, subjectBytes), kind, definitionHash.subarray(0, 5)])
}

const placeOf = (subject: string, kind: 0 | 1) => Buffer.concat([Buffer.from(subject, 'latin1'), Uint8Array.of(kind)])

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

/** A place in the table. */
export interface CountPlace {
  readonly keyHash: Uint8Array
  readonly part: Uint8Array
}

/**
 * Deletes what has left its window among the first `limit` rows from one place to another. No index finds these rows, because it
 * would double the cost of each decision. @returns where to go on; undefined at the end
 */
export async function dropCountsBetween(
  database: Queryable,
  { from, to }: { from: CountPlace; to: CountPlace },
  now: number,
  limit: number,
): Promise<CountPlace | undefined> {
  const [next] = await database.query<CountPlace>(
    `select key_hash as "keyHash", part from velocity_count
      where (key_hash, part) >= ($1, $2) and (key_hash, part) < ($3, $4)
      order by key_hash, part limit 1 offset ${limit}`,
    [from.keyHash, from.part, to.keyHash, to.part],
  )
  const end = next ?? to
  await database.query(
    'delete from velocity_count where (key_hash, part) >= ($1, $2) and (key_hash, part) < ($3, $4) and leaves_at <= $5',
    [from.keyHash, from.part, end.keyHash, end.part, now],
  )
  return next
}
