// Which calls may a restricted client make? Each endpoint of a backend has one scope.

import type { EndpointName, endpoints } from './endpoints.ts'

/** What a scope allows, in words that follow "may". */
export const scopes = {
  decisions: 'make and read decisions, and pass their challenges',
  reviews: 'list and resolve reviews of decisions',
  telecom: 'check phone numbers at operators',
  tokens: 'issue, validate and revoke tokens, and read who signed in',
  device: 'read device reports and the devices of a user',
  labels: 'label sessions',
  events: 'search events',
  lists: 'create, change and delete lists, and look values up in them',
  messages: 'send OTPs and magic links through the legacy API, and verify OTPs',
  admin: 'rename, revoke and delete the devices of a user',
} as const
export type Scope = keyof typeof scopes

type BackendEndpoint = {
  [Name in EndpointName]: (typeof endpoints)[Name] extends { caller: 'client' } ? Name : never
}[EndpointName]

/** An endpoint without a scope does not compile. */
export const scopeOfEndpoint = {
  decide: 'decisions',
  readDecision: 'decisions',
  passChallenge: 'decisions',
  listReviews: 'reviews',
  resolveReview: 'reviews',
  simSwapCheck: 'telecom',
  callForwardingCheck: 'telecom',
  portability: 'telecom',
  telecomChecks: 'telecom',
  createBatch: 'telecom',
  readBatch: 'telecom',
  readBatchResults: 'telecom',
  listBatches: 'telecom',
  cancelBatch: 'telecom',
  beginNumberVerification: 'telecom',
  completeNumberVerification: 'telecom',
  watchNumber: 'telecom',
  readWatch: 'telecom',
  listWatches: 'telecom',
  deleteWatch: 'telecom',
  validateToken: 'tokens',
  secureInfo: 'tokens',
  issueToken: 'tokens',
  revokeToken: 'tokens',
  userInfo: 'tokens',
  exchangeCode: 'tokens',
  deviceFingerprint: 'device',
  listAccountDevices: 'device',
  updateAccountDevice: 'admin',
  deleteAccountDevices: 'admin',
  labelReports: 'labels',
  searchEvents: 'events',
  createList: 'lists',
  describeLists: 'lists',
  deleteList: 'lists',
  addListEntries: 'lists',
  removeListEntries: 'lists',
  lookUpList: 'lists',
  readList: 'lists',
  sendMagicLink: 'messages',
  sendOtp: 'messages',
  resendOtp: 'messages',
  verifyOtp: 'messages',
} as const satisfies Record<BackendEndpoint, Scope>
