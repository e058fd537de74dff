// Which decisions were made? Found by id, or by the Idempotency-Key of their request.

import type { BatchStatement, Queryable } from '../../core/storage/database.ts'
import { lowestIdAt } from '../../core/storage/ids/event-id.ts'
import { dfrIdBytes, tenantHash } from '../../core/storage/short-keys.ts'
import { uuidBytes, uuidText } from '../../core/storage/uuid.ts'

export type ReviewState = 'open' | 'approved' | 'blocked'

export interface DecisionKey {
  tenantId: string
  /** A UUID. */
  decisionId: string
}

/** What a decision is about: 8 bytes of keyed hashes (events/subject-hashes.ts); null where unknown. */
export interface DecisionSubjectHashes {
  readonly userHash: Uint8Array | null
  readonly numberHash: Uint8Array | null
  readonly emailHash: Uint8Array | null
  readonly deviceHash: Uint8Array | null
  readonly mailboxHash: Uint8Array | null
}

export interface StoredDecision extends DecisionKey {
  /** Of the request. */
  bodyHash: Uint8Array
  /** Epoch milliseconds. */
  decidedAt: number
  /** The report of its device; null without one. */
  dfrId: string | null
  challengePassedAt: number | null
  /** When its end was noticed; null: it has not ended, or was passed. */
  challengeExpiredAt: number | null
  /** When a reviewer asked for its challenge; null: nobody did. */
  challengeAskedAt: number | null
  sealedChallenge: Uint8Array | null
  /** Null when no rule sent it to REVIEW. */
  review: ReviewState | null
  reviewedAt: number | null
  /** When its rule wants it resolved; null: the deadline of reviews holds. */
  reviewDueAt: number | null
  /** When it was noticed that it is overdue. */
  reviewOverdueAt: number | null
  /** Author and note of the reviewer; null while the review is open. */
  sealedReview: Uint8Array | null
  sealed: Uint8Array
}

/** What happens after its commit. */
export type LaterOfDecision = Pick<
  StoredDecision,
  | 'challengePassedAt'
  | 'challengeExpiredAt'
  | 'challengeAskedAt'
  | 'sealedChallenge'
  | 'review'
  | 'reviewedAt'
  | 'reviewOverdueAt'
  | 'sealedReview'
>

/** Fails with a UniqueViolation when the tenant has a decision with this `idempotencyHash`. */
export const decisionInsert = ({
  tenantId,
  decisionId,
  idempotencyHash,
  bodyHash,
  decidedAt,
  dfrId,
  isReviewed,
  reviewDueAt = null,
  subjects,
  sealed,
}: Omit<StoredDecision, keyof LaterOfDecision | 'reviewDueAt'> & {
  readonly reviewDueAt?: number | null
  /** Whether a person has to look at it. */
  readonly isReviewed: boolean
  readonly idempotencyHash: Uint8Array | null
  readonly subjects: DecisionSubjectHashes
}): BatchStatement => ({
  sql: `insert into decision (tenant_hash, decision_id, idempotency_hash, body_hash, decided_at, dfr_id, sealed, review,
                              review_due_at, user_hash, number_hash, email_hash, device_hash, mailbox_hash)
        values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14)`,
  params: [
    tenantHash(tenantId),
    uuidBytes(decisionId),
    idempotencyHash,
    bodyHash,
    decidedAt,
    dfrId === null ? null : dfrIdBytes(dfrId),
    sealed,
    isReviewed ? 'open' : null,
    reviewDueAt,
    subjects.userHash,
    subjects.numberHash,
    subjects.emailHash,
    subjects.deviceHash,
    subjects.mailboxHash,
  ],
})

/** Of a row as `decisionOf` reads it. */
export const decisionColumns = `decision_id as "id", body_hash as "bodyHash", decided_at as "decidedAt",
                 dfr_id as "dfrId", challenge_passed_at as "challengePassedAt",
                 challenge_expired_at as "challengeExpiredAt", challenge_asked_at as "challengeAskedAt",
                 sealed_challenge as "sealedChallenge", sealed,
                 review, reviewed_at as "reviewedAt", review_due_at as "reviewDueAt",
                 review_overdue_at as "reviewOverdueAt", sealed_review as "sealedReview"`

export type FoundRow = Omit<StoredDecision, keyof DecisionKey | 'dfrId'> & { id: Uint8Array; dfrId: Uint8Array | null }
export const decisionOf = ({ id, dfrId, ...row }: FoundRow, tenantId: string): StoredDecision => ({
  ...row,
  tenantId,
  decisionId: uuidText(id),
  dfrId: dfrId && Buffer.from(dfrId).toString('hex'),
})

