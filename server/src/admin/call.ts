// What does a handler know about a call of the admin API?

import type { AnyCall } from '../core/call.ts'
import type { Actor } from './actor.ts'

/** What a call of the admin API sets on its response. */
export interface AdminResponse {
  /** The answer has a secret that is shown once, or personal data in clear: it is not stored for repetitions. */
  hasSecret?: true
  /** The token of a new session; null ends the present one. */
  sessionToken?: string | null
  /** Shows later that a person signed in in this browser before. */
  browserToken?: string
  /** Of a browser that begins a sign-in with a passkey; null when it has ended. */
  passkeyToken?: string | null
  /** A single sign-on that this browser has begun, sealed; null: it is done. */
  ssoToken?: string | null
  /** Version of the record in the answer; see `admin/versions.ts`. */
  version?: string
  /** Whether the handler has compared the version that the caller has seen. */
  isVersionCompared?: boolean
}

/** A call of the admin API by somebody who may not be signed in. */
export interface AdminCall extends AnyCall {
  readonly response: AdminResponse
  /** What an earlier sign-in left in this browser; it admits nobody. */
  readonly browserToken?: string | undefined
  /** What the beginning of a sign-in with a passkey left in this browser; it admits nobody. */
  readonly passkeyToken?: string | undefined
  /** A single sign-on that this browser has begun, sealed. */
  readonly ssoToken?: string | undefined
  /** Of the session that the browser has; only at endpoints for anyone, and not verified. */
  readonly sessionToken?: string | undefined
}

/** A call of the admin API by a person or a client that has the permission of the endpoint. */
export interface ActorCall extends AdminCall {
  readonly actor: Actor
  /** Of the header If-Match: the versions that the caller has seen, or `*` for any; see `admin/versions.ts`. */
  readonly ifMatch?: readonly string[] | '*' | undefined
}

declare module '../core/call.ts' {
  interface CallOf {
    admin: AdminCall
    actor: ActorCall
  }
}
