// Who signs in, to which app, and from where? What the sign-in core knows of a call. It knows no HTTP and no SDK session.

import type { DevicePlatform } from '@ringfence/contract'
import type { App } from '../../apps/app.ts'
import type { AnyCall } from '../../core/call.ts'
import type { SignedInBefore } from './signed-in-before.ts'

/** The user who gets what the sign-in proves. */
export interface AddsTo {
  readonly personId: string
  /** Whoever completes the sign-in must be here, or in the session that started it: a link may be opened by somebody else. */
  readonly installation?: string
}

/** sdk-calls.ts makes one from an SDK session, legacy-api/ from a backend's call. */
export interface SignInContext extends Pick<AnyCall, 'requestId' | 'signal' | 'provenance'> {
  readonly tenantId: string
  /** The app. For an OTP that a backend orders: its client, to which the limits then apply. */
  readonly appId: string
  /** Shown in messages. */
  readonly appName: string
  readonly settings: App['settings']
  /** A redirect URL must be in `settings.redirectUrls`; in development, below one of these. */
  readonly origins: App['origins']

  /**
   * The SDK session. Absent, as all fields below, when a backend calls: it says nothing of the
   * person's device.
   */
  readonly sessionId?: string
  readonly platform?: DevicePlatform
  /** Origin of the web page that runs the SDK. Messages bind their OTP to it. */
  readonly pageOrigin?: string
  readonly ipAddress?: string
  /** Of the browser; a sign-in adds to it. */
  readonly signedInBefore?: SignedInBefore
  /** Of a start: the user who gets what is proved. */
  readonly addsTo?: AddsTo
  /** What the HTTP client of the device sent: names in lower case, no credentials. */
  readonly headers?: AnyCall['headers']
}
