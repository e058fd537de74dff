// What has each key counted for its velocities? A key has a log, to which each decision appends, and what was folded from it.

import type { BatchStatement, Queryable, SqlValue } from '../../core/storage/database.ts'

/**
 * A row of a key. Part 0 is a log: a decision appends to it without reading it first, so concurrent decisions of several servers never
 * conflict. Part 1 is what was folded from that log. A busy key has up to four such pairs: 2 and 3, 4 and 5, 6 and 7.
 */
export interface VelocityRow {
  /** Of the key, among those that were asked for. */
  readonly place: number
  readonly part: number
  /** Up to where the log is folded: a random number, plus the characters that are folded. */
  readonly folded: number
  readonly content: string
}

export interface VelocityWrite extends Omit<VelocityRow, 'place'> {
  /** 10 bytes. */
  readonly keyHash: Uint8Array
  /** Epoch milliseconds. */
  readonly leavesAt: number
}

const keyBytes = 10
export const velocityKey = (hash: Uint8Array): Uint8Array => hash.subarray(0, keyBytes)

/** All rows of these keys, with the place of their key, in one statement. */
export async function velocityRows(database: Queryable, keyHashes: readonly Uint8Array[]): Promise<VelocityRow[]> {
  const keys = keyHashes.length
  return keys === 0 ? [] : database.query<VelocityRow>(readTexts[keys] ?? readText(keys), keyHashes)
}

/** Texts that are the same object each time cost less to find. Few decisions have more keys. */
const textsOf = (textOf: (rows: number) => string) => Array.from({ length: 13 }, (_, rows) => textOf(rows))
const readText = (keys: number) =>
  placesOf(keys)
    .map((at) => `select ${at} as place, part, folded, content from velocity_count where key_hash = $${at + 1}`)
    .join('\nunion all ')
const placesOf = (length: number) => Array.from({ length }, (_, place) => place)
const readTexts = textsOf(readText)

/** Where the log of a new key begins: no two logs of a key share a place, so a write cannot mistake one for the other. */
export const newLogPlace = (): number => Math.floor(Math.random() * 2 ** 52)

/** The log still begins where the writer found it, or later, and holds what the writer has folded. */
const foldsLog = `excluded.folded > velocity_count.folded
              and excluded.folded - velocity_count.folded <= length(velocity_count.content)`
/** The same for the other row, which only a fold writes. What has left all windows is of no use. */
const foldsCounts = `(velocity_count.leaves_at <= $1
              or (excluded.folded > velocity_count.folded and excluded.folded - velocity_count.folded <= 1000000000))`

/**
 * Appends to logs and folds them, at this time. `content` of a log is appended. When `folded` is beyond that of the log, what is
 * before it is removed, and the row of the next part replaces what was folded earlier. Of concurrent folds, one that has read less than
 * another only appends. In the order of the keys, so that concurrent statements wait for each other instead of deadlocking.
 */
export function writeVelocities(rows: readonly VelocityWrite[], now: number): BatchStatement {
  const sorted = rows.toSorted((a, b) => Buffer.compare(a.keyHash, b.keyHash) || a.part - b.part)
  const params: SqlValue[] = [now]
  for (const { keyHash, part, folded, leavesAt, content } of sorted) {
    params.push(keyHash, part, folded, leavesAt, content)
  }
  return { sql: writeTexts[rows.length] ?? writeText(rows.length), params }
}

const writeText = (rows: number) => {
  const values = placesOf(rows).map((at) => `(${[2, 3, 4, 5, 6].map((column) => `$${5 * at + column}`).join(', ')})`)
  return `insert into velocity_count (key_hash, part, folded, leaves_at, content) values ${values.join(', ')}
     on conflict (key_hash, part) do update
        set content = case
              when velocity_count.part % 2 = 1
              then case when ${foldsCounts} then excluded.content else velocity_count.content end
              when ${foldsLog}
              then substr(velocity_count.content, cast(excluded.folded - velocity_count.folded + 1 as integer)) || excluded.content
              else velocity_count.content || excluded.content end,
            folded = case
              when velocity_count.part % 2 = 1
              then case when ${foldsCounts} then excluded.folded else velocity_count.folded end
              when ${foldsLog} then excluded.folded
              else velocity_count.folded end,
            leaves_at = case when excluded.leaves_at > velocity_count.leaves_at
              then excluded.leaves_at else velocity_count.leaves_at end`
}
const writeTexts = textsOf(writeText)

/** Deletes and returns all that these keys have counted. One after the other, in their order, as decisions write them. */
export async function takeVelocities(
  tx: Queryable,
  keyHashes: readonly Uint8Array[],
): Promise<Pick<VelocityRow, 'part' | 'content'>[]> {
  const taken: Pick<VelocityRow, 'part' | 'content'>[] = []
  for (const keyHash of keyHashes.toSorted(Buffer.compare)) {
    const sql = 'delete from velocity_count where key_hash = $1 returning part, content'
    taken.push(...(await tx.query<Pick<VelocityRow, 'part' | 'content'>>(sql, [keyHash])))
  }
  return taken
}

/** Deletes all that a key has counted. */
export async function deleteVelocities(database: Queryable, keyHash: Uint8Array): Promise<void> {
  await database.query('delete from velocity_count where key_hash = $1', [keyHash])
}

/**
 * Deletes what has left its windows among the first `limit` rows (at least 8, so that a key is whole) from one key to before another.
 * No index finds these rows, because it would double the cost of each decision. A log and what was folded from it go in one statement.
 * @returns where to go on; undefined at the end
 */
export async function dropVelocitiesBetween(
  database: Queryable,
  { from, to }: { from: Uint8Array; to: Uint8Array },
  now: number,
  limit: number,
): Promise<Uint8Array | undefined> {
  const [next] = await database.query<{ keyHash: Uint8Array }>(
    `select key_hash as "keyHash" from velocity_count where key_hash >= $1 and key_hash < $2
      order by key_hash limit 1 offset ${limit}`,
    [from, to],
  )
  await database.query('delete from velocity_count where key_hash >= $1 and key_hash < $2 and leaves_at <= $3', [
    from,
    next?.keyHash ?? to,
    now,
  ])
  return next?.keyHash
}
