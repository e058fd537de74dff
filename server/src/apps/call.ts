// What does a handler know about the call of an app or of an SDK session?

import type { AnyCall } from '../core/call.ts'
import type { App, SdkSession } from './app.ts'

/** A call of an app. The app id is public, so anyone can make it. */
export interface AppCall extends AnyCall {
  readonly app: App
  /** Origin of the page that calls; undefined if the caller is not a browser. */
  readonly origin: string | undefined
}

/** A call of an SDK session. */
export interface SessionCall extends AnyCall {
  readonly app: App
  readonly session: SdkSession
  /** The device token of the browser's cookie. A handler that sets another one sends it back. */
  readonly deviceCookie: { token: string | undefined }
  /** What the browser's cookie says of its previous sign-ins. A sign-in sets `marks`, which are sent back. */
  readonly signedInBefore: { readonly sent: string | undefined; marks?: string }
}

declare module '../core/call.ts' {
  interface CallOf {
    app: AppCall
    session: SessionCall
  }
}
