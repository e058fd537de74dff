// Which paths does the admin API answer? Each with the permission that it needs.

import { adminEndpoints as e } from '@ringfence/contract'
import { adminEndpoint, type EndpointRow } from '../http/surface.ts'
import { callsOf } from './calls-of.ts'
import { peopleSurface } from './people-surface.ts'

const apps = callsOf(() => import('./calls/apps.ts'))
const audit = callsOf(() => import('./calls/audit.ts'))
const backtests = callsOf(() => import('./calls/backtests.ts'))
const clientKeys = callsOf(() => import('./calls/client-keys.ts'))
const demo = callsOf(() => import('./calls/demo.ts'))
const lists = callsOf(() => import('./calls/lists.ts'))
const live = callsOf(() => import('./calls/live.ts'))
const overview = callsOf(() => import('./calls/overview.ts'))
const personalData = callsOf(() => import('./calls/personal-data.ts'))
const privacy = callsOf(() => import('./calls/privacy.ts'))
const records = callsOf(() => import('./calls/records.ts'))
const ruleEditing = callsOf(() => import('./calls/rule-editing.ts'))
const rulePublishing = callsOf(() => import('./calls/rule-publishing.ts'))
const rules = callsOf(() => import('./calls/rules.ts'))
const countSignIns = callsOf(() => import('./calls/service/count-sign-ins.ts'))
const signIn = callsOf(() => import('./calls/service/sign-in.ts'))
const spending = callsOf(() => import('./calls/service/spending.ts'))
const system = callsOf(() => import('./calls/service/system.ts'))
const setup = callsOf(() => import('./calls/setup.ts'))
const tryDecision = callsOf(() => import('./calls/try-decision.ts'))
const webhooks = callsOf(() => import('./calls/webhooks.ts'))
const reviewCalls = callsOf(() => import('./reviews/review-calls.ts'))
const checkNumber = callsOf(() => import('./subjects/check-number.ts'))
const explainRoute = callsOf(() => import('./subjects/explain-route.ts'))
const readDevice = callsOf(() => import('./subjects/read-device.ts'))
const readNumber = callsOf(() => import('./subjects/read-number.ts'))
const readUser = callsOf(() => import('./subjects/read-user.ts'))
const trustDevice = callsOf(() => import('./subjects/trust-device.ts'))

