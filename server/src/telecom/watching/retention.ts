// Which watches does the service delete? Those that have ended, and the counts of requests of earlier days.

import type { Core } from '../../core/core.ts'
import { dropEndedWatches, dropWatchRequestsBefore } from '../store/number-watches.ts'
import { dayMs } from './pace.ts'

const slice = 500

export async function dropWatches({ database, clock }: Pick<Core, 'database' | 'clock'>): Promise<void> {
  const now = clock.now()
  for (let dropped = slice; dropped === slice; ) dropped = await dropEndedWatches(database, now, slice)
  await dropWatchRequestsBefore(database, Math.floor(now / dayMs))
}
