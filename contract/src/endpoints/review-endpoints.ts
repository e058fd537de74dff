// How does a backend work through the review queue?

import { ListReviewsRequest, ResolveReviewRequest, Review, Reviews } from '../reviews.ts'
import { type Endpoint, everyClientCall, refused } from './endpoint.ts'

const reviews = {
  method: 'POST',
  caller: 'client',
  scope: 'reviews',
  errorFormat: 'telecom',
  tag: 'Reviews',
  accepted: 'Done',
} as const

const refusals = {
  ...everyClientCall,
  400: refused('A field is missing or wrong', 'field-invalid', 'invalid-json'),
} as const

export const reviewEndpoints = {
  listReviews: {
    ...reviews,
    path: '/v1/reviews/list',
    summary: 'List reviews',
    description: 'Returns decisions that rules sent to REVIEW: the open ones, or those that were approved or blocked.',
    request: ListReviewsRequest,
    answer: Reviews,
    refusals,
  },
  resolveReview: {
    ...reviews,
    path: '/v1/decisions/{decisionId}/review',
    summary: 'Resolve a review',
    description:
      'Approves or blocks a decision that a rule sent to REVIEW. The first reviewer decides: another outcome, or another reviewer, gets 409 with who resolved it. Repeating a call is a success.',
    request: ResolveReviewRequest,
    fieldFailures: { decisionId: 'reviewUnknown' },
    answer: Review,
    refusals: {
      ...refusals,
      404: refused(
        'There is no such decision of yours, it has expired, or no rule sent it to REVIEW',
        'review-unknown',
      ),
      409: refused('Another reviewer has resolved it', 'review-resolved'),
    },
  },
} as const satisfies Record<string, Endpoint>
