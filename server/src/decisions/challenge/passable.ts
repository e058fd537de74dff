// Could the person pass the challenge that is decided? A challenge that nobody can pass is a door that does not open.

import { pathsIn } from '../../rules/language/condition.ts'
import { comparedWith } from '../../rules/language/decimals.ts'
import type { Rule } from '../../rules/language/rule.ts'
import { checksIn } from '../../rules/pending-checks.ts'
import type { Gathered } from '../gather.ts'
import { messages, type Outcome } from '../outcome.ts'
import type { DecisionsNeeds } from '../room.ts'
import { identityTypesFor } from './identities.ts'

export interface Passable {
  readonly identityTypes: string[]
  /** A code to the phone number of the decision does not pass. */
  readonly isNumberInDoubt: boolean
}

/** The outcome, with who may pass its challenge; else REVIEW, and for a small payment WARN, unless a rule wants a review. */
export async function withPassable(
  outcome: Outcome,
  { state, codes, login, link, consent }: Pick<Gathered, 'state' | 'codes' | 'login' | 'link' | 'consent'>,
  {
    tenantId,
    warnBelow,
    fired,
  }: { readonly tenantId: string; readonly warnBelow: number; readonly fired: readonly Rule[] },
  needs: DecisionsNeeds,
): Promise<{ readonly outcome: Outcome; readonly passable?: Passable }> {
  if (outcome.action !== 'CHALLENGE') return { outcome }
  const { userId, phoneNumber, email, action: operation } = state.live
  const isNumberInDoubt = codes === 'diverted' || (codes === 'unknown' && isAboutNumber(outcome, fired))
  const identityTypes = await identityTypesFor(
    { tenantId, userId, phoneNumber, email: email?.address, login, link, isNumberInDoubt, consent },
    needs,
  )
  if (identityTypes.length > 0) return { outcome, passable: { identityTypes, isNumberInDoubt } }
  const { review, ...others } = outcome
  if (review) {
    const message = review.message ?? messages.REVIEW
    return { outcome: { ...others, action: 'REVIEW', message, decisive: review, instead: 'CHALLENGE' } }
  }
  const action = operation === 'PAYMENT' && isSmall(state.live.params?.amount, warnBelow) ? 'WARN' : 'REVIEW'
  return { outcome: { ...outcome, action, message: messages[action], instead: 'CHALLENGE' } }
}

/** An amount below 0 is no small payment: nobody knows what the backend means by it. */
const isSmall = (amount: unknown, limit: number) => comparedWith(0)(amount) >= 0 && comparedWith(limit)(amount) < 0

/**
 * Whether a missing answer about the number is a reason for the challenge, also beside a stronger one. Then a code to that number proves
 * nothing, unless a rule accepts it.
 */
function isAboutNumber({ decisive, required }: Outcome, fired: readonly Rule[]): boolean {
  if (decisive?.acceptNumber) return false
  const reading = fired.filter((rule) => rule.action === 'CHALLENGE' && readsMissingCheck(rule))
  if (reading.length > 0) return reading.some(({ acceptNumber }) => !acceptNumber)
  return required.some(({ what }) => checksIn([`missing.${what}`]).length > 0)
}

const readsMissingCheck = ({ when }: Rule) =>
  checksIn(pathsIn(when).filter((path) => path.startsWith('missing.'))).length > 0
