// /admin/v1/reviews…: people share the queue.

import {
  type AdminListReviewsRequest,
  type AdminResolveReviewRequest,
  type AskForChallengeRequest,
  type AssignReviewRequest,
  type CommentReviewRequest,
  type DiscussedReview,
  type NoFields,
  type QueuedReviews,
  type ReadReviewRequest,
  type Review,
  type ReviewDeadline,
  type Reviewers,
  reviewComments,
} from '@ringfence/contract'
import { openCursor, sealCursor } from '../../core/crypto/cursor.ts'
import { Refusal } from '../../core/errors.ts'
import { uuidBytes } from '../../core/storage/uuid.ts'
import { decidedSince } from '../../decisions/record/retention.ts'
import { askForChallenge } from '../../decisions/reviews/ask-challenge.ts'
import { openComments, sealComments } from '../../decisions/reviews/comments.ts'
import { deadlineOf, hourMs } from '../../decisions/reviews/deadline.ts'
import { resolveReview } from '../../decisions/reviews/resolve-review.ts'
import { moveReviewDeadlines } from '../../decisions/store/deadlines.ts'
import {
  assignReview,
  type DuePlace,
  findReview,
  listOpenReviews,
  listResolvedReviews,
  putComments,
  putDueHours,
  type WorkedReview,
} from '../../decisions/store/review-work.ts'
import type { ActorCall } from '../call.ts'
import { asClient } from '../calls/as-client.ts'
import type { AdminNeeds } from '../room.ts'
import { reviewersOf } from './reviewers.ts'
import { discussedReview, foundReview, nameOfPerson, queuedReview, type Reader, readerOf } from './shown-review.ts'

/** Refuses with `personRequired` a client that asks for its own, and with `fieldInvalid` a filter of resolved reviews. */
export async function adminListReviews(
  { state = 'open', filter = 'all', limit = 20, cursor }: AdminListReviewsRequest,
  { actor }: ActorCall,
  needs: AdminNeeds,
): Promise<QueuedReviews> {
  const { database, tenantKeyring, clock, settings } = needs
  const { tenantId, session } = actor
  if (filter === 'mine' && !session) throw new Refusal('personRequired')
  if (filter !== 'all' && state !== 'open')
    throw new Refusal('fieldInvalid', { mistake: `filter ${filter} needs state open` })
  const keys = await tenantKeyring.keysOf(tenantId)
  const filters = { reviews: state, filter, ...(filter === 'mine' && { of: session!.personId }) }
  const after = cursor === undefined ? undefined : openCursor(cursor, filters, keys)
  const reader = await readerOf(actor, needs)
  const page = { since: decidedSince(clock.now(), settings), limit: limit + 1 }
  const open = {
    tenantId,
    isWaiting: filter === 'waiting',
    ...(filter === 'mine' && { assignee: session!.personId }),
    ...(filter === 'unassigned' && { assignee: null }),
    usualMs: reader.deadline.usualMs,
    ...(filter === 'overdue' && { dueBefore: clock.now() }),
  }
  const rows =
    state === 'open'
      ? await listOpenReviews(database, open, { ...page, after: after && placeOf(after) })
      : await listResolvedReviews(database, { tenantId, state }, { ...page, after })
  const shown = rows.slice(0, limit)
  const last = shown.at(-1)
  return {
    reviews: await Promise.all(shown.map((row) => queuedReview(row, reader, needs))),
    ...(rows.length > limit &&
      last && { nextCursor: sealCursor(cursorOf(last, state === 'open', reader), filters, keys) }),
    dueHours: reader.deadline.hours,
  }
}

/** Where the next page begins: open reviews are in the order of their deadlines. */
function cursorOf(row: WorkedReview, isOpen: boolean, { deadline }: Reader): Uint8Array {
  const id = uuidBytes(row.decisionId)
  if (!isOpen) return id
  const due = Buffer.alloc(8)
  due.writeDoubleBE(deadline.dueAt(row))
  return Buffer.concat([due, id])
}

const placeOf = (cursor: Uint8Array): DuePlace => ({
  dueAt: Buffer.from(cursor).readDoubleBE(),
  id: cursor.subarray(8),
})

export const adminReadReview = (
  { decisionId }: ReadReviewRequest,
  { actor }: ActorCall,
  needs: AdminNeeds,
): Promise<DiscussedReview> => discussedReview(decisionId, actor, needs)

