// Why did a call to an upstream fail? The errors that guards, tokens and exchanges throw; callers map them to their own.

/**
 * - `timeout`: no complete response in time
 * - `unreachable`: no connection, or it broke (DNS, TLS, reset)
 * - `status`: 3xx or 5xx
 * - `format`: not JSON, too large, or not what the interface promises
 * - `rejected`: 4xx, refused credentials included
 * - `overloaded`: 429, the circuit is open, or too many calls are in flight
 */
export type UpstreamErrorReason = 'timeout' | 'unreachable' | 'status' | 'format' | 'rejected' | 'overloaded'

/** The call returned no usable result. The message is for the log: it never holds a phone number or a secret. */
export class UpstreamError extends Error {
  override name = 'UpstreamError'
  /** Also the `outcome` label in metrics. */
  readonly reason: UpstreamErrorReason
  /** The code of the upstream's own error, such as IDENTIFIER_NOT_FOUND. */
  readonly code?: string
  /** The request did not leave, so nobody bills it. */
  isUnsent = false
  constructor(reason: UpstreamErrorReason, message: string, code?: string) {
    super(message)
    this.reason = reason
    if (code !== undefined) this.code = code
  }
}

/** The exchange itself failed. This counts against the upstream, whatever the request was. */
export class UpstreamFault extends UpstreamError {
  /** A second attempt may succeed: the upstream sent nothing, or said that it is temporarily unavailable. */
  readonly retryable: boolean
  constructor(reason: UpstreamErrorReason, message: string, { retryable = false } = {}) {
    super(reason, message)
    this.retryable = retryable
  }
}

/** It asked for a pause, which lasts. */
export class UpstreamPaused extends UpstreamError {
  /** Waits until it is over, if it is short. False: the call must not be sent. */
  readonly waitOut: (deadline: AbortSignal) => Promise<boolean>
  constructor(call: string, waitOut: UpstreamPaused['waitOut']) {
    super('overloaded', `${call}: the upstream asked for a pause`)
    this.waitOut = waitOut
  }
}

/** The same error, of a request that did not leave. */
export function unsent(error: unknown): unknown {
  if (error instanceof UpstreamError) error.isUnsent = true
  return error
}

/** The caller's deadline passed first. This says nothing about the upstream. */
export class DeadlinePassed extends UpstreamError {
  constructor(call: string) {
    super('timeout', `${call}: no response before the deadline of the request`)
  }
}

/** What a log line says of a failed call: a failure that happens in its place has a reason and its cause, any other error its stack. */
export function logged(error: unknown): { reason: string; cause: string } | { err: unknown } {
  if (error instanceof UpstreamError) return { reason: error.reason, cause: error.message }
  if (!(error instanceof DOMException)) return { err: error }
  return { reason: error.name === 'TimeoutError' ? 'timeout' : 'aborted', cause: error.message }
}

/** 401 to a token that is not new: it may have been revoked early. */
export class TokenRefused extends UpstreamError {}

/** The upstream works and says that it does not do this. Callers define a subclass for each case they tell apart. */
export abstract class UpstreamRefusal extends Error {
  /** The `outcome` label in metrics. */
  abstract readonly outcome: string
  /** The code of the upstream's own error. */
  readonly code: string | undefined
  constructor(message: string, code?: string) {
    super(message)
    this.code = code
  }
}
