// How long does the store keep the nonces of agents? Until their signatures expire.

import type { Core } from '../core/core.ts'
import { dropNoncesBefore } from './store/agent-nonces.ts'

/** Small enough that other writes do not wait. */
const batchSize = 500

/** Deletes expired nonces, in batches. */
export async function dropNonces({ database, clock }: Pick<Core, 'database' | 'clock'>): Promise<void> {
  while ((await dropNoncesBefore(database, clock.now(), batchSize)) === batchSize);
}
