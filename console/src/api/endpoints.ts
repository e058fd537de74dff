// Generated from contract/src by scripts/generate-client-types.ts; change it there.

import type { Calls } from './types.ts'

export type Permission =
  | 'decisions.read'
  | 'decisions.label'
  | 'decisions.try'
  | 'personalData.read'
  | 'personalData.reveal'
  | 'privacy.read'
  | 'privacy.export'
  | 'privacy.erase'
  | 'reviews.read'
  | 'reviews.resolve'
  | 'reviews.policy'
  | 'users.read'
  | 'users.write'
  | 'devices.read'
  | 'devices.forget'
  | 'numbers.read'
  | 'numbers.check'
  | 'rules.read'
  | 'rules.write'
  | 'rules.publish'
  | 'rules.policy'
  | 'lists.read'
  | 'lists.write'
  | 'apps.read'
  | 'apps.write'
  | 'keys.read'
  | 'keys.write'
  | 'webhooks.read'
  | 'webhooks.write'
  | 'signins.read'
  | 'signins.test'
  | 'audit.read'
  | 'system.read'
  | 'people.read'
  | 'people.write'
  | 'system.check'
  | 'demo.remove'

export interface AdminCall {
  readonly method: 'GET' | 'POST'
  /** A part in braces is a field of the request. */
  readonly path: string
  /** `signedIn`: any role; `anyone`: before sign-in. */
  readonly permission: Permission | 'signedIn' | 'anyone'
  readonly effect: 'read' | 'write'
}

