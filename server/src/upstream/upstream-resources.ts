// Which parts of the service does a client of a third party use?

import type { Logger } from 'pino'
import type { Clock } from '../core/clock.ts'
import type { ReadSecret } from '../core/config/secret-reference.ts'
import type { Metrics } from '../core/metrics/metrics.ts'
import type { Tracing } from '../core/telemetry/tracing.ts'

export interface UpstreamResources {
  clock: Clock
  log: Logger
  metrics: Pick<Metrics, 'observe' | 'set'>
  tracing: Pick<Tracing, 'upstreamCall'>
  readSecret: ReadSecret
}
