// Which scopes does the sandbox grant? One per CAMARA call that it answers, and its own for portability.

export const supportedScopes = [
  'sim-swap',
  'sim-swap:check',
  'sim-swap:retrieve-date',
  'call-forwarding-signal:unconditional-call-forwardings:read',
  'call-forwarding-signal:call-forwardings:read',
  'portability:read',
] as const
export type Scope = (typeof supportedScopes)[number]