/** endpoint of the contract | path | permission | handler | refusal of each field, where it is not `fieldInvalid` */
export const adminSurface: readonly EndpointRow[] = [
  ...peopleSurface,

  adminEndpoint(e.readOverview, '/admin/v1/overview', 'decisions.read', overview('adminReadOverview')),
  adminEndpoint(e.tryDecision, '/admin/v1/decisions/try', 'decisions.try', tryDecision('adminTryDecision')),
  adminEndpoint(e.searchEvents, '/admin/v1/events/search', 'decisions.read', records('adminSearchEvents')),
  adminEndpoint(e.findRecords, '/admin/v1/records/find', 'decisions.read', records('adminFindRecords')),
  adminEndpoint(e.watchEvents, '/admin/v1/events/live', 'decisions.read', live('adminWatchEvents')),
  adminEndpoint(e.readDecision, '/admin/v1/decisions/{decisionId}', 'decisions.read', records('adminReadDecision'), {
    decisionId: 'decisionUnknown',
  }),
  adminEndpoint(e.readReport, '/admin/v1/device-reports/{dfrId}', 'decisions.read', records('adminReadReport'), {
    dfrId: 'reportUnknown',
    deviceType: 'fieldInvalid',
  }),
  adminEndpoint(e.reveal, '/admin/v1/reveal', 'personalData.reveal', personalData('adminReveal')),
  adminEndpoint(e.listReveals, '/admin/v1/privacy/reveals', 'privacy.read', personalData('adminListReveals')),
  adminEndpoint(e.readRetention, '/admin/v1/privacy/retention', 'privacy.read', privacy('adminReadRetention')),
  adminEndpoint(e.listErasures, '/admin/v1/privacy/erasures', 'privacy.read', privacy('adminListErasures')),
  adminEndpoint(e.exportSubject, '/admin/v1/privacy/export', 'privacy.export', privacy('adminExportSubject')),
  adminEndpoint(e.eraseSubject, '/admin/v1/privacy/erase', 'privacy.erase', privacy('adminEraseSubject')),
  adminEndpoint(e.label, '/admin/v1/labels', 'decisions.label', records('adminLabel')),
  adminEndpoint(e.listReviews, '/admin/v1/reviews', 'reviews.read', reviewCalls('adminListReviews')),
  adminEndpoint(
    e.resolveReview,
    '/admin/v1/decisions/{decisionId}/review',
    'reviews.resolve',
    reviewCalls('adminResolveReview'),
    {
      decisionId: 'reviewUnknown',
      outcome: 'fieldInvalid',
      note: 'fieldInvalid',
    },
  ),
  adminEndpoint(
    e.readReview,
    '/admin/v1/reviews/{decisionId}',
    'reviews.read',
    reviewCalls('adminReadReview'),
    'reviewUnknown',
  ),
  adminEndpoint(
    e.assignReview,
    '/admin/v1/reviews/{decisionId}/assign',
    'reviews.resolve',
    reviewCalls('adminAssignReview'),
    {
      decisionId: 'reviewUnknown',
      personId: 'reviewerUnknown',
      insteadOf: 'fieldInvalid',
    },
  ),
  adminEndpoint(
    e.commentReview,
    '/admin/v1/reviews/{decisionId}/comment',
    'reviews.resolve',
    reviewCalls('adminCommentReview'),
    {
      decisionId: 'reviewUnknown',
      comment: 'fieldInvalid',
    },
  ),
  adminEndpoint(e.listReviewers, '/admin/v1/reviewers', 'reviews.resolve', reviewCalls('adminListReviewers')),
  adminEndpoint(
    e.setReviewDeadline,
    '/admin/v1/review-deadline',
    'reviews.policy',
    reviewCalls('adminSetReviewDeadline'),
  ),
  adminEndpoint(e.listUserDevices, '/admin/v1/users/devices/list', 'users.read', records('adminListUserDevices')),
  adminEndpoint(e.updateUserDevice, '/admin/v1/users/devices/update', 'users.write', records('adminUpdateUserDevice')),
  adminEndpoint(
    e.deleteUserDevices,
    '/admin/v1/users/devices/delete',
    'users.write',
    records('adminDeleteUserDevices'),
  ),

  adminEndpoint(e.readUser, '/admin/v1/users/read', 'users.read', readUser('adminReadUser')),
  adminEndpoint(e.trustUserDevice, '/admin/v1/users/devices/trust', 'users.write', trustDevice('adminTrustUserDevice')),
  adminEndpoint(e.readNumber, '/admin/v1/numbers/read', 'numbers.read', readNumber('adminReadNumber')),
  adminEndpoint(e.explainRoute, '/admin/v1/numbers/route', 'numbers.read', explainRoute('adminExplainRoute')),
  adminEndpoint(e.checkNumber, '/admin/v1/numbers/check', 'numbers.check', checkNumber('adminCheckNumber')),
  adminEndpoint(
    e.readDevice,
    '/admin/v1/devices/{deviceId}',
    'devices.read',
    readDevice('adminReadDevice'),
    'deviceUnknown',
  ),
  adminEndpoint(
    e.listDeviceVisits,
    '/admin/v1/devices/{deviceId}/visits',
    'devices.read',
    readDevice('adminListDeviceVisits'),
    {
      deviceId: 'deviceUnknown',
      limit: 'fieldInvalid',
      cursor: 'fieldInvalid',
    },
  ),
  adminEndpoint(
    e.forgetDevice,
    '/admin/v1/devices/{deviceId}/forget',
    'devices.forget',
    readDevice('adminForgetDevice'),
    'deviceUnknown',
  ),

  adminEndpoint(e.listRuleVersions, '/admin/v1/rules', 'rules.read', rules('adminListRuleVersions')),
  adminEndpoint(e.readRuleHistory, '/admin/v1/rules/history', 'rules.read', rules('adminReadRuleHistory')),
  adminEndpoint(
    e.readRules,
    '/admin/v1/rules/versions/{version}',
    'rules.read',
    rules('adminReadRules'),
    'ruleVersionUnknown',
  ),
  adminEndpoint(
    e.readRuleVocabulary,
    '/admin/v1/rules/vocabulary',
    'rules.read',
    ruleEditing('adminReadRuleVocabulary'),
  ),
  adminEndpoint(e.checkRules, '/admin/v1/rules/check', 'rules.write', ruleEditing('adminCheckRules')),
  adminEndpoint(e.saveRuleDraft, '/admin/v1/rules/draft', 'rules.write', ruleEditing('adminSaveRuleDraft')),
  adminEndpoint(e.compareRules, '/admin/v1/rules/differences', 'rules.read', ruleEditing('adminCompareRules')),
  adminEndpoint(e.startRuleShadow, '/admin/v1/rules/shadow', 'rules.write', ruleEditing('adminStartRuleShadow')),
  adminEndpoint(e.endRuleShadow, '/admin/v1/rules/shadow/end', 'rules.write', ruleEditing('adminEndRuleShadow')),
  adminEndpoint(
    e.compareRuleShadow,
    '/admin/v1/rules/shadow/comparison',
    'rules.read',
    ruleEditing('adminCompareRuleShadow'),
  ),
  adminEndpoint(
    e.listPublications,
    '/admin/v1/rules/publications',
    'rules.read',
    rulePublishing('adminListPublications'),
  ),
  adminEndpoint(
    e.previewPublication,
    '/admin/v1/rules/publications/preview',
    'rules.write',
    rulePublishing('adminPreviewPublication'),
  ),
  adminEndpoint(
    e.requestPublication,
    '/admin/v1/rules/publications/request',
    'rules.write',
    rulePublishing('adminRequestPublication'),
  ),
  adminEndpoint(
    e.approvePublication,
    '/admin/v1/rules/publications/{number}/approve',
    'rules.publish',
    rulePublishing('adminApprovePublication'),
    { number: 'publicationUnknown', note: 'fieldInvalid' },
  ),
  adminEndpoint(
    e.rejectPublication,
    '/admin/v1/rules/publications/{number}/reject',
    'rules.write',
    rulePublishing('adminRejectPublication'),
    { number: 'publicationUnknown', note: 'fieldInvalid' },
  ),
  adminEndpoint(
    e.setPublishPolicy,
    '/admin/v1/rules/publish-policy',
    'rules.policy',
    rulePublishing('adminSetPublishPolicy'),
  ),
  adminEndpoint(e.startBacktest, '/admin/v1/rules/backtests/start', 'rules.write', backtests('adminStartBacktest')),
  adminEndpoint(e.listBacktests, '/admin/v1/rules/backtests', 'rules.read', backtests('adminListBacktests')),
  adminEndpoint(
    e.readBacktest,
    '/admin/v1/rules/backtests/{backtestId}',
    'rules.read',
    backtests('adminReadBacktest'),
    'backtestUnknown',
  ),
  adminEndpoint(
    e.cancelBacktest,
    '/admin/v1/rules/backtests/{backtestId}/cancel',
    'rules.write',
    backtests('adminCancelBacktest'),
    'backtestUnknown',
  ),

  adminEndpoint(e.describeLists, '/admin/v1/lists', 'lists.read', lists('adminDescribeLists')),
  adminEndpoint(e.readList, '/admin/v1/lists/{name}/entries', 'lists.read', lists('adminReadList')),
  adminEndpoint(e.lookUpList, '/admin/v1/lists/look-up', 'lists.read', lists('adminLookUpList')),
  adminEndpoint(e.createList, '/admin/v1/lists/create', 'lists.write', lists('adminCreateList')),
  adminEndpoint(e.deleteList, '/admin/v1/lists/delete', 'lists.write', lists('adminDeleteList')),
  adminEndpoint(e.addListEntries, '/admin/v1/lists/add', 'lists.write', lists('adminAddListEntries')),
  adminEndpoint(e.previewListImport, '/admin/v1/lists/preview-import', 'lists.write', lists('adminPreviewListImport')),
  adminEndpoint(e.removeListEntries, '/admin/v1/lists/remove', 'lists.write', lists('adminRemoveListEntries')),

  adminEndpoint(e.listApps, '/admin/v1/apps', 'apps.read', setup('adminListApps')),
  adminEndpoint(e.listClients, '/admin/v1/clients', 'keys.read', setup('adminListClients')),
  adminEndpoint(e.listWebhooks, '/admin/v1/webhooks', 'webhooks.read', setup('adminListWebhooks')),
  adminEndpoint(
    e.listWebhookAttempts,
    '/admin/v1/webhooks/{webhookId}/attempts',
    'webhooks.read',
    setup('adminListWebhookAttempts'),
  ),
  adminEndpoint(e.createApp, '/admin/v1/apps/create', 'apps.write', apps('adminCreateApp')),
  adminEndpoint(e.updateApp, '/admin/v1/apps/{appId}/update', 'apps.write', apps('adminUpdateApp')),
  adminEndpoint(e.disableApp, '/admin/v1/apps/{appId}/disable', 'apps.write', apps('adminDisableApp')),
  adminEndpoint(e.createClient, '/admin/v1/clients/create', 'keys.write', clientKeys('adminCreateClient')),
  adminEndpoint(e.rotateClient, '/admin/v1/clients/{clientId}/rotate', 'keys.write', clientKeys('adminRotateClient')),
  adminEndpoint(
    e.revokeOlderSecrets,
    '/admin/v1/clients/{clientId}/revoke-older',
    'keys.write',
    clientKeys('adminRevokeOlderSecrets'),
  ),
  adminEndpoint(e.revokeClient, '/admin/v1/clients/{clientId}/revoke', 'keys.write', clientKeys('adminRevokeClient')),
  adminEndpoint(
    e.addPublicKey,
    '/admin/v1/clients/{clientId}/public-keys/add',
    'keys.write',
    clientKeys('adminAddPublicKey'),
  ),
  adminEndpoint(
    e.removePublicKey,
    '/admin/v1/clients/{clientId}/public-keys/remove',
    'keys.write',
    clientKeys('adminRemovePublicKey'),
  ),
  adminEndpoint(e.addWebhook, '/admin/v1/webhooks/add', 'webhooks.write', webhooks('adminAddWebhook')),
  adminEndpoint(
    e.pauseWebhook,
    '/admin/v1/webhooks/{webhookId}/pause',
    'webhooks.write',
    webhooks('adminPauseWebhook'),
  ),
  adminEndpoint(
    e.resumeWebhook,
    '/admin/v1/webhooks/{webhookId}/resume',
    'webhooks.write',
    webhooks('adminResumeWebhook'),
  ),
  adminEndpoint(
    e.rotateWebhook,
    '/admin/v1/webhooks/{webhookId}/rotate',
    'webhooks.write',
    webhooks('adminRotateWebhook'),
  ),
  adminEndpoint(
    e.removeWebhook,
    '/admin/v1/webhooks/{webhookId}/remove',
    'webhooks.write',
    webhooks('adminRemoveWebhook'),
  ),
  adminEndpoint(e.testWebhook, '/admin/v1/webhooks/{webhookId}/test', 'webhooks.write', webhooks('adminTestWebhook')),
  adminEndpoint(
    e.replayWebhook,
    '/admin/v1/webhooks/{webhookId}/replay',
    'webhooks.write',
    webhooks('adminReplayWebhook'),
  ),
  adminEndpoint(e.readSignIn, '/admin/v1/sign-in-channels', 'signins.read', signIn('adminReadSignIn')),
  adminEndpoint(e.countSignIns, '/admin/v1/sign-in-channels/counts', 'signins.read', countSignIns('adminCountSignIns')),
  adminEndpoint(e.readOutbox, '/admin/v1/sign-in-channels/outbox', 'signins.test', signIn('adminReadOutbox')),
  adminEndpoint(e.testChannel, '/admin/v1/sign-in-channels/test', 'signins.test', signIn('adminTestChannel')),
  adminEndpoint(e.readSystemDetails, '/admin/v1/system/details', 'system.read', system('adminReadSystemDetails')),
  adminEndpoint(e.readSpending, '/admin/v1/spending', 'system.read', spending('adminReadSpending')),
  adminEndpoint(e.checkSystem, '/admin/v1/system/check', 'system.check', system('adminCheckSystem')),
  adminEndpoint(e.listAudit, '/admin/v1/audit', 'audit.read', audit('adminListAudit')),
  adminEndpoint(e.exportAudit, '/admin/v1/audit/export', 'audit.read', audit('adminExportAudit')),
  adminEndpoint(e.verifyAudit, '/admin/v1/audit/verify', 'audit.read', audit('adminVerifyAudit')),
  adminEndpoint(e.readSystem, '/admin/v1/system', 'system.read', setup('adminReadSystem')),

  adminEndpoint(e.readDemo, '/admin/v1/demo', 'signedIn', demo('adminReadDemo')),
  adminEndpoint(e.removeDemo, '/admin/v1/demo/remove', 'demo.remove', demo('adminRemoveDemo')),
]
