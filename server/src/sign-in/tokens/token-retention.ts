// How long does the store keep an expired token? One day, so that a late caller learns that it has expired.

import type { Clock } from '../../core/clock.ts'
import type { Database } from '../../core/storage/database.ts'
import { dropTokensBefore } from '../store/tokens.ts'
import { bucketOf, shardCount } from './token.ts'

export const rememberExpiredMs = 24 * 3_600_000

/** Small enough that other writes do not wait. */
const batchSize = 200

/** Deletes tokens that expired a day ago, in batches. Returns how many. */
export async function dropExpiredTokens({ database, clock }: { database: Database; clock: Clock }): Promise<number> {
  const bucket = bucketOf(clock.now() - rememberExpiredMs)
  let dropped = 0
  for (let shard = 0; shard < shardCount; shard++) {
    let last: number
    do {
      last = await dropTokensBefore(database, shard, bucket, batchSize)
      dropped += last
    } while (last === batchSize)
  }
  return dropped
}
