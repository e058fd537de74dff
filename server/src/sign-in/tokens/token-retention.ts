// How long does the store keep an expired token? One day, so that a late caller learns that it has expired.

import type { Clock } from '../../core/clock.ts'
import type { Database } from '../../core/storage/database.ts'
import { dropTokensBefore, type InShard } from '../store/tokens.ts'
import { bucketOf, shardCount } from './token.ts'

export const rememberExpiredMs = 24 * 3_600_000

/** Small enough that other writes hardly wait: two milliseconds. */
const sliceRows = 50

/** Deletes tokens that expired a day ago, in slices. Returns how many. */
export async function dropExpiredTokens({ database, clock }: { database: Database; clock: Clock }): Promise<number> {
  const bucket = bucketOf(clock.now() - rememberExpiredMs)
  let dropped = 0
  for (let shard = 0; shard < shardCount; shard++) {
    for (let after: InShard = { bucket: -1, hash: new Uint8Array(0) }; ; ) {
      const slice = await dropTokensBefore(database, { shard, bucket, after }, sliceRows)
      dropped += slice.length
      if (slice.length < sliceRows) break
      after = slice.toSorted((a, b) => a.bucket - b.bucket || Buffer.compare(a.hash, b.hash)).at(-1)!
    }
  }
  return dropped
}
