// When is an entry deleted? An hour after it expired or was removed, so that every server reads the removal; a deleted list at once.

import type { Core } from '../../core/core.ts'
import { dropDeletedList, dropEntriesBefore } from '../store/lists.ts'

/** Rows of a transaction, so that other writes do not wait long. */
const slice = 500
/** A server that did not look up a list for longer reads it again. */
const afterMs = 3_600_000

export async function dropEndedEntries({ database, clock }: Pick<Core, 'database' | 'clock'>): Promise<void> {
  const before = clock.now() - afterMs
  while ((await database.transaction((tx) => dropEntriesBefore(tx, before, slice))) >= slice);
  while (await database.transaction((tx) => dropDeletedList(tx, slice)));
}
