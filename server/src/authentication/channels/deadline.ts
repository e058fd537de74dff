// Who goes on waiting after the deadline? Nobody: the asker gets a DeliveryFailed at once, whatever becomes of the work.

import { DeliveryFailed } from '../channel.ts'

export async function before<T>(deadline: AbortSignal, work: Promise<T>): Promise<T> {
  const { promise: late, reject } = Promise.withResolvers<never>()
  const giveUp = () => reject(new DeliveryFailed('timeout', 'no answer at the deadline'))
  if (deadline.aborted) giveUp()
  deadline.addEventListener('abort', giveUp, { once: true })
  try {
    return await Promise.race([work, late])
  } finally {
    deadline.removeEventListener('abort', giveUp)
  }
}
