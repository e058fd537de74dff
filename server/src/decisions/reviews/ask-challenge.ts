// POST /admin/v1/decisions/{decisionId}/review/challenge: a reviewer lets the user sign in once more, instead of deciding alone.

import type { Decision, Review } from '@ringfence/contract'
import { Refusal } from '../../core/errors.ts'
import { ConditionFailed } from '../../core/storage/database.ts'
import type { KnownOfNumber } from '../../telecom/known-answers.ts'
import { askedChallengeMs, identityTypesFor } from '../challenge/identities.ts'
import { orderOfDecision } from '../events.ts'
import { codesReach, storedOfNumber } from '../parts/phone.ts'
import { type AskedChallenge, askedContext, type Challenge, type DecisionRecord } from '../record/record.ts'
import type { DecisionsNeeds } from '../room.ts'
import { deadlinePut } from '../store/deadlines.ts'
import { challengeAskedUpdate } from '../store/reviews.ts'
import { alreadyResolved, reviewedDecision } from './resolve-review.ts'
import { reviewMember } from './review.ts'

interface Asking {
  readonly decisionId: string
  readonly by: string
  readonly note?: string | undefined
}

/**
 * The case stays open and waits for the challenge; passing it approves the decision. Asked for once: the same call by the same reviewer is
 * a success. Refuses with `reviewUnknown`, `reviewResolved`, and `challengeNotPossible` when somebody asked before or nobody could pass.
 *
 * @param personId of a person in the console: refuses with `reviewAssigned` while another person works on it
 */
export async function askForChallenge(
  { decisionId, by, note }: Asking,
  { caller: { tenantId } }: { readonly caller: { readonly tenantId: string } },
  needs: DecisionsNeeds,
  personId?: string,
): Promise<Review> {
  const key = { tenantId, decisionId }
  const { database, tenantKeyring, clock, events } = needs
  const record = await reviewedDecision(key, needs)
  if (record.review!.state !== 'open') return alreadyResolved(record, { outcome: undefined, by })
  if (record.asked) return alreadyAsked(record, record.asked, by)
  const challenge = await passableBy(record, tenantId, needs)
  const at = clock.now()
  const { userId, phoneNumber, email } = record.input
  const asked = { ...challenge, by, ...(note && { note }) }
  const keys = await tenantKeyring.keysOf(tenantId)
  const expiresAt = new Date(challenge.expiresAt).toISOString()
  const { identityTypes } = challenge
  const happened = await events.statements(tenantId, [
    {
      type: 'decision.challenge.requested',
      data: { decisionId, by, note: note || undefined, identityTypes, expiresAt, userId, phoneNumber },
      orderedBy: orderOfDecision(decisionId),
      subjects: { userId, phoneNumber, email: email?.address },
      outcome: 'requested',
    },
  ])
  const sealed = keys.seal(JSON.stringify(asked), askedContext(key))
  try {
    await database.batch([
      challengeAskedUpdate(key, { at, sealed, ...(personId !== undefined && { personId }) }),
      deadlinePut(tenantId, { decisionId, kind: 'challenge', dueAt: challenge.expiresAt }),
      ...happened,
    ])
  } catch (error) {
    if (!(error instanceof ConditionFailed)) throw error
    const present = await reviewedDecision(key, needs)
    if (present.review!.state !== 'open') return alreadyResolved(present, { outcome: undefined, by })
    if (present.asked) return alreadyAsked(present, present.asked, by)
    throw new Refusal('reviewAssigned', { mistake: 'read it again' })
  }
  return reviewMember(await reviewedDecision(key, needs))
}

function alreadyAsked(record: DecisionRecord, { by, at, state }: AskedChallenge, caller: string): Review {
  if (by === caller && state === 'open') return reviewMember(record)
  const mistake = `${by} asked for one at ${new Date(at).toISOString()}${state === 'open' ? '' : ', and it has expired'}`
  throw new Refusal('challengeNotPossible', { mistake })
}

/** Only identities that the request named or that are stored of the user: of its sign-in the reviewer may have doubts. */
async function passableBy(
  { input, answer }: DecisionRecord,
  tenantId: string,
  needs: DecisionsNeeds,
): Promise<Challenge> {
  const { userId, phoneNumber, email, missing } = input
  const { consent, phone }: Decision = JSON.parse(answer.text)
  const stored = phoneNumber === undefined ? undefined : await storedOfNumber(phoneNumber, { tenantId, consent }, needs)
  const codes = codesReach(phone as KnownOfNumber | undefined, stored, missing)
  const isNumberInDoubt = codes !== 'undoubted'
  const identityTypes = await identityTypesFor(
    {
      tenantId,
      userId,
      phoneNumber,
      email: email?.address,
      login: undefined,
      link: undefined,
      isNumberInDoubt,
      consent,
    },
    needs,
  )
  if (identityTypes.length === 0) {
    const mistake =
      'nobody could pass it. No phone number or email address of the user is known to which a code would surely go'
    throw new Refusal('challengeNotPossible', { mistake })
  }
  return { identityTypes, isNumberInDoubt, codes, expiresAt: needs.clock.now() + askedChallengeMs }
}
