// Who changes how they sign in? A person in their session, who has proved lately who they are.

import type { Clock } from '../../core/clock.ts'
import { Refusal } from '../../core/errors.ts'
import type { Queryable } from '../../core/storage/database.ts'
import type { ActorSession } from '../actor.ts'
import type { ActorCall } from '../call.ts'
import { confirmedMs, sessionIdOf } from '../people/sessions.ts'
import { type ConsoleSessionRow, sessionsOfPerson } from '../store/console-sessions.ts'
import { lockPerson } from '../store/people.ts'

/** Refuses with `personMissing`. */
export function ownSession({ actor: { session } }: ActorCall): ActorSession {
  if (!session) throw new Refusal('personMissing')
  return session
}

/** Refuses with `personMissing`, `personBySso` and `confirmationMissing`. */
export function confirmedSession(call: ActorCall, { clock }: { clock: Clock }): ActorSession {
  const session = ownSession(call)
  // Another way in would outlast the group that the identity provider takes away.
  if (session.singleSignOn !== undefined) throw new Refusal('personBySso')
  if (clock.now() >= session.confirmedAt + confirmedMs) throw new Refusal('confirmationMissing')
  return session
}

/**
 * In the transaction of a change: a reset or a new password may have ended the session since it was read, and must win. Others that
 * change the person wait. Refuses with `notSignedIn`.
 */
export async function lockedSession(tx: Queryable, { personId, sessionId }: ActorSession): Promise<ConsoleSessionRow> {
  const own = (await lockPerson(tx, personId))
    ? (await sessionsOfPerson(tx, personId)).find((row) => sessionIdOf(row) === sessionId)
    : undefined
  if (!own) throw new Refusal('notSignedIn')
  return own
}
