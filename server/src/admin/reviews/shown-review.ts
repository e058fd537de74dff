// How does the console show a review? With its deadline, and who works on it.

import { type DiscussedReview, type QueuedReview, reviewParams } from '@ringfence/contract'
import { Refusal } from '../../core/errors.ts'
import type { Queryable } from '../../core/storage/database.ts'
import { openDecision } from '../../decisions/record/record.ts'
import { decidedSince } from '../../decisions/record/retention.ts'
import { openComments } from '../../decisions/reviews/comments.ts'
import { type Deadline, deadlineOf } from '../../decisions/reviews/deadline.ts'
import { reviewMember } from '../../decisions/reviews/review.ts'
import type { DecisionKey } from '../../decisions/store/decisions.ts'
import { findReview, type WorkedReview } from '../../decisions/store/review-work.ts'
import type { Actor } from '../actor.ts'
import { isoTime } from '../calls/iso-time.ts'
import { openPerson } from '../people/person.ts'
import type { AdminNeeds } from '../room.ts'
import { findPerson } from '../store/people.ts'
import { reviewersOf } from './reviewers.ts'

export type ReviewResources = Pick<
  AdminNeeds,
  'database' | 'tenantKeyring' | 'keyring' | 'compression' | 'clock' | 'settings'
>

/** Who reads, with what is the same for all reviews of a page. */
export interface Reader {
  readonly actor: Actor
  readonly deadline: Deadline
  /** Names of the people who have a role in the tenant, by id. */
  readonly names: ReadonlyMap<string, string>
}

export async function queuedReview(
  row: WorkedReview,
  { actor, deadline, names }: Reader,
  { tenantKeyring, compression, clock }: ReviewResources,
): Promise<QueuedReview> {
  const { tenantId, decidedAt, review, assignee, assignedAt, commentCount } = row
  const record = openDecision(row, await tenantKeyring.keysOf(tenantId), compression)
  const dueAt = deadline.dueAt(row)
  const name = assignee === null ? undefined : names.get(assignee)
  return {
    ...reviewMember(record),
    ...rowParams(record.input.params),
    dueAt: isoTime(dueAt),
    isOverdue: review === 'open' && dueAt <= clock.now() && record.asked?.state !== 'open',
    ...(assignee !== null && {
      assignee: {
        personId: assignee,
        ...(name !== undefined && { name }),
        isYou: assignee === actor.session?.personId,
        since: isoTime(assignedAt ?? decidedAt),
      },
    }),
    commentCount: commentCount ?? 0,
  }
}

/** Those that a person reads at a glance; others are on the page of the decision. */
function rowParams(params: Readonly<Record<string, unknown>> = {}): Pick<QueuedReview, 'params'> {
  const isShort = ([name, value]: [string, unknown]): boolean =>
    name.length <= reviewParams.longest &&
    (typeof value === 'string' ? value.length <= reviewParams.longest : ['number', 'boolean'].includes(typeof value))
  const shown = Object.entries(params).filter(isShort).slice(0, reviewParams.most)
  return shown.length === 0 ? {} : { params: Object.fromEntries(shown) as QueuedReview['params'] & {} }
}

export async function readerOf(actor: Actor, resources: ReviewResources): Promise<Reader> {
  const [deadline, people] = await Promise.all([
    deadlineOf(resources.database, actor.tenantId),
    reviewersOf(actor.tenantId, resources),
  ])
  return { actor, deadline, names: new Map(people.map(({ personId, name }) => [personId, name])) }
}

/** Refuses with `reviewUnknown`. */
export async function foundReview(database: Queryable, key: DecisionKey, { clock, settings }: ReviewResources) {
  const row = await findReview(database, key, decidedSince(clock.now(), settings))
  if (!row) throw new Refusal('reviewUnknown')
  return row
}

/** With its comments. Refuses with `reviewUnknown`. */
export async function discussedReview(
  decisionId: string,
  actor: Actor,
  resources: ReviewResources,
): Promise<DiscussedReview> {
  const key = { tenantId: actor.tenantId, decisionId }
  const row = await foundReview(resources.database, key, resources)
  const keys = await resources.tenantKeyring.keysOf(key.tenantId)
  const comments = openComments(row.sealedComments, key, keys)
  return {
    ...(await queuedReview(row, await readerOf(actor, resources), resources)),
    comments: comments.map(({ personId, name, at, comment }) => ({
      by: name,
      isYours: personId !== undefined && personId === actor.session?.personId,
      at: isoTime(at),
      comment,
    })),
  }
}

/** What to call a person in a message. */
export async function nameOfPerson(
  personId: string,
  { database, keyring }: Pick<ReviewResources, 'database' | 'keyring'>,
): Promise<string> {
  const row = await findPerson(database, personId)
  return row ? openPerson(row, keyring).name : 'somebody who has left'
}
