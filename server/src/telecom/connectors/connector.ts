// What can be asked of an operator? The seam: one file per upstream interface + one line in index.ts.

import type { Logger } from 'pino'
import type { Static, TSchema } from 'typebox'
import type { Clock } from '../../clock.ts'
import type { ReadSecret } from '../../config/secret-reference.ts'
import type { PhoneNumber } from '../../phone/phone-number.ts'

export interface Inquiry {
  /** Aborted at the deadline of the request. */
  signal: AbortSignal
  /** Passed on upstream as x-correlator. */
  correlator: string
}

/** A check that the upstream does not offer is a method left out. */
export interface Connector {
  /** As named in the configuration. */
  readonly name: string
  /** True for made-up data: answers that rest on it are marked x-ringfence-sandbox. */
  readonly sandbox?: boolean
  /** Was the SIM of the number changed within the last `maxAgeHours` hours? */
  simSwappedWithin?(number: PhoneNumber, maxAgeHours: number, inquiry: Inquiry): Promise<boolean>
  /** Are the number's calls forwarded? `conditional`: forwarding when busy, unanswered or unreachable counts too. */
  isForwarded?(number: PhoneNumber, conditional: boolean, inquiry: Inquiry): Promise<boolean>
  /** Whether `isForwarded` can tell conditional forwarding. */
  readonly tellsConditionalForwarding?: boolean
  close?(): Promise<void>
}

/** The upstream says that it does not offer this check for this number (CAMARA SERVICE_NOT_APPLICABLE, HTTP 501). */
export class CheckUnsupported extends Error {
  override name = 'CheckUnsupported'
}

/** The upstream may not look back that far (CAMARA OUT_OF_RANGE). */
export class WindowUnsupported extends Error {
  override name = 'WindowUnsupported'
}

/** The upstream was asked, or could not be asked, and gave no usable answer. The cause is for the log only. */
export class CheckFailed extends Error {
  override name = 'CheckFailed'
  /** A word for metrics. */
  readonly reason: FailureReason
  constructor(reason: FailureReason, message: string, options?: ErrorOptions) {
    super(message, options)
    this.reason = reason
  }
}

/**
 * timeout: no whole answer in time. unreachable: no connection, or it broke (DNS, TLS, reset). status: 3xx or 5xx. format: no
 * JSON, too large, or not what the interface promises. rejected: 4xx, credentials included. overloaded: 429, the circuit is
 * open, or too many calls are under way.
 */
export type FailureReason = 'timeout' | 'unreachable' | 'status' | 'format' | 'rejected' | 'overloaded'

/** What a connector may use of the service. */
export interface ConnectorResources {
  clock: Clock
  log: Logger
  metrics: UpstreamMetrics
  readSecret: ReadSecret
}

/** How upstream calls are counted. */
export interface UpstreamMetrics {
  /** One attempt over HTTP: which upstream and call, how it ended (`ok`, or why not), and how long it took. */
  upstreamCall(
    upstream: string,
    call: string,
    outcome: 'ok' | 'unsupported' | 'window' | FailureReason,
    seconds: number,
  ): void
}

/** One kind of upstream: the schema of its part of the configuration file, and how to make a connector from it. */
export interface ConnectorKind<Config extends TSchema = TSchema> {
  /** `type` in the configuration file. */
  readonly type: string
  readonly Config: Config
  /** Throws an error that names the key when the configuration cannot work (a secret that is missing, a key that cannot be read). */
  create(name: string, config: Static<Config>, resources: ConnectorResources): Connector
}
