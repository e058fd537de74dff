// How do reviewers share the queue? They list it, take a review or give it to a colleague, and write to each other.

import { admin } from '../admin-endpoint.ts'
import { problem } from '../problem.ts'
import { NoFields } from '../session.ts'
import {
  AdminListReviewsRequest,
  AssignReviewRequest,
  CommentReviewRequest,
  DiscussedReview,
  QueuedReviews,
  ReadReviewRequest,
  ReviewDeadline,
  Reviewers,
} from './reviews.ts'

const tag = 'Console records'
const unknown = problem('There is no such decision, it has expired, or no rule sent it to REVIEW', 'review-unknown')

export const reviewWorkEndpoints = {
  listReviews: admin({
    method: 'GET',
    path: '/admin/v1/reviews',
    permission: 'reviews.read',
    tag,
    summary: 'List reviews',
    description:
      'Returns decisions that rules sent to REVIEW, with assignee and deadline: the open ones, in the order of their deadlines and so overdue ones first, or those that were approved or blocked, newest first.',
    request: AdminListReviewsRequest,
    answer: QueuedReviews,
  }),
  readReview: admin({
    method: 'GET',
    path: '/admin/v1/reviews/{decisionId}',
    permission: 'reviews.read',
    tag,
    summary: 'Read a review',
    description: 'Returns a review with its assignee, deadline and comments.',
    request: ReadReviewRequest,
    fieldFailures: { decisionId: 'reviewUnknown' },
    answer: DiscussedReview,
    refusals: { 404: unknown },
  }),
  assignReview: admin({
    method: 'POST',
    path: '/admin/v1/reviews/{decisionId}/assign',
    permission: 'reviews.resolve',
    tag,
    summary: 'Assign a review',
    description:
      'Assigns an open review to a person who may resolve it, or to nobody. Of two people who take it at the same time one gets it: the other gets 409 with who has it. Repeating it is a success.',
    request: AssignReviewRequest,
    fieldFailures: { decisionId: 'reviewUnknown', personId: 'reviewerUnknown' },
    answer: DiscussedReview,
    refusals: {
      404: unknown,
      409: problem(
        'Somebody else has it, or it is resolved, or the person may not resolve it',
        'review-assigned',
        'review-resolved',
        'reviewer-unknown',
      ),
    },
  }),
  commentReview: admin({
    method: 'POST',
    path: '/admin/v1/reviews/{decisionId}/comment',
    permission: 'reviews.resolve',
    tag,
    summary: 'Comment a review',
    description:
      'Adds a comment for other reviewers, also to a resolved review. A review has at most 50. The audit log says who commented, without the text: it is erased with the decision.',
    request: CommentReviewRequest,
    fieldFailures: { decisionId: 'reviewUnknown' },
    answer: DiscussedReview,
    refusals: { 404: unknown, 409: problem('The review has 50 comments', 'limit-reached') },
  }),
  listReviewers: admin({
    method: 'GET',
    path: '/admin/v1/reviewers',
    permission: 'reviews.resolve',
    tag,
    summary: 'List reviewers',
    description: 'Returns the people who can be assigned a review.',
    request: NoFields,
    answer: Reviewers,
  }),
  setReviewDeadline: admin({
    method: 'POST',
    path: '/admin/v1/review-deadline',
    permission: 'reviews.policy',
    tag,
    summary: 'Set the deadline of reviews',
    description:
      'Says how long reviewers have. An open review past its deadline is shown as overdue and stays open: nothing decides it automatically.',
    request: ReviewDeadline,
    answer: ReviewDeadline,
  }),
} as const
