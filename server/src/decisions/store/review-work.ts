// Who works on which review, until when, and what did reviewers write? The first one to take a review has it.

import type { Queryable, SqlValue } from '../../core/storage/database.ts'
import { tenantHash } from '../../core/storage/short-keys.ts'
import { uuidBytes } from '../../core/storage/uuid.ts'
import { type DecisionKey, decisionColumns, decisionOf, type FoundRow, type StoredDecision } from './decisions.ts'
import { anyDue, dueParts, waitingSql } from './reviews.ts'

export interface ReviewWork {
  /** A person id; null: nobody. */
  readonly assignee: string | null
  readonly assignedAt: number | null
  /** Null: none yet. */
  readonly commentCount: number | null
}

export type WorkedReview = StoredDecision & ReviewWork

const columns = `${decisionColumns}, review_assignee as "assignee", review_assigned_at as "assignedAt",
                 review_comments as "commentCount"`

const workedOf = (row: FoundRow & ReviewWork, tenantId: string): WorkedReview => ({
  ...decisionOf(row, tenantId),
  assignee: row.assignee,
  assignedAt: row.assignedAt,
  commentCount: row.commentCount,
})

/** Of the last row of a page. */
export interface DuePlace {
  /** Epoch milliseconds. */
  readonly dueAt: number
  readonly id: Uint8Array
}

export interface OpenReviews {
  readonly tenantId: string
  /** Only those of this person; null: of nobody. */
  readonly assignee?: string | null
  /** Those that wait for the challenge that a reviewer asked for, or the others. */
  readonly isWaiting: boolean
  readonly usualMs: number
  /** Only those that were due then. */
  readonly dueBefore?: number | undefined
}

/** The open reviews after `after`, what is due first first, at most `limit`. */
export async function listOpenReviews(
  database: Queryable,
  { tenantId, assignee, isWaiting, usualMs, dueBefore }: OpenReviews,
  { after, since, limit }: { after: DuePlace | undefined; since: number; limit: number },
): Promise<WorkedReview[]> {
  // Few are of one person, and few wait: those are read whole and sorted.
  const parts = isWaiting || assignee ? [anyDue(usualMs)] : dueParts(usualMs)
  const found = await Promise.all(
    parts.map(async ({ is, dueAt, addedMs }) => {
      const params: SqlValue[] = [tenantHash(tenantId), since]
      const place = (value: SqlValue) => `$${params.push(value)}`
      const conditions = [
        is,
        isWaiting ? waitingSql : `not (${waitingSql})`,
        ...(assignee === null ? ['review_assignee is null'] : []),
        ...(assignee ? [`review_assignee = ${place(assignee)}`] : []),
        ...(dueBefore === undefined ? [] : [`${dueAt} <= ${place(dueBefore - addedMs)}`]),
        ...(after ? [`(${dueAt}, decision_id) > (${place(after.dueAt - addedMs)}, ${place(after.id)})`] : []),
      ]
      return database.query<FoundRow & ReviewWork>(
        `select ${columns} from decision
          where tenant_hash = $1 and review = 'open' and decided_at > $2 and ${conditions.join(' and ')}
          order by ${dueAt}, decision_id limit ${limit}`,
        params,
      )
    }),
  )
  const dueAt = ({ reviewDueAt, decidedAt }: FoundRow) => Number(reviewDueAt ?? Number(decidedAt) + usualMs)
  return found
    .flat()
    .sort((a, b) => dueAt(a) - dueAt(b) || Buffer.compare(a.id, b.id))
    .slice(0, limit)
    .map((row) => workedOf(row, tenantId))
}

/** The resolved reviews before `after` (16 bytes), newest first, at most `limit`. */
export async function listResolvedReviews(
  database: Queryable,
  { tenantId, state }: { tenantId: string; state: 'approved' | 'blocked' },
  { after, since, limit }: { after: Uint8Array | undefined; since: number; limit: number },
): Promise<WorkedReview[]> {
  const rows = await database.query<FoundRow & ReviewWork>(
    `select ${columns} from decision
      where tenant_hash = $1 and review = $2 and decided_at > $3 ${after ? 'and decision_id < $4' : ''}
      order by decision_id desc limit ${limit}`,
    [tenantHash(tenantId), state, since, ...(after ? [after] : [])],
  )
  return rows.map((row) => workedOf(row, tenantId))
}

/** Undefined when it is older than `since`, or no rule sent it to REVIEW. */
export async function findReview(
  database: Queryable,
  { tenantId, decisionId }: DecisionKey,
  since: number,
): Promise<(WorkedReview & { readonly sealedComments: Uint8Array | null }) | undefined> {
  const [row] = await database.query<FoundRow & ReviewWork & { sealedComments: Uint8Array | null }>(
    `select ${columns}, sealed_comments as "sealedComments" from decision
      where tenant_hash = $1 and decision_id = $2 and decided_at > $3 and review is not null`,
    [tenantHash(tenantId), uuidBytes(decisionId), since],
  )
  return row && { ...workedOf(row, tenantId), sealedComments: row.sealedComments }
}

/** False when the review is not open any more, or another person works on it than `insteadOf` (null: nobody). */
export async function assignReview(
  tx: Queryable,
  { tenantId, decisionId }: DecisionKey,
  { assignee, insteadOf, at }: { assignee: string | null; insteadOf: string | null; at: number },
): Promise<boolean> {
  const assigned = await tx.query(
    `update decision set review_assignee = $3, review_assigned_at = $4
      where tenant_hash = $1 and decision_id = $2 and review = 'open' and coalesce(review_assignee, '') = $5
      returning 1 as assigned`,
    [tenantHash(tenantId), uuidBytes(decisionId), assignee, assignee === null ? null : at, insteadOf ?? ''],
  )
  return assigned.length > 0
}

/** False when there are not as many comments as `before` any more. */
export async function putComments(
  tx: Queryable,
  { tenantId, decisionId }: DecisionKey,
  { before, sealed }: { before: number; sealed: Uint8Array },
): Promise<boolean> {
  const written = await tx.query(
    `update decision set review_comments = $3, sealed_comments = $4
      where tenant_hash = $1 and decision_id = $2 and review is not null and coalesce(review_comments, 0) = $5
      returning 1 as written`,
    [tenantHash(tenantId), uuidBytes(decisionId), before + 1, sealed, before],
  )
  return written.length > 0
}

/** Sealed comments of reviewers; null: none. */
export async function commentsOfDecision(
  database: Queryable,
  { tenantId, decisionId }: DecisionKey,
): Promise<Uint8Array | null> {
  const [row] = await database.query<{ sealed: Uint8Array | null }>(
    'select sealed_comments as sealed from decision where tenant_hash = $1 and decision_id = $2',
    [tenantHash(tenantId), uuidBytes(decisionId)],
  )
  return row?.sealed ?? null
}

/** Undefined: the tenant has not set it. */
export async function findDueHours(database: Queryable, tenantId: string): Promise<number | undefined> {
  const [row] = await database.query<{ dueHours: number }>(
    'select due_hours as "dueHours" from review_policy where tenant_id = $1',
    [tenantId],
  )
  return row && Number(row.dueHours)
}

export async function putDueHours(database: Queryable, tenantId: string, dueHours: number): Promise<void> {
  await database.query(
    `insert into review_policy (tenant_id, due_hours) values ($1, $2)
     on conflict (tenant_id) do update set due_hours = excluded.due_hours`,
    [tenantId, dueHours],
  )
}
