// How long does the store keep a sign-in after it expires? One hour, so that a late caller learns why it failed.

import type { Core } from '../../core/core.ts'
import { dropCountsBefore } from '../../core/storage/message-counts.ts'
import { dropStartClaimsBefore } from '../../core/storage/start-claims.ts'
import { dropSignInsBefore } from '../store/sign-ins.ts'

const retentionMs = 3_600_000

/** Small enough that other writes do not wait. */
const batchSize = 500

/** Deletes sign-ins that expired an hour ago, claims of servers that died, and message counts of past periods, in batches. */
export async function dropExpiredSignIns({ database, clock }: Pick<Core, 'database' | 'clock'>): Promise<void> {
  const now = clock.now()
  while ((await dropSignInsBefore(database, now - retentionMs, batchSize)) === batchSize);
  await dropStartClaimsBefore(database, now)
  while ((await dropCountsBefore(database, now, batchSize)) === batchSize);
}
