// Why did an SDK call fail?

/**
 * - `notConfigured`, `intelligenceError`, `unknown`: as in specification 7.4.
 * - `refused`: the service refused the call.
 * - `network`: the service could not be reached, or its response was not valid JSON.
 * - `popupBlocked`, `popupClosed`: the pop-up of an OAUTH sign-in was blocked or closed.
 * - `noSignIn`: this browser has no sign-in in progress.
 */
export type RingfenceErrorCode =
  | 'notConfigured'
  | 'intelligenceError'
  | 'unknown'
  | 'refused'
  | 'network'
  | 'popupBlocked'
  | 'popupClosed'
  | 'noSignIn'

export interface RingfenceErrorDetails {
  /** Include it in support requests. */
  readonly requestId?: string | undefined
  /** HTTP status, if the service responded. */
  readonly status?: number | undefined
  /** The service's error code. */
  readonly errorCode?: string | undefined
  /** Seconds to wait before the next attempt. */
  readonly retryAfterSeconds?: number | undefined
  readonly cause?: unknown
}

export class RingfenceError extends Error {
  readonly code: RingfenceErrorCode
  readonly requestId: string | undefined
  readonly status: number | undefined
  readonly errorCode: string | undefined
  readonly retryAfterSeconds: number | undefined

  constructor(code: RingfenceErrorCode, message: string, details: RingfenceErrorDetails = {}) {
    super(message, { cause: details.cause })
    this.name = 'RingfenceError'
    this.code = code
    this.requestId = details.requestId
    this.status = details.status
    this.errorCode = details.errorCode
    this.retryAfterSeconds = details.retryAfterSeconds
  }
}

export const notConfigured = () => new RingfenceError('notConfigured', 'SDK not initialised')

export const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))
