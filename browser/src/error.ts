// Why did a call of the SDK fail?

/**
 * `notConfigured`, `intelligenceError` and `unknown` are those of specification 7.4. `refused`: the service said no;
 * `network`: it could not be reached, or its answer was none. `popupBlocked`, `popupClosed`: OAUTH by pop-up.
 * `noSignIn`: no sign-in of this browser is under way.
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
  /** For questions to support. */
  readonly requestId?: string | undefined
  /** HTTP status, where the service answered. */
  readonly status?: number | undefined
  /** The service's own code of the refusal. */
  readonly errorCode?: string | undefined
  /** Seconds to wait before the next try. */
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