/** Refuses with `reviewAssigned`, `reviewResolved`, `reviewerUnknown` and `reviewUnknown`. */
export async function adminAssignReview(
  { decisionId, personId, insteadOf }: AssignReviewRequest,
  { actor }: ActorCall,
  needs: AdminNeeds,
): Promise<DiscussedReview> {
  const { database, clock, settings } = needs
  const key = { tenantId: actor.tenantId, decisionId }
  const reviewers = await reviewersOf(actor.tenantId, needs)
  if (personId !== undefined && !reviewers.some((each) => each.personId === personId))
    throw new Refusal('reviewerUnknown')
  const change = { assignee: personId ?? null, insteadOf: insteadOf ?? null, at: clock.now() }
  const since = decidedSince(clock.now(), settings)
  const instead = await database.transaction(async (tx) =>
    (await assignReview(tx, key, change)) ? undefined : ((await findReview(tx, key, since)) ?? null),
  )
  if (instead === null) throw new Refusal('reviewUnknown')
  if (instead && instead.review !== 'open') throw new Refusal('reviewResolved', { mistake: instead.review! })
  if (instead && instead.assignee !== change.assignee) {
    const { assignee } = instead
    const mistake = assignee === null ? 'nobody has it any more' : `${await nameOfPerson(assignee, needs)} has it`
    throw new Refusal('reviewAssigned', { mistake })
  }
  return discussedReview(decisionId, actor, needs)
}

/** Refuses with `limitReached` and `reviewUnknown`. Of two comments at the same time none is lost. */
export async function adminCommentReview(
  { decisionId, comment }: CommentReviewRequest,
  { actor }: ActorCall,
  needs: AdminNeeds,
): Promise<DiscussedReview> {
  const { database, tenantKeyring, clock } = needs
  const key = { tenantId: actor.tenantId, decisionId }
  const keys = await tenantKeyring.keysOf(key.tenantId)
  const { session, name } = actor
  const added = { ...(session && { personId: session.personId }), name, at: clock.now(), comment: comment.trim() }
  await database.transaction(async (tx) => {
    for (;;) {
      const { sealedComments, commentCount } = await foundReview(tx, key, needs)
      const comments = openComments(sealedComments, key, keys)
      if (comments.length >= reviewComments.most)
        throw new Refusal('limitReached', { mistake: `${reviewComments.most} comments on a review` })
      const sealed = sealComments([...comments, added], key, keys)
      if (await putComments(tx, key, { before: commentCount ?? 0, sealed })) return
    }
  })
  return discussedReview(decisionId, actor, needs)
}

export async function adminListReviewers(_: NoFields, { actor }: ActorCall, needs: AdminNeeds): Promise<Reviewers> {
  const reviewers = await reviewersOf(actor.tenantId, needs)
  return { reviewers: reviewers.map((each) => ({ ...each, isYou: each.personId === actor.session?.personId })) }
}

export async function adminSetReviewDeadline(
  { dueHours }: ReviewDeadline,
  { actor }: ActorCall,
  { database }: AdminNeeds,
): Promise<ReviewDeadline> {
  const { tenantId } = actor
  await database.transaction(async (tx) => {
    const before = await deadlineOf(tx, tenantId)
    await putDueHours(tx, tenantId, dueHours)
    await moveReviewDeadlines(tx, tenantId, (dueHours - before.hours) * hourMs)
  })
  return { dueHours }
}

/** Refuses with `reviewAssigned` a person while another one works on it. A client key decides in any case, as a backend does. */
export async function adminResolveReview(
  body: AdminResolveReviewRequest,
  call: ActorCall,
  needs: AdminNeeds,
): Promise<Review> {
  return namingAssignee(body.decisionId, call, needs, () =>
    resolveReview({ ...body, by: call.actor.name }, asClient(call), needs, call.actor.session?.personId),
  )
}

/** The same for a challenge. Also refuses with `challengeNotPossible`. */
export async function adminAskForChallenge(
  body: AskForChallengeRequest,
  call: ActorCall,
  needs: AdminNeeds,
): Promise<Review> {
  return namingAssignee(body.decisionId, call, needs, () =>
    askForChallenge({ ...body, by: call.actor.name }, asClient(call), needs, call.actor.session?.personId),
  )
}

async function namingAssignee(
  decisionId: string,
  { actor: { tenantId } }: ActorCall,
  needs: AdminNeeds,
  act: () => Promise<Review>,
): Promise<Review> {
  try {
    return await act()
  } catch (error) {
    if (!(error instanceof Refusal && error.failure === 'reviewAssigned')) throw error
    const { assignee } = await foundReview(needs.database, { tenantId, decisionId }, needs)
    if (assignee === null) throw error
    throw new Refusal('reviewAssigned', { mistake: `${await nameOfPerson(assignee, needs)} has it` })
  }
}
