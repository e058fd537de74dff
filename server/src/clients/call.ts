// What does a handler know about the call of a client?

import type { AnyCall } from '../core/call.ts'
import type { Caller } from './credentials.ts'

/** A call of a client, which has a secret. */
export interface Call extends AnyCall {
  readonly caller: Caller
}

declare module '../core/call.ts' {
  interface CallOf {
    client: Call
  }
}
