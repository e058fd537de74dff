// How long is a decision stored? For DECISION_DAYS.

import type { Settings } from '../../core/config/settings.ts'
import type { Core } from '../../core/core.ts'
import { dropDecisionsBefore } from '../store/decisions.ts'

const dayMs = 86_400_000
/** Rows per statement, so that other writes do not wait long. */
const slice = 500

/** Decisions from this moment or earlier have expired. Epoch milliseconds. */
export const decidedSince = (now: number, { decisionDays }: Pick<Settings, 'decisionDays'>): number =>
  now - decisionDays * dayMs

/** Deletes expired decisions in slices. */
export async function dropExpiredDecisions({
  database,
  clock,
  settings,
}: Pick<Core, 'database' | 'clock' | 'settings'>): Promise<void> {
  const since = decidedSince(clock.now(), settings)
  while ((await dropDecisionsBefore(database, since, slice)) >= slice);
}
