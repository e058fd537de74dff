// What does the console show of the review queue? Who works on which review, until when, and what reviewers wrote about it.

import Type, { type Static } from 'typebox'
import { ListReviewsRequest, ResolveReviewRequest, Review } from '../../reviews.ts'
import { closed, time } from '../../schema-parts.ts'
import { personal } from '../personal.ts'

export const reviewFilters = ['all', 'mine', 'unassigned', 'overdue', 'waiting'] as const

/** How many hours a tenant may give its reviewers; a decision is stored for much longer. */
export const reviewHours = { least: 1, most: 720, default: 24 } as const

/** Bounds of what reviewers write about one decision. */
export const reviewComments = { most: 50, longest: 1_000 } as const

export const AdminListReviewsRequest = Type.Object(
  {
    ...ListReviewsRequest.properties,
    filter: Type.Optional(
      Type.Enum([...reviewFilters], {
        default: 'all',
        description:
          'Only open reviews: assigned to you, assigned to nobody, past their deadline, or waiting for the challenge that a reviewer asked for. Those that wait are in no other list',
      }),
    ),
  },
  { $id: 'AdminListReviewsRequest' },
)
export type AdminListReviewsRequest = Static<typeof AdminListReviewsRequest>

/** Which params of a decision are in a row of the queue. */
export const reviewParams = { most: 8, longest: 64 } as const

const PersonId = Type.String({ pattern: '^[A-Za-z0-9_-]{1,64}$', description: 'personId of a person' })

export const Assignee = Type.Object(
  {
    personId: Type.String(),
    name: Type.Optional(Type.String({ description: 'Absent when the person has left the tenant' })),
    isYou: Type.Boolean(),
    since: time('When it was assigned'),
  },
  { $id: 'Assignee', ...closed, description: 'Who works on a review' },
)
export type Assignee = Static<typeof Assignee>

export const QueuedReview = Type.Interface(
  [Review],
  {
    params: Type.Optional(
      Type.Record(Type.String(), Type.Union([Type.Number(), Type.String(), Type.Boolean()]), {
        description: `Your own values that fit into a row: numbers and short texts, at most ${reviewParams.most}. Read the decision for all of them`,
      }),
    ),
    dueAt: time('When it should be resolved. Afterwards it is overdue: nothing decides it automatically'),
    isOverdue: Type.Boolean({ description: 'It is open, and its deadline has passed' }),
    assignee: Type.Optional(Assignee),
    commentCount: Type.Integer({ description: 'How many comments it has' }),
  },
  { $id: 'QueuedReview', ...closed, description: 'A decision in the review queue, and who works on it' },
)
export type QueuedReview = Static<typeof QueuedReview>

export const QueuedReviews = Type.Object(
  {
    reviews: Type.Array(QueuedReview),
    nextCursor: Type.Optional(Type.String({ description: 'Where the next page begins; absent on the last page' })),
    dueHours: Type.Integer({ description: 'How long reviewers have, in hours' }),
  },
  { $id: 'QueuedReviews', ...closed, description: 'A page of the review queue. What is overdue comes first' },
)
export type QueuedReviews = Static<typeof QueuedReviews>

const { decisionId } = ResolveReviewRequest.properties

export const ReadReviewRequest = Type.Object({ decisionId }, { $id: 'ReadReviewRequest' })
export type ReadReviewRequest = Static<typeof ReadReviewRequest>

export const ReviewComment = Type.Object(
  {
    by: Type.String({ description: 'Name of who wrote it' }),
    isYours: Type.Boolean(),
    at: time('When'),
    comment: personal('text', Type.String()),
  },
  { $id: 'ReviewComment', ...closed, description: 'What a reviewer wrote about a decision' },
)
export type ReviewComment = Static<typeof ReviewComment>

export const DiscussedReview = Type.Interface(
  [QueuedReview],
  { comments: Type.Array(ReviewComment, { description: 'Oldest first' }) },
  { $id: 'DiscussedReview', ...closed, description: 'A review with its comments' },
)
export type DiscussedReview = Static<typeof DiscussedReview>

export const AssignReviewRequest = Type.Object(
  {
    decisionId,
    personId: Type.Optional({ ...PersonId, description: 'Who works on it from now on; absent: nobody' }),
    insteadOf: Type.Optional({
      ...PersonId,
      description: 'Who works on it as far as you know; absent: nobody. When it is somebody else, nothing changes',
    }),
  },
  { $id: 'AssignReviewRequest' },
)
export type AssignReviewRequest = Static<typeof AssignReviewRequest>

export const CommentReviewRequest = Type.Object(
  {
    decisionId,
    comment: Type.String({
      minLength: 1,
      maxLength: reviewComments.longest,
      pattern: '\\S',
      description: 'For other reviewers. It is erased with the decision',
    }),
  },
  { $id: 'CommentReviewRequest' },
)
export type CommentReviewRequest = Static<typeof CommentReviewRequest>

export const Reviewers = Type.Object(
  {
    reviewers: Type.Array(
      Type.Object({ personId: Type.String(), name: Type.String(), isYou: Type.Boolean() }, closed),
      {
        description: 'By name',
      },
    ),
  },
  { $id: 'Reviewers', ...closed, description: 'The people who may resolve reviews' },
)
export type Reviewers = Static<typeof Reviewers>

export const ReviewDeadline = Type.Object(
  {
    dueHours: Type.Integer({
      minimum: reviewHours.least,
      maximum: reviewHours.most,
      description: 'How long reviewers have, in hours, from the decision on',
    }),
  },
  { $id: 'ReviewDeadline', ...closed, description: 'The deadline of reviews, also of those that are open' },
)
export type ReviewDeadline = Static<typeof ReviewDeadline>
