// Which handler answers each endpoint of the admin API?

import { adminEndpoints as e } from '@ringfence/contract'
import { type EndpointRow, handle } from '../core/rows.ts'
import { callsOf } from './calls-of.ts'
import { peopleSurface } from './people-surface.ts'
import type { AdminNeeds } from './room.ts'

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
const listEntities = callsOf(() => import('./subjects/list-entities.ts'))
const readDevice = callsOf(() => import('./subjects/read-device.ts'))
const readNumber = callsOf(() => import('./subjects/read-number.ts'))
const readUser = callsOf(() => import('./subjects/read-user.ts'))
const trustDevice = callsOf(() => import('./subjects/trust-device.ts'))

export const adminSurface: readonly EndpointRow<AdminNeeds>[] = [
  ...peopleSurface,

  handle(e.readOverview, overview('adminReadOverview')),
  handle(e.readPerformance, overview('adminReadPerformance')),
  handle(e.searchDecisions, overview('adminSearchDecisions')),
  handle(e.tryDecision, tryDecision('adminTryDecision')),
  handle(e.searchEvents, records('adminSearchEvents')),
  handle(e.findRecords, records('adminFindRecords')),
  handle(e.watchEvents, live('adminWatchEvents')),
  handle(e.readDecision, records('adminReadDecision')),
  handle(e.readReport, records('adminReadReport')),
  handle(e.reveal, personalData('adminReveal')),
  handle(e.listReveals, personalData('adminListReveals')),
  handle(e.readRetention, privacy('adminReadRetention')),
  handle(e.listErasures, privacy('adminListErasures')),
  handle(e.exportSubject, privacy('adminExportSubject')),
  handle(e.eraseSubject, privacy('adminEraseSubject')),
  handle(e.label, records('adminLabel')),
  handle(e.listReviews, reviewCalls('adminListReviews')),
  handle(e.resolveReview, reviewCalls('adminResolveReview')),
  handle(e.askForChallenge, reviewCalls('adminAskForChallenge')),
  handle(e.readReview, reviewCalls('adminReadReview')),
  handle(e.assignReview, reviewCalls('adminAssignReview')),
  handle(e.commentReview, reviewCalls('adminCommentReview')),
  handle(e.listReviewers, reviewCalls('adminListReviewers')),
  handle(e.setReviewDeadline, reviewCalls('adminSetReviewDeadline')),
  handle(e.listUserDevices, records('adminListUserDevices')),
  handle(e.updateUserDevice, records('adminUpdateUserDevice')),
  handle(e.deleteUserDevices, records('adminDeleteUserDevices')),

  handle(e.listDevices, listEntities('adminListDevices')),
  handle(e.listUsers, listEntities('adminListUsers')),
  handle(e.listNumbers, listEntities('adminListNumbers')),
  handle(e.readUser, readUser('adminReadUser')),
  handle(e.trustUserDevice, trustDevice('adminTrustUserDevice')),
  handle(e.readNumber, readNumber('adminReadNumber')),
  handle(e.explainRoute, explainRoute('adminExplainRoute')),
  handle(e.checkNumber, checkNumber('adminCheckNumber')),
  handle(e.readDevice, readDevice('adminReadDevice')),
  handle(e.listDeviceVisits, readDevice('adminListDeviceVisits')),
  handle(e.forgetDevice, readDevice('adminForgetDevice')),

  handle(e.listRuleVersions, rules('adminListRuleVersions')),
  handle(e.readRuleHistory, rules('adminReadRuleHistory')),
  handle(e.readChangesOfRule, rules('adminReadChangesOfRule')),
  handle(e.readRuleFigures, rules('adminReadRuleFigures')),
  handle(e.readRuleNames, rules('adminReadRuleNames')),
  handle(e.readRules, rules('adminReadRules')),
  handle(e.readRuleVocabulary, ruleEditing('adminReadRuleVocabulary')),
  handle(e.checkRules, ruleEditing('adminCheckRules')),
  handle(e.saveRuleDraft, ruleEditing('adminSaveRuleDraft')),
  handle(e.discardRuleDraft, ruleEditing('adminDiscardRuleDraft')),
  handle(e.compareRules, ruleEditing('adminCompareRules')),
  handle(e.startRuleShadow, ruleEditing('adminStartRuleShadow')),
  handle(e.endRuleShadow, ruleEditing('adminEndRuleShadow')),
  handle(e.compareRuleShadow, ruleEditing('adminCompareRuleShadow')),
  handle(e.listPublications, rulePublishing('adminListPublications')),
  handle(e.previewPublication, rulePublishing('adminPreviewPublication')),
  handle(e.requestPublication, rulePublishing('adminRequestPublication')),
  handle(e.approvePublication, rulePublishing('adminApprovePublication')),
  handle(e.rejectPublication, rulePublishing('adminRejectPublication')),
  handle(e.setPublishPolicy, rulePublishing('adminSetPublishPolicy')),
  handle(e.startBacktest, backtests('adminStartBacktest')),
  handle(e.listBacktests, backtests('adminListBacktests')),
  handle(e.readBacktest, backtests('adminReadBacktest')),
  handle(e.cancelBacktest, backtests('adminCancelBacktest')),

  handle(e.previewListImport, lists('adminPreviewListImport')),

  handle(e.listApps, setup('adminListApps')),
  handle(e.listClients, setup('adminListClients')),
  handle(e.listWebhooks, setup('adminListWebhooks')),
  handle(e.listWebhookAttempts, setup('adminListWebhookAttempts')),
  handle(e.createApp, apps('adminCreateApp')),
  handle(e.updateApp, apps('adminUpdateApp')),
  handle(e.disableApp, apps('adminDisableApp')),
  handle(e.revokeSessions, apps('adminRevokeSessions')),
  handle(e.createClient, clientKeys('adminCreateClient')),
  handle(e.rotateClient, clientKeys('adminRotateClient')),
  handle(e.revokeOlderSecrets, clientKeys('adminRevokeOlderSecrets')),
  handle(e.revokeClient, clientKeys('adminRevokeClient')),
  handle(e.addPublicKey, clientKeys('adminAddPublicKey')),
  handle(e.removePublicKey, clientKeys('adminRemovePublicKey')),
  handle(e.addWebhook, webhooks('adminAddWebhook')),
  handle(e.pauseWebhook, webhooks('adminPauseWebhook')),
  handle(e.resumeWebhook, webhooks('adminResumeWebhook')),
  handle(e.rotateWebhook, webhooks('adminRotateWebhook')),
  handle(e.removeWebhook, webhooks('adminRemoveWebhook')),
  handle(e.testWebhook, webhooks('adminTestWebhook')),
  handle(e.replayWebhook, webhooks('adminReplayWebhook')),
  handle(e.readSignIn, signIn('adminReadSignIn')),
  handle(e.countSignIns, countSignIns('adminCountSignIns')),
  handle(e.readOutbox, signIn('adminReadOutbox')),
  handle(e.testChannel, signIn('adminTestChannel')),
  handle(e.readSystemDetails, system('adminReadSystemDetails')),
  handle(e.readSpending, spending('adminReadSpending')),
  handle(e.checkSystem, system('adminCheckSystem')),
  handle(e.listAudit, audit('adminListAudit')),
  handle(e.exportAudit, audit('adminExportAudit')),
  handle(e.verifyAudit, audit('adminVerifyAudit')),
  handle(e.readSystem, setup('adminReadSystem')),

  handle(e.readDemo, demo('adminReadDemo')),
  handle(e.removeDemo, demo('adminRemoveDemo')),
]
