// Could the person pass the challenge that is decided? A challenge that nobody can pass is a door that does not open.

import { compileCondition } from '../../rules/compile.ts'
import { pathsIn } from '../../rules/condition.ts'
import { checksIn } from '../../rules/pending-checks.ts'
import type { Rule } from '../../rules/rule.ts'
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
  { state, codes, login, link }: Pick<Gathered, 'state' | 'codes' | 'login' | 'link'>,
  { tenantId, warnBelow }: { readonly tenantId: string; readonly warnBelow: number },
  needs: DecisionsNeeds,
): Promise<{ readonly outcome: Outcome; readonly passable?: Passable }> {
  if (outcome.action !== 'CHALLENGE') return { outcome }
  const { userId, phoneNumber, email, action: operation } = state.live
  const isNumberInDoubt = codes === 'diverted' || (codes === 'unknown' && isAboutNumber(outcome))
  const identityTypes = await identityTypesFor(
    { tenantId, userId, phoneNumber, email, login, link, isNumberInDoubt },
    needs,
  )
  if (identityTypes.length > 0) return { outcome, passable: { identityTypes, isNumberInDoubt } }
  const { review, ...others } = outcome
  if (review) {
    const message = review.message ?? messages.REVIEW
    return { outcome: { ...others, action: 'REVIEW', message, decisive: review, instead: 'CHALLENGE' } }
  }
  const isSmall = compileCondition({ op: '<', path: 'params.amount', value: warnBelow })
  const action = operation === 'PAYMENT' && isSmall(state.live) ? 'WARN' : 'REVIEW'
  return { outcome: { ...outcome, action, message: messages[action], instead: 'CHALLENGE' } }
}

/** Whether a missing answer about the number is why there is a challenge. Then a code to that number proves nothing. */
function isAboutNumber({ decisive, required }: Outcome): boolean {
  if (!decisive) return required.some(({ what }) => checksIn([`missing.${what}`]).length > 0)
  return decisive.acceptNumber !== true && readsMissingCheck(decisive)
}

const readsMissingCheck = ({ when }: Rule) =>
  checksIn(pathsIn(when).filter((path) => path.startsWith('missing.'))).length > 0
