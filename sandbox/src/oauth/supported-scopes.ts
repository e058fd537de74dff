// Which scopes does the sandbox grant? One for each CAMARA call that it answers, one for each API, and its own for portability.

import { playedCalls } from '../camara/played-calls.ts'
import { otpScope } from '../camara/sent-codes.ts'
import { subscriptionScopes } from '../camara/subscription-calls.ts'

export const supportedScopes: readonly string[] = [
  ...new Set(playedCalls.flatMap(({ scopes }) => scopes)),
  ...Object.values(subscriptionScopes),
  otpScope,
  'portability:read',
]
export type Scope = string