/** Undefined when it is older than `since`. */
export async function findDecision(
  database: Queryable,
  { tenantId, decisionId }: DecisionKey,
  since: number,
): Promise<StoredDecision | undefined> {
  const [row] = await database.query<FoundRow>(
    `select ${decisionColumns} from decision where tenant_hash = $1 and decision_id = $2 and decided_at > $3`,
    [tenantHash(tenantId), uuidBytes(decisionId), since],
  )
  return row && decisionOf(row, tenantId)
}

export async function findDecisionByIdempotency(
  database: Queryable,
  tenantId: string,
  idempotencyHash: Uint8Array,
): Promise<StoredDecision | undefined> {
  const [row] = await database.query<FoundRow>(
    `select ${decisionColumns} from decision where tenant_hash = $1 and idempotency_hash = $2`,
    [tenantHash(tenantId), idempotencyHash],
  )
  return row && decisionOf(row, tenantId)
}

/** A condition: fails when the challenge was passed before, or its end was noticed. */
export const challengePassedUpdate = ({ tenantId, decisionId }: DecisionKey, at: number): BatchStatement => ({
  sql: `update decision set challenge_passed_at = $3
         where tenant_hash = $1 and decision_id = $2 and challenge_passed_at is null and challenge_expired_at is null
        returning 1 as stored`,
  params: [tenantHash(tenantId), uuidBytes(decisionId), at],
  required: true,
})

/** A condition: fails when a sign-in failed before, and when the challenge is not open any more. */
export const challengeFailedUpdate = ({ tenantId, decisionId }: DecisionKey, at: number): BatchStatement => ({
  sql: `update decision set challenge_failed_at = $3
         where tenant_hash = $1 and decision_id = $2 and challenge_failed_at is null and challenge_passed_at is null
               and challenge_expired_at is null returning 1 as stored`,
  params: [tenantHash(tenantId), uuidBytes(decisionId), at],
  required: true,
})

/** A condition: fails when the challenge was passed, its end was noticed before, or a reviewer has resolved the decision. */
export const challengeExpiredUpdate = ({ tenantId, decisionId }: DecisionKey, at: number): BatchStatement => ({
  sql: `update decision set challenge_expired_at = $3
         where tenant_hash = $1 and decision_id = $2 and challenge_passed_at is null and challenge_expired_at is null
               and coalesce(review, 'open') = 'open' returning 1 as stored`,
  params: [tenantHash(tenantId), uuidBytes(decisionId), at],
  required: true,
})

/** What was decided of one device was decided of another one. */
export const decisionsMove = (tenantId: string, from: Uint8Array, to: Uint8Array): BatchStatement => ({
  sql: 'update decision set device_hash = $3 where device_hash = $2 and tenant_hash = $1',
  params: [tenantHash(tenantId), from, to],
})

/** The next decisions of a tenant after this one, in the order of their time, with what was decided. */
export async function decisionsAfter(
  database: Queryable,
  { tenantId, decisionId }: DecisionKey,
  { since, limit }: { since: number; limit: number },
): Promise<(DecisionKey & Pick<StoredDecision, 'decidedAt' | 'sealed'>)[]> {
  const rows = await database.query<{ id: Uint8Array; decidedAt: number; sealed: Uint8Array }>(
    `select decision_id as "id", decided_at as "decidedAt", sealed from decision
      where tenant_hash = $1 and decision_id > $2 and decided_at > $3 order by decision_id limit ${limit}`,
    [tenantHash(tenantId), uuidBytes(decisionId), since],
  )
  return rows.map(({ id, decidedAt, sealed }) => ({ tenantId, decisionId: uuidText(id), decidedAt, sealed }))
}

const beforeAll = '00000000-0000-0000-0000-000000000000'

/** The decision after which come this many, the newest ones. An id before all when there are fewer. */
export async function decisionBeforeNewest(database: Queryable, tenantId: string, newest: number): Promise<string> {
  const [row] = await database.query<{ id: Uint8Array }>(
    `select decision_id as "id" from decision where tenant_hash = $1 order by decision_id desc limit 1 offset ${newest}`,
    [tenantHash(tenantId)],
  )
  return row ? uuidText(row.id) : beforeAll
}

/** How many decisions a tenant has from this moment on. Ids begin with their time, so that the primary key alone is read. */
export async function decisionsSince(database: Queryable, tenantId: string, since: number): Promise<number> {
  const [row] = await database.query<{ decisions: number }>(
    'select count(*) as decisions from decision where tenant_hash = $1 and decision_id >= $2',
    [tenantHash(tenantId), lowestIdAt(since)],
  )
  return Number(row?.decisions ?? 0)
}

/** Deletes at most `limit` decisions from before this time. @returns how many */
export async function dropDecisionsBefore(database: Queryable, before: number, limit: number): Promise<number> {
  const dropped = await database.query(
    `delete from decision where (tenant_hash, decision_id) in
       (select tenant_hash, decision_id from decision where decided_at < $1 limit ${limit})
     returning 1 as dropped`,
    [before],
  )
  return dropped.length
}
