// Which scopes does the sandbox grant? One per CAMARA call that it answers, and its own for portability.

import { numberVerificationApi } from '@ringfence/contract'
import { playedCalls } from '../camara/played-checks.ts'
import { otpScope } from '../camara/sent-codes.ts'

export const supportedScopes: readonly string[] = [
  'sim-swap',
  'sim-swap:check',
  'sim-swap:retrieve-date',
  'call-forwarding-signal:unconditional-call-forwardings:read',
  'call-forwarding-signal:call-forwardings:read',
  ...playedCalls.map(({ scope }) => scope),
  numberVerificationApi.verify.scope,
  numberVerificationApi.share.scope,
  'sim-swap-subscriptions:org.camaraproject.sim-swap-subscriptions.v0.swapped:create',
  'sim-swap-subscriptions:read',
  'sim-swap-subscriptions:delete',
  otpScope,
  'portability:read',
]
export type Scope = string
