// Which batches does the service delete? Those that have expired, with their numbers and results.

import type { Core } from '../../core/core.ts'
import { deleteBatch, expiredBatches } from '../store/batches.ts'

const slice = 20

export async function dropBatches({ database, clock }: Pick<Core, 'database' | 'clock'>): Promise<void> {
  for (let dropped = slice; dropped === slice; ) {
    const expired = await expiredBatches(database, clock.now(), slice)
    for (const { tenantId, id } of expired) await deleteBatch(database, tenantId, id)
    dropped = expired.length
  }
}
