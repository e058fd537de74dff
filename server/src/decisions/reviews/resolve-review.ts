// POST /v1/decisions/{decisionId}/review: a reviewer approves or blocks a decision that a rule sent to REVIEW.

import type { ResolveReviewRequest, Review } from '@ringfence/contract'
import { Refusal } from '../../core/errors.ts'
import { ConditionFailed } from '../../core/storage/database.ts'
import { findRecord } from '../read.ts'
import { type DecisionRecord, reviewContext } from '../record/record.ts'
import type { DecisionsNeeds } from '../room.ts'
import type { DecisionKey } from '../store/decisions.ts'
import { reviewResolvedUpdate } from '../store/reviews.ts'
import { reviewMember } from './review.ts'

type Resources = Pick<DecisionsNeeds, 'database' | 'tenantKeyring' | 'compression' | 'clock' | 'settings' | 'events'>

/**
 * The first reviewer decides, and an event says so in the same commit. The same resolution by the same reviewer is a success. Refuses
 * with `reviewUnknown`, and with `reviewResolved`, which names the first reviewer.
 *
 * @param personId of a person in the console: refuses with `reviewAssigned` while another person works on it
 */
export async function resolveReview(
  { decisionId, outcome, by, note }: ResolveReviewRequest,
  { caller: { tenantId } }: { readonly caller: { readonly tenantId: string } },
  resources: Resources,
  personId?: string,
): Promise<Review> {
  const key = { tenantId, decisionId }
  const { database, tenantKeyring, clock, events } = resources
  const before = await reviewedDecision(key, resources)
  if (before.review!.state !== 'open') return alreadyResolved(before, { outcome, by })
  const keys = await tenantKeyring.keysOf(tenantId)
  const written = { by, note: note || undefined }
  const { userId, phoneNumber, email } = before.input
  const sealed = keys.seal(JSON.stringify(written), reviewContext(key))
  const happened = await events.statements(tenantId, [
    {
      type: 'decision.review.resolved',
      data: { decisionId, outcome, ...written, userId, phoneNumber },
      orderedBy: `decision ${decisionId}`,
      subjects: { userId, phoneNumber, email: email?.address },
      outcome,
    },
  ])
  try {
    await database.batch([
      reviewResolvedUpdate(key, {
        state: outcome,
        at: clock.now(),
        sealed,
        ...(personId !== undefined && { personId }),
      }),
      ...happened,
    ])
  } catch (error) {
    if (!(error instanceof ConditionFailed)) throw error
    const present = await reviewedDecision(key, resources)
    if (present.review!.state === 'open') throw new Refusal('reviewAssigned', { mistake: 'read it again' })
    return alreadyResolved(present, { outcome, by })
  }
  return reviewMember(await reviewedDecision(key, resources))
}

/** Refuses with `reviewUnknown`. */
export async function reviewedDecision(key: DecisionKey, resources: Resources): Promise<DecisionRecord> {
  const found = await findRecord(key, resources)
  if (!found?.record.review) throw new Refusal('reviewUnknown')
  return found.record
}

/** The same again is a success. */
export function alreadyResolved(
  record: DecisionRecord,
  sent: { readonly outcome: ResolveReviewRequest['outcome'] | undefined; readonly by: string },
): Review {
  const { state, by, resolvedAt } = record.review!
  if (state === sent.outcome && by === sent.by) return reviewMember(record)
  throw new Refusal('reviewResolved', { mistake: `${state} by ${by} at ${resolvedAt}` })
}
