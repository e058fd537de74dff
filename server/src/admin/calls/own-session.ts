// Who changes how they sign in? A person in their session, who has proved lately who they are.

import type { ActorCall } from '../../call.ts'
import type { Clock } from '../../clock.ts'
import { Refusal } from '../../errors.ts'
import type { ActorSession } from '../actor.ts'
import { confirmedMs } from '../people/sessions.ts'

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
