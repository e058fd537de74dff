// Which decisions are in the review queue, and who resolved them? The first reviewer decides.

import type { BatchStatement, Queryable, SqlValue } from '../../core/storage/database.ts'
import { lowestIdAt } from '../../core/storage/ids/event-id.ts'
import { tenantHash } from '../../core/storage/short-keys.ts'
import { uuidBytes } from '../../core/storage/uuid.ts'
import {
  type DecisionKey,
  decisionColumns,
  decisionOf,
  type FoundRow,
  type ReviewState,
  type StoredDecision,
} from './decisions.ts'

/** The decisions after `after` (16 bytes), at most `limit`: open ones oldest first, others newest first. */
export async function listReviewed(
  database: Queryable,
  { tenantId, state }: { tenantId: string; state: ReviewState },
  { after, since, limit }: { after: Uint8Array | undefined; since: number; limit: number },
): Promise<StoredDecision[]> {
  const isOpen = state === 'open'
  const params: SqlValue[] = [tenantHash(tenantId), state, since, ...(after ? [after] : [])]
  const rows = await database.query<FoundRow>(
    `select ${decisionColumns} from decision
      where tenant_hash = $1 and review = $2 and decided_at > $3 ${after ? `and decision_id ${isOpen ? '>' : '<'} $4` : ''}
      order by decision_id ${isOpen ? 'asc' : 'desc'} limit ${limit}`,
    params,
  )
  return rows.map((row) => decisionOf(row, tenantId))
}

/** A condition: fails when the review is not open any more, or with `personId` when another person works on it. */
export const reviewResolvedUpdate = (
  { tenantId, decisionId }: DecisionKey,
  { state, at, sealed, personId }: { state: 'approved' | 'blocked'; at: number; sealed: Uint8Array; personId?: string },
): BatchStatement => ({
  sql: `update decision set review = $3, reviewed_at = $4, sealed_review = $5
         where tenant_hash = $1 and decision_id = $2 and review = 'open'${
           personId === undefined ? '' : ' and (review_assignee is null or review_assignee = $6)'
         } returning 1 as stored`,
  params: [
    ...[tenantHash(tenantId), uuidBytes(decisionId), state, at, sealed],
    ...(personId === undefined ? [] : [personId]),
  ],
  required: true,
})

/** A condition: fails when the review is not open any more, somebody asked before, or with `personId` when another person works on it. */
export const challengeAskedUpdate = (
  { tenantId, decisionId }: DecisionKey,
  { at, sealed, personId }: { at: number; sealed: Uint8Array; personId?: string },
): BatchStatement => ({
  sql: `update decision set challenge_asked_at = $3, sealed_challenge = $4
         where tenant_hash = $1 and decision_id = $2 and review = 'open' and challenge_asked_at is null${
           personId === undefined ? '' : ' and (review_assignee is null or review_assignee = $5)'
         } returning 1 as stored`,
  params: [...[tenantHash(tenantId), uuidBytes(decisionId), at, sealed], ...(personId === undefined ? [] : [personId])],
  required: true,
})

/** A condition, in place of `challengePassedUpdate`: fails too when a reviewer has resolved the decision. */
export const challengeApprovesUpdate = (
  { tenantId, decisionId }: DecisionKey,
  { at, sealed }: { at: number; sealed: Uint8Array },
): BatchStatement => ({
  sql: `update decision set challenge_passed_at = $3, review = 'approved', reviewed_at = $3, sealed_review = $4
         where tenant_hash = $1 and decision_id = $2 and review = 'open' and challenge_passed_at is null
               and challenge_expired_at is null returning 1 as stored`,
  params: [tenantHash(tenantId), uuidBytes(decisionId), at, sealed],
  required: true,
})

/** A condition: fails when it is not open any more, and when it was noticed before. */
export const reviewOverdueUpdate = ({ tenantId, decisionId }: DecisionKey, at: number): BatchStatement => ({
  sql: `update decision set review_overdue_at = $3
         where tenant_hash = $1 and decision_id = $2 and review = 'open' and review_overdue_at is null returning 1 as stored`,
  params: [tenantHash(tenantId), uuidBytes(decisionId), at],
  required: true,
})

/** Open reviews that are found, and read in the order of their deadlines: `dueAt` and `addedMs` are the deadline. */
interface DuePart {
  readonly is: string
  readonly dueAt: string
  readonly addedMs: number
}

/** Those with a deadline of their rule, and the others: each part has an index in its order. */
export const dueParts = (usualMs: number): readonly DuePart[] => [
  { is: 'review_due_at is not null', dueAt: 'review_due_at', addedMs: 0 },
  { is: 'review_due_at is null', dueAt: 'decided_at', addedMs: usualMs },
]
/** Both, in no order that an index has. */
export const anyDue = (usualMs: number): DuePart => ({
  is: '1 = 1',
  dueAt: `coalesce(review_due_at - ${usualMs}, decided_at)`,
  addedMs: usualMs,
})

/** It waits for the challenge that a reviewer asked for, and for no reviewer. */
export const waitingSql =
  'challenge_asked_at is not null and challenge_passed_at is null and challenge_expired_at is null'

/** How many reviews are open, of them those that were due before `due.before`, counted up to `most`. */
export async function countOpenReviews(
  database: Queryable,
  tenantId: string,
  { since, due, most }: { readonly since: number; readonly due?: Due | undefined; readonly most: number },
): Promise<number> {
  const conditions = due
    ? dueParts(due.usualMs).map(({ is, dueAt, addedMs }) => ({
        sql: `and ${is} and ${dueAt} <= $3 and not (${waitingSql})`,
        params: [due.before - addedMs],
      }))
    : [{ sql: '', params: [] }]
  const counts = await Promise.all(
    conditions.map(({ sql, params }) =>
      database.query<{ open: number }>(
        `select cast(count(*) as integer) as open from (
           select 1 as one from decision where tenant_hash = $1 and review = 'open' and decision_id >= $2
            ${sql} limit ${most}) as found`,
        [tenantHash(tenantId), lowestIdAt(since), ...params],
      ),
    ),
  )
  return Math.min(
    most,
    counts.reduce((sum, [row]) => sum + (row?.open ?? 0), 0),
  )
}

export interface Due {
  /** How long reviewers have where the rule says nothing, in milliseconds. */
  readonly usualMs: number
  /** Epoch milliseconds. */
  readonly before: number
}
