// Until when should a review be resolved? Some hours after its decision: those of its rule, else the same for all reviews of a tenant.

import { reviewHours } from '@ringfence/contract'
import type { Queryable } from '../../core/storage/database.ts'
import type { StoredDecision } from '../store/decisions.ts'
import { findDueHours } from '../store/review-work.ts'

export const hourMs = 3_600_000

export interface Deadline {
  /** Where the rule says nothing. */
  readonly hours: number
  readonly usualMs: number
  /** Epoch milliseconds. */
  dueAt(decision: Pick<StoredDecision, 'decidedAt' | 'reviewDueAt'>): number
}

export async function deadlineOf(database: Queryable, tenantId: string): Promise<Deadline> {
  const hours = (await findDueHours(database, tenantId)) ?? reviewHours.default
  const usualMs = hours * hourMs
  return { hours, usualMs, dueAt: ({ decidedAt, reviewDueAt }) => reviewDueAt ?? decidedAt + usualMs }
}
