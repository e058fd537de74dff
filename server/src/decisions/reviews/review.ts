// How is a decision in the review queue shown?

import type { Decision, Review } from '@ringfence/contract'
import type { DecisionRecord } from '../record.ts'

/** `record.review` must be present. */
export function reviewMember({ answer, input, basis, review }: DecisionRecord): Review {
  const { decisionId, createdAt, score, verdict, reasons, rules } = JSON.parse(answer.text) as Decision
  const { action, userId, phoneNumber } = input
  return {
    decisionId,
    createdAt,
    ...review!,
    ...(action !== undefined && { operation: action }),
    score,
    verdict,
    reasons: reasons.map(({ code }) => code),
    rules: rules.fired,
    ...(basis.reviewRule !== undefined && { ruleName: basis.reviewRule }),
    ...(userId !== undefined && { userId }),
    ...(phoneNumber !== undefined && { phoneNumber }),
  }
}
