// Which calls may a restricted client make? Those of its scopes: each endpoint of a backend names one.

/** What a scope allows, in words that follow "may". */
export const scopes = {
  decisions: 'make and read decisions, and pass their challenges',
  reviews: 'list and resolve reviews of decisions',
  telecom: 'check phone numbers at operators',
  tokens: 'issue, validate and revoke tokens, read who signed in, and link and list identities of users',
  device: 'read device reports and the devices of a user',
  labels: 'label sessions',
  events: 'search events',
  lists: 'create, change and delete lists, and look values up in them',
  messages: 'send OTPs and magic links through the legacy API, and verify OTPs',
  admin: 'rename, revoke and delete the devices of a user; unlink and merge users',
} as const
export type Scope = keyof typeof scopes
