// Until when should a review be resolved? Some hours after its decision, the same for all reviews of a tenant.

import { reviewHours } from '@ringfence/contract'
import type { Queryable } from '../../core/storage/database.ts'
import { findDueHours } from '../store/review-work.ts'

const hourMs = 3_600_000

export interface Deadline {
  readonly hours: number
  /** Epoch milliseconds: open reviews of decisions before this moment are overdue. */
  overdueBefore(now: number): number
  /** Epoch milliseconds. */
  dueAt(decidedAt: number): number
}

export async function deadlineOf(database: Queryable, tenantId: string): Promise<Deadline> {
  const hours = (await findDueHours(database, tenantId)) ?? reviewHours.default
  return {
    hours,
    overdueBefore: (now) => now - hours * hourMs,
    dueAt: (decidedAt) => decidedAt + hours * hourMs,
  }
}
