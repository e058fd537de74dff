// Who goes on waiting after the deadline? Nobody: the asker gets a CheckFailed at once, whatever becomes of the work.

import { CheckFailed } from '../telecom/connectors/connector.ts'

/** The asker's deadline came first. That says nothing of the upstream. */
export class Abandoned extends CheckFailed {
  constructor(call: string) {
    super('timeout', `${call}: given up at the deadline of the request`)
  }
}

/** Settles with `work`, but throws an Abandoned at the deadline: undici alone would first finish connecting, cockatiel queueing. */
export async function before<T>(deadline: AbortSignal, call: string, work: Promise<T>): Promise<T> {
  const { promise: late, reject } = Promise.withResolvers<never>()
  const giveUp = () => reject(new Abandoned(call))
  if (deadline.aborted) giveUp()
  deadline.addEventListener('abort', giveUp, { once: true })
  try {
    return await Promise.race([work, late])
  } finally {
    deadline.removeEventListener('abort', giveUp)
  }
}
