// How long does the store keep which assertions were used? Until they expire.

import type { Core } from '../core/core.ts'
import { dropAssertionsBefore } from './store/client-public-keys.ts'

/** Small enough that other writes do not wait. */
const batchSize = 500

/** Deletes expired assertions, in batches. */
export async function dropAssertions({ database, clock }: Pick<Core, 'database' | 'clock'>): Promise<void> {
  while ((await dropAssertionsBefore(database, clock.now(), batchSize)) === batchSize);
}
