// What can a connector check? The extension point: one file per upstream interface + one line in index.ts.

import type { Static, TSchema } from 'typebox'
import type { PhoneNumber } from '../../phone/phone-number.ts'
import type { TraceHeaders } from '../../telemetry/trace-headers.ts'
import type { GuardState } from '../../upstream/guard.ts'
import { UpstreamRefusal } from '../../upstream/upstream-error.ts'
import type { UpstreamResources } from '../../upstream/upstream-resources.ts'

export interface Inquiry {
  /** Aborted at the deadline of the request. */
  signal: AbortSignal
  /** Sent to the upstream as x-correlator. */
  correlator: string
  /** Sent to the upstream too. */
  trace?: TraceHeaders | undefined
}

/**
 * A connector to one upstream. It leaves out the methods of checks that the upstream does not offer. The methods throw
 * `CheckUnsupported`, `WindowUnsupported` or an `UpstreamError`.
 */
export interface Connector {
  /** Its name in the configuration file. */
  readonly name: string
  /** True for made-up data: results are marked x-ringfence-sandbox. */
  readonly sandbox?: boolean
  /** Has the number's SIM been swapped within the last `maxAgeHours` hours? */
  simSwappedWithin?(number: PhoneNumber, maxAgeHours: number, inquiry: Inquiry): Promise<boolean>
  /**
   * Are calls to the number forwarded?
   *
   * @param conditional forwarding when busy, unanswered or unreachable counts too
   */
  isForwarded?(number: PhoneNumber, conditional: boolean, inquiry: Inquiry): Promise<boolean>
  /** Whether `isForwarded` can detect conditional forwarding. */
  readonly detectsConditionalForwarding?: boolean
  /** What it calls, and whether this server calls it now; absent: it reports nothing. */
  upstreams?(): readonly GuardState[]
  /** Gets an access token, and throws when there is none: `ringfence doctor` checks credentials without a phone number. */
  getToken?(signal: AbortSignal): Promise<void>
  close?(): Promise<void>
}

/** The upstream says that it does not offer this check for this number (CAMARA SERVICE_NOT_APPLICABLE, HTTP 501). */
export class CheckUnsupported extends UpstreamRefusal {
  override name = 'CheckUnsupported'
  readonly outcome = 'unsupported'
}

/** The upstream may not look back that far (CAMARA OUT_OF_RANGE). */
export class WindowUnsupported extends UpstreamRefusal {
  override name = 'WindowUnsupported'
  readonly outcome = 'window'
}

/** One kind of upstream: the schema of its part of the configuration file, and how to create a connector from it. */
export interface ConnectorKind<Config extends TSchema = TSchema> {
  /** `type` in the configuration file. */
  readonly type: string
  readonly Config: Config
  /** Throws an error that names the key that cannot work, such as a missing secret or an unreadable private key. */
  create(name: string, config: Static<Config>, resources: UpstreamResources): Connector
}
