// How long is an expired token still recognised? For a day, so that a late caller learns what was wrong; then it leaves the store.

import type { Clock } from '../clock.ts'
import type { Database } from '../storage/database.ts'
import { dropTokensBefore } from '../storage/tokens.ts'
import { bucketOf, shardCount } from './token.ts'

export const rememberExpiredMs = 24 * 3_600_000

/** So many at a time that other writes need not wait. */
const slice = 200

/** Drops the tokens of buckets that ended a day ago, in slices; says how many. */
export async function dropForgottenTokens({ database, clock }: { database: Database; clock: Clock }): Promise<number> {
  const bucket = bucketOf(clock.now() - rememberExpiredMs)
  let dropped = 0
  for (let shard = 0; shard < shardCount; shard++) {
    let last: number
    do {
      last = await dropTokensBefore(database, shard, bucket, slice)
      dropped += last
    } while (last === slice)
  }
  return dropped
}