export const endpoints: Readonly<Record<keyof Calls, AdminCall>> = {
  listAudit: { method: 'GET', path: '/admin/v1/audit', permission: 'audit.read', effect: 'read' },
  exportAudit: { method: 'GET', path: '/admin/v1/audit/export', permission: 'audit.read', effect: 'read' },
  verifyAudit: { method: 'POST', path: '/admin/v1/audit/verify', permission: 'audit.read', effect: 'read' },
  me: { method: 'GET', path: '/admin/v1/me', permission: 'signedIn', effect: 'read' },
  signIn: { method: 'POST', path: '/admin/v1/sign-in', permission: 'anyone', effect: 'write' },
  openInvitation: { method: 'POST', path: '/admin/v1/invitations/open', permission: 'anyone', effect: 'read' },
  acceptInvitation: { method: 'POST', path: '/admin/v1/invitations/accept', permission: 'anyone', effect: 'write' },
  signOut: { method: 'POST', path: '/admin/v1/sign-out', permission: 'anyone', effect: 'write' },
  listSessions: { method: 'GET', path: '/admin/v1/sessions', permission: 'signedIn', effect: 'read' },
  endSession: { method: 'POST', path: '/admin/v1/sessions/{sessionId}/end', permission: 'signedIn', effect: 'write' },
  findRecords: { method: 'POST', path: '/admin/v1/records/find', permission: 'decisions.read', effect: 'read' },
  readOverview: { method: 'GET', path: '/admin/v1/overview', permission: 'decisions.read', effect: 'read' },
  tryDecision: { method: 'POST', path: '/admin/v1/decisions/try', permission: 'decisions.try', effect: 'write' },
  searchEvents: { method: 'POST', path: '/admin/v1/events/search', permission: 'decisions.read', effect: 'read' },
  watchEvents: { method: 'GET', path: '/admin/v1/events/live', permission: 'decisions.read', effect: 'read' },
  readDecision: {
    method: 'GET',
    path: '/admin/v1/decisions/{decisionId}',
    permission: 'decisions.read',
    effect: 'read',
  },
  readReport: { method: 'GET', path: '/admin/v1/device-reports/{dfrId}', permission: 'decisions.read', effect: 'read' },
  label: { method: 'POST', path: '/admin/v1/labels', permission: 'decisions.label', effect: 'write' },
  resolveReview: {
    method: 'POST',
    path: '/admin/v1/decisions/{decisionId}/review',
    permission: 'reviews.resolve',
    effect: 'write',
  },
  listUserDevices: { method: 'POST', path: '/admin/v1/users/devices/list', permission: 'users.read', effect: 'read' },
  updateUserDevice: {
    method: 'POST',
    path: '/admin/v1/users/devices/update',
    permission: 'users.write',
    effect: 'write',
  },
  deleteUserDevices: {
    method: 'POST',
    path: '/admin/v1/users/devices/delete',
    permission: 'users.write',
    effect: 'write',
  },
  listReviews: { method: 'GET', path: '/admin/v1/reviews', permission: 'reviews.read', effect: 'read' },
  readReview: { method: 'GET', path: '/admin/v1/reviews/{decisionId}', permission: 'reviews.read', effect: 'read' },
  assignReview: {
    method: 'POST',
    path: '/admin/v1/reviews/{decisionId}/assign',
    permission: 'reviews.resolve',
    effect: 'write',
  },
  commentReview: {
    method: 'POST',
    path: '/admin/v1/reviews/{decisionId}/comment',
    permission: 'reviews.resolve',
    effect: 'write',
  },
  listReviewers: { method: 'GET', path: '/admin/v1/reviewers', permission: 'reviews.resolve', effect: 'read' },
  setReviewDeadline: {
    method: 'POST',
    path: '/admin/v1/review-deadline',
    permission: 'reviews.policy',
    effect: 'write',
  },
  reveal: { method: 'POST', path: '/admin/v1/reveal', permission: 'personalData.reveal', effect: 'write' },
  listReveals: { method: 'GET', path: '/admin/v1/privacy/reveals', permission: 'privacy.read', effect: 'read' },
  readRetention: { method: 'GET', path: '/admin/v1/privacy/retention', permission: 'privacy.read', effect: 'read' },
  listErasures: { method: 'GET', path: '/admin/v1/privacy/erasures', permission: 'privacy.read', effect: 'read' },
  exportSubject: { method: 'POST', path: '/admin/v1/privacy/export', permission: 'privacy.export', effect: 'write' },
  eraseSubject: { method: 'POST', path: '/admin/v1/privacy/erase', permission: 'privacy.erase', effect: 'write' },
  listRuleVersions: { method: 'GET', path: '/admin/v1/rules', permission: 'rules.read', effect: 'read' },
  readRuleHistory: { method: 'GET', path: '/admin/v1/rules/history', permission: 'rules.read', effect: 'read' },
  readRules: { method: 'GET', path: '/admin/v1/rules/versions/{version}', permission: 'rules.read', effect: 'read' },
  describeLists: { method: 'GET', path: '/admin/v1/lists', permission: 'lists.read', effect: 'read' },
  readList: { method: 'GET', path: '/admin/v1/lists/{name}/entries', permission: 'lists.read', effect: 'read' },
  lookUpList: { method: 'POST', path: '/admin/v1/lists/look-up', permission: 'lists.read', effect: 'read' },
  createList: { method: 'POST', path: '/admin/v1/lists/create', permission: 'lists.write', effect: 'write' },
  deleteList: { method: 'POST', path: '/admin/v1/lists/delete', permission: 'lists.write', effect: 'write' },
  addListEntries: { method: 'POST', path: '/admin/v1/lists/add', permission: 'lists.write', effect: 'write' },
  previewListImport: {
    method: 'POST',
    path: '/admin/v1/lists/preview-import',
    permission: 'lists.write',
    effect: 'read',
  },
  removeListEntries: { method: 'POST', path: '/admin/v1/lists/remove', permission: 'lists.write', effect: 'write' },
  readRuleVocabulary: { method: 'GET', path: '/admin/v1/rules/vocabulary', permission: 'rules.read', effect: 'read' },
  checkRules: { method: 'POST', path: '/admin/v1/rules/check', permission: 'rules.write', effect: 'read' },
  saveRuleDraft: { method: 'POST', path: '/admin/v1/rules/draft', permission: 'rules.write', effect: 'write' },
  compareRules: { method: 'GET', path: '/admin/v1/rules/differences', permission: 'rules.read', effect: 'read' },
  startRuleShadow: { method: 'POST', path: '/admin/v1/rules/shadow', permission: 'rules.write', effect: 'write' },
  endRuleShadow: { method: 'POST', path: '/admin/v1/rules/shadow/end', permission: 'rules.write', effect: 'write' },
  compareRuleShadow: {
    method: 'GET',
    path: '/admin/v1/rules/shadow/comparison',
    permission: 'rules.read',
    effect: 'read',
  },
  listPublications: { method: 'GET', path: '/admin/v1/rules/publications', permission: 'rules.read', effect: 'read' },
  previewPublication: {
    method: 'POST',
    path: '/admin/v1/rules/publications/preview',
    permission: 'rules.write',
    effect: 'read',
  },
  requestPublication: {
    method: 'POST',
    path: '/admin/v1/rules/publications/request',
    permission: 'rules.write',
    effect: 'write',
  },
  approvePublication: {
    method: 'POST',
    path: '/admin/v1/rules/publications/{number}/approve',
    permission: 'rules.publish',
    effect: 'write',
  },
  rejectPublication: {
    method: 'POST',
    path: '/admin/v1/rules/publications/{number}/reject',
    permission: 'rules.write',
    effect: 'write',
  },
  setPublishPolicy: {
    method: 'POST',
    path: '/admin/v1/rules/publish-policy',
    permission: 'rules.policy',
    effect: 'write',
  },
  startBacktest: {
    method: 'POST',
    path: '/admin/v1/rules/backtests/start',
    permission: 'rules.write',
    effect: 'write',
  },
  listBacktests: { method: 'GET', path: '/admin/v1/rules/backtests', permission: 'rules.read', effect: 'read' },
  readBacktest: {
    method: 'GET',
    path: '/admin/v1/rules/backtests/{backtestId}',
    permission: 'rules.read',
    effect: 'read',
  },
  cancelBacktest: {
    method: 'POST',
    path: '/admin/v1/rules/backtests/{backtestId}/cancel',
    permission: 'rules.write',
    effect: 'write',
  },
  listApps: { method: 'GET', path: '/admin/v1/apps', permission: 'apps.read', effect: 'read' },
  listClients: { method: 'GET', path: '/admin/v1/clients', permission: 'keys.read', effect: 'read' },
  listWebhooks: { method: 'GET', path: '/admin/v1/webhooks', permission: 'webhooks.read', effect: 'read' },
  listWebhookAttempts: {
    method: 'GET',
    path: '/admin/v1/webhooks/{webhookId}/attempts',
    permission: 'webhooks.read',
    effect: 'read',
  },
  readSystem: { method: 'GET', path: '/admin/v1/system', permission: 'system.read', effect: 'read' },
  readDevice: { method: 'GET', path: '/admin/v1/devices/{deviceId}', permission: 'devices.read', effect: 'read' },
  listDeviceVisits: {
    method: 'GET',
    path: '/admin/v1/devices/{deviceId}/visits',
    permission: 'devices.read',
    effect: 'read',
  },
  forgetDevice: {
    method: 'POST',
    path: '/admin/v1/devices/{deviceId}/forget',
    permission: 'devices.forget',
    effect: 'write',
  },
  createApp: { method: 'POST', path: '/admin/v1/apps/create', permission: 'apps.write', effect: 'write' },
  updateApp: { method: 'POST', path: '/admin/v1/apps/{appId}/update', permission: 'apps.write', effect: 'write' },
  disableApp: { method: 'POST', path: '/admin/v1/apps/{appId}/disable', permission: 'apps.write', effect: 'write' },
  createClient: { method: 'POST', path: '/admin/v1/clients/create', permission: 'keys.write', effect: 'write' },
  rotateClient: {
    method: 'POST',
    path: '/admin/v1/clients/{clientId}/rotate',
    permission: 'keys.write',
    effect: 'write',
  },
  revokeOlderSecrets: {
    method: 'POST',
    path: '/admin/v1/clients/{clientId}/revoke-older',
    permission: 'keys.write',
    effect: 'write',
  },
  revokeClient: {
    method: 'POST',
    path: '/admin/v1/clients/{clientId}/revoke',
    permission: 'keys.write',
    effect: 'write',
  },
  addPublicKey: {
    method: 'POST',
    path: '/admin/v1/clients/{clientId}/public-keys/add',
    permission: 'keys.write',
    effect: 'write',
  },
  removePublicKey: {
    method: 'POST',
    path: '/admin/v1/clients/{clientId}/public-keys/remove',
    permission: 'keys.write',
    effect: 'write',
  },
  addWebhook: { method: 'POST', path: '/admin/v1/webhooks/add', permission: 'webhooks.write', effect: 'write' },
  pauseWebhook: {
    method: 'POST',
    path: '/admin/v1/webhooks/{webhookId}/pause',
    permission: 'webhooks.write',
    effect: 'write',
  },
  resumeWebhook: {
    method: 'POST',
    path: '/admin/v1/webhooks/{webhookId}/resume',
    permission: 'webhooks.write',
    effect: 'write',
  },
  rotateWebhook: {
    method: 'POST',
    path: '/admin/v1/webhooks/{webhookId}/rotate',
    permission: 'webhooks.write',
    effect: 'write',
  },
  removeWebhook: {
    method: 'POST',
    path: '/admin/v1/webhooks/{webhookId}/remove',
    permission: 'webhooks.write',
    effect: 'write',
  },
  testWebhook: {
    method: 'POST',
    path: '/admin/v1/webhooks/{webhookId}/test',
    permission: 'webhooks.write',
    effect: 'write',
  },
  replayWebhook: {
    method: 'POST',
    path: '/admin/v1/webhooks/{webhookId}/replay',
    permission: 'webhooks.write',
    effect: 'write',
  },
  listPeople: { method: 'GET', path: '/admin/v1/people', permission: 'people.read', effect: 'read' },
  changeRole: { method: 'POST', path: '/admin/v1/people/{personId}/role', permission: 'people.write', effect: 'write' },
  removePerson: {
    method: 'POST',
    path: '/admin/v1/people/{personId}/remove',
    permission: 'people.write',
    effect: 'write',
  },
  resetPerson: {
    method: 'POST',
    path: '/admin/v1/people/{personId}/reset',
    permission: 'people.write',
    effect: 'write',
  },
  listInvitations: { method: 'GET', path: '/admin/v1/invitations', permission: 'people.read', effect: 'read' },
  invite: { method: 'POST', path: '/admin/v1/invitations/create', permission: 'people.write', effect: 'write' },
  withdrawInvitation: {
    method: 'POST',
    path: '/admin/v1/invitations/{invitationId}/withdraw',
    permission: 'people.write',
    effect: 'write',
  },
  listRoles: { method: 'GET', path: '/admin/v1/roles', permission: 'people.read', effect: 'read' },
  createRole: { method: 'POST', path: '/admin/v1/roles/create', permission: 'people.write', effect: 'write' },
  editRole: { method: 'POST', path: '/admin/v1/roles/{name}/edit', permission: 'people.write', effect: 'write' },
  removeRole: { method: 'POST', path: '/admin/v1/roles/{name}/remove', permission: 'people.write', effect: 'write' },
  readSso: { method: 'GET', path: '/admin/v1/sso', permission: 'people.read', effect: 'read' },
  saveSso: { method: 'POST', path: '/admin/v1/sso/save', permission: 'people.write', effect: 'write' },
  removeSso: { method: 'POST', path: '/admin/v1/sso/remove', permission: 'people.write', effect: 'write' },
  testSso: { method: 'POST', path: '/admin/v1/sso/test', permission: 'people.write', effect: 'write' },
  listSsoConnections: { method: 'GET', path: '/admin/v1/sso/connections', permission: 'anyone', effect: 'read' },
  startSso: { method: 'POST', path: '/admin/v1/sso/start', permission: 'anyone', effect: 'write' },
  finishSso: { method: 'POST', path: '/admin/v1/sso/finish', permission: 'anyone', effect: 'write' },
  readSignIn: { method: 'GET', path: '/admin/v1/sign-in-channels', permission: 'signins.read', effect: 'read' },
  countSignIns: {
    method: 'GET',
    path: '/admin/v1/sign-in-channels/counts',
    permission: 'signins.read',
    effect: 'read',
  },
  readOutbox: { method: 'GET', path: '/admin/v1/sign-in-channels/outbox', permission: 'signins.test', effect: 'read' },
  testChannel: { method: 'POST', path: '/admin/v1/sign-in-channels/test', permission: 'signins.test', effect: 'write' },
  readSystemDetails: { method: 'GET', path: '/admin/v1/system/details', permission: 'system.read', effect: 'read' },
  readSpending: { method: 'GET', path: '/admin/v1/spending', permission: 'system.read', effect: 'read' },
  checkSystem: { method: 'POST', path: '/admin/v1/system/check', permission: 'system.check', effect: 'read' },
  readDemo: { method: 'GET', path: '/admin/v1/demo', permission: 'signedIn', effect: 'read' },
  removeDemo: { method: 'POST', path: '/admin/v1/demo/remove', permission: 'demo.remove', effect: 'write' },
  readUser: { method: 'POST', path: '/admin/v1/users/read', permission: 'users.read', effect: 'read' },
  trustUserDevice: {
    method: 'POST',
    path: '/admin/v1/users/devices/trust',
    permission: 'users.write',
    effect: 'write',
  },
  readNumber: { method: 'POST', path: '/admin/v1/numbers/read', permission: 'numbers.read', effect: 'read' },
  explainRoute: { method: 'POST', path: '/admin/v1/numbers/route', permission: 'numbers.read', effect: 'read' },
  checkNumber: { method: 'POST', path: '/admin/v1/numbers/check', permission: 'numbers.check', effect: 'write' },
  readFactors: { method: 'GET', path: '/admin/v1/account/factors', permission: 'signedIn', effect: 'read' },
  changePassword: { method: 'POST', path: '/admin/v1/account/password', permission: 'signedIn', effect: 'write' },
  renewRecoveryCodes: {
    method: 'POST',
    path: '/admin/v1/account/recovery-codes',
    permission: 'signedIn',
    effect: 'write',
  },
  beginAuthenticator: {
    method: 'POST',
    path: '/admin/v1/account/authenticator/begin',
    permission: 'signedIn',
    effect: 'read',
  },
  replaceAuthenticator: {
    method: 'POST',
    path: '/admin/v1/account/authenticator',
    permission: 'signedIn',
    effect: 'write',
  },
  beginPasskeySignIn: { method: 'POST', path: '/admin/v1/sign-in/passkey/begin', permission: 'anyone', effect: 'read' },
  signInWithPasskey: { method: 'POST', path: '/admin/v1/sign-in/passkey', permission: 'anyone', effect: 'write' },
  beginConfirmation: {
    method: 'POST',
    path: '/admin/v1/account/confirm/begin',
    permission: 'signedIn',
    effect: 'read',
  },
  confirmPerson: { method: 'POST', path: '/admin/v1/account/confirm', permission: 'signedIn', effect: 'write' },
  listPasskeys: { method: 'GET', path: '/admin/v1/account/passkeys', permission: 'signedIn', effect: 'read' },
  beginPasskey: { method: 'POST', path: '/admin/v1/account/passkeys/begin', permission: 'signedIn', effect: 'read' },
  addPasskey: { method: 'POST', path: '/admin/v1/account/passkeys/add', permission: 'signedIn', effect: 'write' },
  renamePasskey: {
    method: 'POST',
    path: '/admin/v1/account/passkeys/{passkeyId}/rename',
    permission: 'signedIn',
    effect: 'write',
  },
  removePasskey: {
    method: 'POST',
    path: '/admin/v1/account/passkeys/{passkeyId}/remove',
    permission: 'signedIn',
    effect: 'write',
  },
}
