// What does a passed challenge do to the review that waits for it? It approves it, in the name of the reviewer who asked.

import type { BatchStatement } from '../../core/storage/database.ts'
import { orderOfDecision } from '../events.ts'
import { type AskedChallenge, type DecisionRecord, reviewContext } from '../record/record.ts'
import type { DecisionsNeeds } from '../room.ts'
import type { DecisionKey } from '../store/decisions.ts'
import { challengeApprovesUpdate } from '../store/reviews.ts'

/** For the commit of the challenge. It fails when a reviewer has resolved the decision meanwhile. */
export async function clearedReview(
  { tenantId, decisionId }: DecisionKey,
  { input: { userId, phoneNumber, email } }: DecisionRecord,
  { by }: AskedChallenge,
  now: number,
  { tenantKeyring, events }: Pick<DecisionsNeeds, 'tenantKeyring' | 'events'>,
): Promise<readonly BatchStatement[]> {
  const key = { tenantId, decisionId }
  const keys = await tenantKeyring.keysOf(tenantId)
  const written = { by, note: 'The challenge was passed' }
  const sealed = keys.seal(JSON.stringify(written), reviewContext(key))
  const state = 'approved'
  return [
    challengeApprovesUpdate(key, { at: now, sealed }),
    ...(await events.statements(tenantId, [
      {
        type: 'decision.review.resolved',
        data: { decisionId, outcome: state, ...written, userId, phoneNumber },
        orderedBy: orderOfDecision(decisionId),
        subjects: { userId, phoneNumber, email: email?.address },
        outcome: state,
      },
    ])),
  ]
}
