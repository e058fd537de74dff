// How does the admin API make a call that a backend makes too? In the name of the actor, with the code of the backend's call.

import type { Call } from '../../clients/call.ts'
import type { ActorCall } from '../call.ts'

/** Where a call of a client names its author, this one names the actor. */
export const asClient = (call: ActorCall): Call =>
  Object.create(call, { caller: { value: { tenantId: call.actor.tenantId, clientId: call.actor.name } } })
