// When is a call retried? (specification 4.7, rule 3)

import { RingfenceError } from './error.ts'

const waitsMs = [500, 1_000, 2_000]

/** At most four attempts. Refusals (4xx) are not retried, except 408 and 429. */
export async function withRetries<Value>(
  attempt: () => Promise<Value>,
  wait: (ms: number) => Promise<void>,
): Promise<Value> {
  for (const ms of waitsMs) {
    try {
      return await attempt()
    } catch (error) {
      if (isFinal(error)) throw error
    }
    await wait(ms)
  }
  return attempt()
}

function isFinal(error: unknown): boolean {
  const status = error instanceof RingfenceError ? error.status : undefined
  return status !== undefined && status < 500 && status !== 408 && status !== 429
}
