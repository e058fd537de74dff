// What does a handler get to know about the caller? See core/call.ts.

import type { Actor } from '../../admin/actor.ts'
import type { AdminResponse } from '../../admin/call.ts'
import type { App, SdkSession } from '../../apps/app.ts'
import type { Scope } from '../../camara-front/scope.ts'
import type { Caller } from '../../clients/credentials.ts'
import type { SdkCookies } from '../cookies/sdk-cookies.ts'

export type CallerContext =
  | Record<never, never>
  | { caller: Caller }
  | AdminContext
  | TokenContext
  | { app: App; origin: string | undefined }
  | ({ app: App; session: SdkSession } & SdkCookies)

/** Of a call of the admin API. */
export interface AdminContext {
  readonly actor?: Actor
  readonly response: AdminResponse
  readonly browserToken?: string | undefined
  readonly passkeyToken?: string | undefined
  readonly ssoToken?: string | undefined
  readonly sessionToken?: string | undefined
}

/** Of a call of our CAMARA API. */
export interface TokenContext {
  readonly caller: Caller
  /** What the token allows. */
  readonly granted: Scope
  /** The secret of the verification of its phone. */
  readonly phone?: string | undefined
}
