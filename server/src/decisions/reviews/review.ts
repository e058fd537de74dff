// How is a decision in the review queue shown?

import type { Decision, Review } from '@ringfence/contract'
import type { AskedChallenge, DecisionRecord } from '../record/record.ts'

/** `record.review` must be present. */
export function reviewMember({ answer, input, basis, review, asked }: DecisionRecord): Review {
  const { decisionId, createdAt, score, verdict, reasons, rules } = JSON.parse(answer.text) as Decision
  const { action, userId, phoneNumber } = input
  return {
    decisionId,
    createdAt,
    ...review!,
    ...(asked && { challenge: askedMember(asked) }),
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

/** The challenge that a reviewer asked for. */
export const askedMember = ({ state, by, note, at, expiresAt }: AskedChallenge): NonNullable<Review['challenge']> => ({
  state,
  by,
  ...(note !== undefined && { note }),
  askedAt: new Date(at).toISOString(),
  expiresAt: new Date(expiresAt).toISOString(),
})
