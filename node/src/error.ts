// What went wrong with a call? One class; `code` says what to do about it.

/**
 * Every way in which a call can fail.
 *
 * | code | what happened | repeated by the client |
 * |---|---|---|
 * | `invalid_argument` | an option or argument is wrong; nothing was sent | no |
 * | `invalid_request` | the service refused the request (a phone number that is none, for example) | no |
 * | `unsupported_by_operator` | the operator of the number cannot do this check, or not this window | no |
 * | `invalid_token` | the token is malformed, unknown, revoked or used up, or another tenant's | no |
 * | `expired_token` | the token is older than it may be; the user signs in again | no |
 * | `not_found` | the service knows nothing by this id (a report that is unknown or forgotten), or no such path | no |
 * | `missing_credentials`, `invalid_credentials` | clientId and clientSecret did not arrive, or are not valid | no |
 * | `rate_limited` | too many requests (HTTP 429) | yes, after `Retry-After` |
 * | `overloaded` | overloaded or draining (HTTP 503) | yes, after `Retry-After` |
 * | `server` | the service, or a proxy before it, failed (any other HTTP 5xx) | only HTTP 502 and 504 |
 * | `timeout` | no answer in time | yes, while time is left |
 * | `connection` | no connection, or it broke before the answer was complete | yes |
 * | `aborted` | the caller's `signal` was aborted; `cause` is its reason | no |
 * | `unexpected_response` | an answer that is none of the service's: HTML, other types, a redirect | no |
 */
export type RingfenceErrorCode =
  | 'invalid_argument'
  | 'invalid_request'
  | 'unsupported_by_operator'
  | 'invalid_token'
  | 'expired_token'
  | 'not_found'
  | 'missing_credentials'
  | 'invalid_credentials'
  | 'rate_limited'
  | 'overloaded'
  | 'server'
  | 'timeout'
  | 'connection'
  | 'aborted'
  | 'unexpected_response'

interface Details {
  readonly status?: number | undefined
  readonly errorCode?: string | undefined
  readonly description?: string | undefined
  readonly requestId?: string | undefined
  readonly retryAfterSeconds?: number | undefined
  readonly cause?: unknown
}

/** Everything that the client throws. It carries no secret, token or phone number of its own, so it may be logged. */
export class RingfenceError extends Error {
  readonly code: RingfenceErrorCode
  /** HTTP status of the answer; undefined when there was none. */
  readonly status: number | undefined
  /** The service's own code, `P7102` for example. */
  readonly errorCode: string | undefined
  /** The service's words on what was wrong and what to do. */
  readonly description: string | undefined
  /** Id of the request in the service's logs; undefined when nothing was sent. */
  readonly requestId: string | undefined
  /** How long the service asks to wait before the next request. */
  readonly retryAfterSeconds: number | undefined

  constructor(code: RingfenceErrorCode, message: string, details: Details = {}) {
    super(message, 'cause' in details ? { cause: details.cause } : undefined)
    this.code = code
    this.status = details.status
    this.errorCode = details.errorCode
    this.description = details.description
    this.requestId = details.requestId
    this.retryAfterSeconds = details.retryAfterSeconds
  }

  static {
    // biome-ignore lint/complexity/noThisInStatic: by its name, esbuild would rename the class to _RingfenceError in stacks
    this.prototype.name = 'RingfenceError'
  }
}
