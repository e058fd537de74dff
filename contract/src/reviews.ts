// Which decisions does a person have to look at? Those that rules sent to REVIEW, and how they were resolved.

import Type, { type Static } from 'typebox'
import { closed, time } from './schema-parts.ts'

export const reviewStates = ['open', 'approved', 'blocked'] as const

const resolution = {
  by: Type.Optional(Type.String({ description: 'Who resolved it; absent while it is open' })),
  note: Type.Optional(Type.String({ description: 'The note of the reviewer' })),
  resolvedAt: Type.Optional(time('When it was resolved; absent while it is open')),
}

/** `review` of a decision. */
export const DecisionReview = Type.Object(
  { state: Type.Enum([...reviewStates]), ...resolution },
  { $id: 'DecisionReview', ...closed, description: 'The review of a decision whose action is REVIEW' },
)
export type DecisionReview = Static<typeof DecisionReview>

const DecisionId = Type.String({
  pattern: '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$',
  description: 'decisionId of a decision',
})

const ReviewChallenge = Type.Object(
  {
    state: Type.Enum(['open', 'passed', 'expired'], {
      description: 'open: the review waits for it. expired: it waits for a reviewer again, unless it is resolved',
    }),
    by: Type.String({ description: 'Who asked for it' }),
    note: Type.Optional(Type.String({ description: 'Why' })),
    askedAt: time('When'),
    expiresAt: time('Until when it can be passed'),
  },
  { $id: 'ReviewChallenge', ...closed, description: 'The challenge that a reviewer asked for' },
)

export const Review = Type.Object(
  {
    decisionId: Type.String({ description: 'The decision; read all of it with this id' }),
    createdAt: time('When the decision was made'),
    state: Type.Enum([...reviewStates]),
    ...resolution,
    challenge: Type.Optional(ReviewChallenge),
    operation: Type.Optional(Type.String({ description: 'The `action` of the request, such as PAYMENT' })),
    score: Type.Number({ description: '0 to 100' }),
    verdict: Type.String({
      description: 'The verdict of the decision: why it waits, what was not known, and what would have changed it',
    }),
    reasons: Type.Array(Type.String(), { description: 'Codes of the reasons, strongest first' }),
    rules: Type.Array(Type.String(), { description: 'Ids of the rules that fired' }),
    ruleName: Type.Optional(
      Type.String({
        description: 'Name of the rule that sent it to review; absent for decisions of an earlier version of Ringfence',
      }),
    ),
    userId: Type.Optional(Type.String({ description: 'Your id of the user' })),
    phoneNumber: Type.Optional(Type.String({ description: 'Digits with country code' })),
  },
  { $id: 'Review', ...closed, description: 'A decision in the review queue' },
)
export type Review = Static<typeof Review>

export const ListReviewsRequest = Type.Object(
  {
    state: Type.Optional(
      Type.Enum([...reviewStates], {
        default: 'open',
        description: 'Open ones come oldest first, others newest first',
      }),
    ),
    limit: Type.Optional(
      Type.Integer({ minimum: 1, maximum: 100, default: 20, description: 'How many reviews a page has at most' }),
    ),
    cursor: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 200,
        pattern: '^[A-Za-z0-9_-]+$',
        description: 'nextCursor of the page before; send the same state',
      }),
    ),
  },
  { $id: 'ListReviewsRequest' },
)
export type ListReviewsRequest = Static<typeof ListReviewsRequest>

export const Reviews = Type.Object(
  {
    reviews: Type.Array(Review),
    nextCursor: Type.Optional(Type.String({ description: 'Where the next page begins; absent on the last page' })),
  },
  { $id: 'Reviews', ...closed, description: 'A page of the review queue' },
)
export type Reviews = Static<typeof Reviews>

export const ResolveReviewRequest = Type.Object(
  {
    decisionId: DecisionId,
    outcome: Type.Enum(['approved', 'blocked'], { description: 'What the reviewer decided' }),
    by: Type.String({ minLength: 1, maxLength: 128, description: 'Who decided' }),
    note: Type.Optional(Type.String({ maxLength: 2000, description: 'Why, for other reviewers' })),
  },
  { $id: 'ResolveReviewRequest' },
)
export type ResolveReviewRequest = Static<typeof ResolveReviewRequest>
