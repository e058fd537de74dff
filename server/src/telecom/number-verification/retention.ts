// How long does the store keep a Number Verification after it expires? One hour, so that a late caller learns why it failed.

import type { Core } from '../../core/core.ts'
import { dropVerificationsBefore } from '../store/number-verifications.ts'

const retentionMs = 3_600_000

/** Small enough that other writes do not wait. */
const batchSize = 500

/** Deletes those that expired an hour ago, in batches. */
export async function dropExpiredVerifications({ database, clock }: Pick<Core, 'database' | 'clock'>): Promise<void> {
  while ((await dropVerificationsBefore(database, clock.now() - retentionMs, batchSize)) === batchSize);
}
