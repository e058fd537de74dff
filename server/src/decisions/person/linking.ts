// Does a decision, or the challenge that it ends with, link whoever signed in to the user? The statements and the event of it.

import { moveAccount } from '../../accounts/move.ts'
import { linkStatements } from '../../accounts/person.ts'
import type { Call } from '../../clients/call.ts'
import type { NewEvent } from '../../core/event-recorder.ts'
import type { BatchStatement } from '../../core/storage/database.ts'
import type { Action } from '../../rules/language/rule.ts'
import { linked } from '../../sign-in/persons/person-events.ts'
import type { Gathered } from '../gather.ts'
import { isProofOfPerson } from '../parts/phone.ts'
import { onlyLogged } from '../proven-later.ts'
import type { DecisionsNeeds } from '../room.ts'
import type { PendingLink } from './person.ts'

type Linkable = Pick<Gathered, 'link' | 'login' | 'signInCodes'>

/** Nothing spoke against the session, and its sign-in shows who the person is. Whatever else happens, a challenge may link later. */
export const mayLink = <Session extends Linkable>(
  session: Session,
  action: Action,
): session is Session & { readonly link: PendingLink } =>
  action === 'ALLOW' &&
  session.link?.by !== undefined &&
  session.login !== undefined &&
  isProofOfPerson(session.login.identities, session.signInCodes)

export interface Linking {
  readonly statements: readonly BatchStatement[]
  readonly events: readonly NewEvent[]
}

/** Belongs into the commit of the decision. It fails with ConditionFailed or UniqueViolation when another link was first. */
export async function linkingOf(
  { by, ...link }: PendingLink,
  { decisionId, requestId }: { readonly decisionId: string; readonly requestId: string },
  needs: DecisionsNeeds,
): Promise<Linking> {
  const { personId, customerId: userId } = link
  return {
    statements: await linkStatements({ ...link, isFirst: by === 'new' }, needs),
    events: [linked({ userId, personId, by: 'DECISION', decisionId }, requestId)],
  }
}

/** Trusted devices and habits of the minted id become those of the user. The link is made: a failure is only logged. */
export async function moveLinked(
  { tenantId, personId, customerId }: PendingLink,
  { requestId }: Pick<Call, 'requestId'>,
  needs: DecisionsNeeds,
): Promise<void> {
  await onlyLogged('could not move the devices of a linked user', requestId, needs, () =>
    moveAccount({ tenantId, from: personId, to: customerId }, needs),
  )
}
