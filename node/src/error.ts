// What went wrong with a call? One class; its `code` says what to do.

/**
 * Why a call failed.
 *
 * | code | what happened | the client retries |
 * |---|---|---|
 * | `invalid_argument` | an option or a field is wrong; no request was sent | no |
 * | `invalid_request` | the service refused the request, for example an invalid phone number | no |
 * | `unsupported_by_operator` | the operator of the number cannot do this check, or not for this `maxAge` | no |
 * | `invalid_token` | the token is malformed, unknown, revoked, used up or another tenant's | no |
 * | `invalid_code` | the code is unknown, used or expired, or this browser did not start its sign-in: start again | no |
 * | `expired_token` | the token has expired: the user must sign in again | no |
 * | `challenge_not_passed` | the token does not pass the challenge of the decision; `description` says why | no |
 * | `linked_elsewhere` | the user who signed in is linked to another userId; `description` says what to do | no |
 * | `invalid_webhook` | the delivery of a webhook has no valid signature, or an old one | no |
 * | `not_found` | the report is unknown or deleted, or the path of `baseUrl` is wrong | no |
 * | `missing_credentials`, `invalid_credentials` | clientId and clientSecret are missing or not valid | no |
 * | `rate_limited` | too many requests (HTTP 429) | yes, after `Retry-After` |
 * | `overloaded` | the service is overloaded or stopping (HTTP 503) | yes, after `Retry-After` |
 * | `server` | the service, or a proxy in front of it, failed (any other HTTP 5xx) | only HTTP 502 and 504 |
 * | `timeout` | no response in time | yes, while there is time |
 * | `connection` | no connection, or it broke before the response was complete | yes |
 * | `aborted` | your `signal` was aborted; `cause` is its reason | no |
 * | `unexpected_response` | not a response of Ringfence: HTML, wrong types, a redirect | no |
 */
export type RingfenceErrorCode =
  | 'invalid_argument'
  | 'invalid_request'
  | 'unsupported_by_operator'
  | 'invalid_token'
  | 'expired_token'
  | 'invalid_code'
  | 'challenge_not_passed'
  | 'linked_elsewhere'
  | 'invalid_webhook'
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
  readonly notice?: string | undefined
  readonly cause?: unknown
}

/** The only error that the client throws. The client puts no secret, token or phone number into it, so you can log it. */
export class RingfenceError extends Error {
  readonly code: RingfenceErrorCode
  /** HTTP status. undefined: there was no response. */
  readonly status: number | undefined
  /** The service's error code, for example `P7102`. */
  readonly errorCode: string | undefined
  /** What is wrong and what to do, in the words of the service. */
  readonly description: string | undefined
  /** Id of the request in the service's log. undefined: no request was sent. */
  readonly requestId: string | undefined
  /** How many seconds to wait before the next request, from `Retry-After`. */
  readonly retryAfterSeconds: number | undefined
  /** What is wrong with the request: which field, and what to send. undefined: the service did not say more. */
  readonly notice: string | undefined

  constructor(code: RingfenceErrorCode, message: string, details: Details = {}) {
    super(message, 'cause' in details ? { cause: details.cause } : undefined)
    this.code = code
    this.status = details.status
    this.errorCode = details.errorCode
    this.description = details.description
    this.requestId = details.requestId
    this.retryAfterSeconds = details.retryAfterSeconds
    this.notice = details.notice
  }

  static {
    // biome-ignore lint/complexity/noThisInStatic: with the class name here, esbuild would show _RingfenceError in stacks
    this.prototype.name = 'RingfenceError'
  }
}
