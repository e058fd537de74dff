// How long does the store keep what velocities counted? Until at most an hour after it has left its window.

import type { Clock } from '../../core/clock.ts'
import type { Database } from '../../core/storage/database.ts'
import { dropVelocitiesBetween } from '../store/velocity-counts.ts'

/** Small enough that other writes do not wait. */
const sliceSize = 2_000
const minuteMs = 60_000
/** Each minute walks through this share of the keys, so an hour through all of them. */
const shares = 60

/** Deletes what has left its window, among the keys of this minute. */
export async function dropVelocityCounts({ database, clock }: { database: Database; clock: Clock }): Promise<void> {
  const now = clock.now()
  const share = Math.floor(now / minuteMs) % shares
  const to = startOf(share + 1)
  let from: Uint8Array | undefined = startOf(share)
  while (from) from = await dropVelocitiesBetween(database, { from, to }, now, sliceSize)
}

const afterAll = new Uint8Array(11).fill(255)

/** Keys are hashes, so their first bytes are spread evenly. */
function startOf(share: number): Uint8Array {
  if (share === shares) return afterAll
  const keyHash = Buffer.alloc(2)
  keyHash.writeUInt16BE(Math.floor((share * 65_536) / shares))
  return keyHash
}
