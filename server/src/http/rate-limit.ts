// May this caller send another request now? Counted for each caller in this process, told in the headers of the IETF draft.

import { RateLimiterMemory, type RateLimiterRes } from 'rate-limiter-flexible'
import { Refusal } from '../errors.ts'

export interface RateLimit {
  /** Counts a request. Refuses with `rateLimited`; either way `headers` are those of the answer. */
  take(key: string, headers: (name: string, value: string) => void): Promise<void>
}

/**
 * `name` is the policy's name on the wire (draft-ietf-httpapi-ratelimit-headers), `perSecond` its quota. `burst` requests may come at
 * once where the quota is left unused before: they are then the quota of a window that is longer by as much.
 */
export function rateLimit(name: string, perSecond: number, burst: number = perSecond): RateLimit {
  const quota = Math.max(burst, perSecond)
  const seconds = Math.ceil(quota / perSecond)
  const limiter = new RateLimiterMemory({ points: quota, duration: seconds })
  const policy = `"${name}";q=${quota};w=${seconds}`
  const tell = (headers: (name: string, value: string) => void, { remainingPoints, msBeforeNext }: RateLimiterRes) => {
    headers('RateLimit-Policy', policy)
    headers('RateLimit', `"${name}";r=${Math.max(0, remainingPoints)};t=${Math.ceil(msBeforeNext / 1000)}`)
  }
  return {
    async take(key, headers) {
      try {
        tell(headers, await limiter.consume(key))
      } catch (spent) {
        if (spent instanceof Error) throw spent
        tell(headers, spent as RateLimiterRes)
        throw new Refusal('rateLimited', {
          retryAfterSeconds: Math.ceil((spent as RateLimiterRes).msBeforeNext / 1000),
        })
      }
    },
  }
}
