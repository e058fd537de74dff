// Which parts of the service does a client of a third party use?

import type { Logger } from 'pino'
import type { Clock } from '../clock.ts'
import type { ReadSecret } from '../config/secret-reference.ts'

export interface UpstreamResources {
  clock: Clock
  log: Logger
  metrics: UpstreamMetrics
  readSecret: ReadSecret
}

export interface UpstreamMetrics {
  /**
   * Counts one attempt over HTTP.
   *
   * @param outcome `ok`, an `UpstreamErrorReason`, or the `outcome` of an `UpstreamRefusal`
   */
  upstreamCall(upstream: string, call: string, outcome: string, seconds: number): void
}
