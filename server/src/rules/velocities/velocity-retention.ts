// How long does the store keep what velocities counted? Until it has left its window.

import type { Clock } from '../../clock.ts'
import type { Database } from '../../storage/database.ts'
import { dropCountsThatLeft } from '../../storage/rules/velocity-counts.ts'

/** Small enough that other writes do not wait. */
const sliceSize = 500

/** Deletes what has left its window, in slices. Returns how many rows. */
export async function dropVelocityCounts({ database, clock }: { database: Database; clock: Clock }): Promise<number> {
  const now = clock.now()
  let dropped = 0
  let last: number
  do {
    last = await dropCountsThatLeft(database, now, sliceSize)
    dropped += last
  } while (last === sliceSize)
  return dropped
}
