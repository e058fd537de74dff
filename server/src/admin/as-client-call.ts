// How does a person call an endpoint of clients? In their own name: where a client could name an author, it is the person.

import type { Change } from './audit/audited-call.ts'
import { asClient } from './calls/as-client.ts'

/** The handler of an endpoint of clients, for calls of an actor. */
export const asClientCall =
  (handler: Change): Change =>
  (body, call, needs) =>
    handler(body, asClient(call) as never, needs)

/** Nobody writes in another name. */
export const withoutAuthor = (body: unknown): unknown => {
  const { by: _, ...own } = body as { by?: unknown }
  return own
}
