// What does a handler know about a call with an access token?

import type { Call } from '../clients/call.ts'
import type { Scope } from './scope.ts'

/** A call of a client with an access token of our CAMARA API. */
export interface TokenCall extends Call {
  readonly granted: Scope
  /** What the token knows of a phone that was verified; absent for a token of the client alone. */
  readonly phone?: string | undefined
}

declare module '../core/call.ts' {
  interface CallOf {
    token: TokenCall
  }
}
