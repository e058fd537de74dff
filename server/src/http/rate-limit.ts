// May this caller send another request now? Each process counts for itself, and reports in the RateLimit headers of the IETF draft.

import { RateLimiterMemory, type RateLimiterRes } from 'rate-limiter-flexible'
import { Refusal } from '../errors.ts'

export interface RateLimit {
  /** Counts a request, and sets the RateLimit headers. Refuses with `rateLimited`. */
  take(key: string, headers: (name: string, value: string) => void): Promise<void>
}

/**
 * `name` is the name of the policy in the headers (draft-ietf-httpapi-ratelimit-headers). Allows `perSecond` requests on average, and
 * `burst` at once: that many per window of `burst / perSecond` seconds.
 */
export function rateLimit(name: string, perSecond: number, burst: number = perSecond): RateLimit {
  const quota = Math.max(burst, perSecond)
  const seconds = Math.ceil(quota / perSecond)
  const limiter = new RateLimiterMemory({ points: quota, duration: seconds })
  const policy = `"${name}";q=${quota};w=${seconds}`
  const report = (
    headers: (name: string, value: string) => void,
    { remainingPoints, msBeforeNext }: RateLimiterRes,
  ) => {
    headers('RateLimit-Policy', policy)
    headers('RateLimit', `"${name}";r=${Math.max(0, remainingPoints)};t=${Math.ceil(msBeforeNext / 1000)}`)
  }
  return {
    async take(key, headers) {
      try {
        report(headers, await limiter.consume(key))
      } catch (spent) {
        if (spent instanceof Error) throw spent
        report(headers, spent as RateLimiterRes)
        throw new Refusal('rateLimited', {
          retryAfterSeconds: Math.ceil((spent as RateLimiterRes).msBeforeNext / 1000),
        })
      }
    },
  }
}
