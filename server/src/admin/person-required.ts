// Which changes may no client key make? Those that would outlive the key: whoever stole it could keep what it gave after its revocation.

import { Refusal } from '../core/errors.ts'
import type { Actor, ActorSession } from './actor.ts'

/** Refuses with `personRequired` a client. @returns the session of the person */
export function personRequired({ session }: Pick<Actor, 'session'>): ActorSession {
  if (!session) throw new Refusal('personRequired')
  return session
}
