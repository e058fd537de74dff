// What do other rooms know of this server and of those that share its store?

import type { RateLimitResources } from './rate-limit.ts'
import type { Readiness } from './readiness.ts'

export interface ServersDoor {
  readiness: Readiness
  /** What rate limits need to count over all servers. */
  requestCounts: RateLimitResources
  /** How far the machine's clock is ahead of the store's. */
  clockSkewMs(): number | undefined
  /** Whether the service is stopping. */
  draining(): boolean
  /** Whether this process is stopping: responses close their connection. */
  leaving(): boolean
  /** From now on responses close their connection, and `/ready` returns 503 unless another process takes the place of this one. */
  drain(isReplaced?: boolean): void
}

/** Under which URLs the service is reached. */
export interface Addresses {
  /** Of the service: BASE_URL, or the URL on which it listens. */
  base(): string
  /** Of sign-in and tokens: AUTH_URL, or that of the service. */
  auth(): string
  /** Sets the URL on which the service listens. */
  listensAt(url: string): void
}
