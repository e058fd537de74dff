// Which paths does the service answer? The HTTP surface as one table.

import { endpoints } from '@ringfence/contract'
import { deleteDevicesOfAccount, listAccountDevices, updateAccountDevice } from './accounts/devices/trusted-devices.ts'
import { adminSurface } from './admin/admin-surface.ts'
import { sdkConfig } from './apps/sdk-config.ts'
import { oauthCallback } from './authentication/callback.ts'
import { magicLinkPath } from './authentication/messages/deliver.ts'
import { magicLinkFollowed, magicLinkPage } from './authentication/messages/magic-link.ts'
import { resendSignIn, signInStatus, startSignIn, verifySignIn } from './authentication/sdk-calls.ts'
import { silentCallback } from './authentication/silent/silent-callback.ts'
import { callbackPath } from './authentication/start-by-redirect.ts'
import { camaraSurface } from './camara-front/camara-surface.ts'
import { operatorReturn } from './camara-front/phone-flow/operator-return.ts'
import { passChallenge } from './decisions/challenge.ts'
import { decide } from './decisions/decide.ts'
import { labelReports } from './decisions/label-reports.ts'
import { readDecision } from './decisions/read.ts'
import { listReviews } from './decisions/reviews/list-reviews.ts'
import { resolveReview } from './decisions/reviews/resolve-review.ts'
import { intelligence } from './device/calls/intelligence.ts'
import { pushFingerprint } from './device/calls/push.ts'
import { deviceFingerprint } from './device/calls/read-report.ts'
import { secure } from './device/calls/secure.ts'
import { consolePaths } from './http/console/console.ts'
import { healthPage, metricsPage, readyPage } from './http/operations.ts'
import { endpoint, formPage, page, type Row } from './http/surface.ts'
import {
  authorizationPage,
  authorizationPath,
  discoveryPage,
  discoveryPath,
  keysPage,
  keysPath,
} from './identity-tokens/discovery.ts'
import { exchangeCode } from './legacy-api/exchange-code.ts'
import { sendMagicLink } from './legacy-api/magic-link.ts'
import { resendOtp, sendOtp, verifyOtp } from './legacy-api/otp.ts'
import { userInfo } from './legacy-api/user-info.ts'
import type { Platform } from './platform.ts'
import {
  addListEntries,
  createList,
  deleteList,
  describeLists,
  lookUpList,
  readList,
  removeListEntries,
} from './rules/lists/list-calls.ts'
import { searchEvents } from './search/search-events.ts'
import { cancelBatch, listBatches, readBatch } from './telecom/batches/batch-calls.ts'
import { readBatchResults } from './telecom/batches/batch-results.ts'
import { createBatch } from './telecom/batches/create-batch.ts'
import { checkCallForwarding } from './telecom/call-forwarding.ts'
import {
  beginNumberVerification,
  completeNumberVerification,
} from './telecom/number-verification/number-verifications.ts'
import { verificationCallbackPath } from './telecom/number-verification/verification.ts'
import { checkPortability } from './telecom/portability.ts'
import { checkSimSwap } from './telecom/sim-swap.ts'
import { telecomChecks } from './telecom/telecom-checks.ts'
import { receiveNotification } from './telecom/watching/notification.ts'
import { deleteWatch, listWatches, readWatch, watchNumber } from './telecom/watching/watch-calls.ts'
import { issueToken } from './tokens/issue.ts'
import { revokeToken } from './tokens/revoke.ts'
import { secureInfo } from './tokens/secure-info.ts'
import { validateToken } from './tokens/validate-token.ts'

const phoneNumber = 'invalidPhoneNumber'
const maxAge = 'invalidMaxAge'
const token = 'tokenInvalid'

/** endpoint: of the contract | path | who may call | error format | handler | refusal of each field, in the order of the checks */
export const surface: readonly Row[] = [
  endpoint(endpoints.decide, '/v1/decisions', 'client', 'telecom', decide, 'fieldInvalid'),
  endpoint(endpoints.readDecision, '/v1/decisions/{decisionId}', 'client', 'telecom', readDecision, {
    decisionId: 'decisionUnknown',
  }),
  endpoint(endpoints.passChallenge, '/v1/decisions/{decisionId}/challenge', 'client', 'telecom', passChallenge, {
    decisionId: 'decisionUnknown',
    token: 'fieldInvalid',
  }),
  endpoint(endpoints.resolveReview, '/v1/decisions/{decisionId}/review', 'client', 'telecom', resolveReview, {
    decisionId: 'reviewUnknown',
    outcome: 'fieldInvalid',
    by: 'fieldInvalid',
    note: 'fieldInvalid',
  }),
  endpoint(endpoints.listReviews, '/v1/reviews/list', 'client', 'telecom', listReviews, 'fieldInvalid'),
  endpoint(endpoints.simSwapCheck, '/v1/telecom/sim-swap-check', 'client', 'telecom', checkSimSwap, {
    phoneNumber,
    maxAge,
    consent: 'fieldInvalid',
  }),
  endpoint(
    endpoints.callForwardingCheck,
    '/v1/telecom/call-forwarding-check',
    'client',
    'telecom',
    checkCallForwarding,
    { phoneNumber, consent: 'fieldInvalid' },
  ),
  endpoint(endpoints.portability, '/v1/telecom/portability', 'client', 'telecom', checkPortability, {
    phoneNumber,
    consent: 'fieldInvalid',
  }),
  endpoint(endpoints.telecomChecks, '/v1/telecom/checks', 'client', 'telecom', telecomChecks, {
    phoneNumber,
    checks: 'fieldInvalid',
    consent: 'fieldInvalid',
  }),
  endpoint(endpoints.createBatch, '/v1/telecom/batches', 'client', 'telecom', createBatch, 'fieldInvalid'),
  endpoint(endpoints.readBatch, '/v1/telecom/batches/{batchId}', 'client', 'telecom', readBatch, 'batchUnknown'),
  endpoint(endpoints.readBatchResults, '/v1/telecom/batches/{batchId}/results', 'client', 'telecom', readBatchResults, {
    batchId: 'batchUnknown',
    after: 'fieldInvalid',
    format: 'fieldInvalid',
  }),
  endpoint(endpoints.listBatches, '/v1/telecom/batches/list', 'client', 'telecom', listBatches, 'fieldInvalid'),
  endpoint(endpoints.cancelBatch, '/v1/telecom/batches/cancel', 'client', 'telecom', cancelBatch, 'fieldInvalid'),
  endpoint(
    endpoints.beginNumberVerification,
    '/v1/telecom/number-verifications',
    'client',
    'telecom',
    beginNumberVerification,
    { phoneNumber, redirectUri: 'fieldInvalid', consent: 'fieldInvalid' },
  ),
  endpoint(
    endpoints.completeNumberVerification,
    '/v1/telecom/number-verifications/{verificationId}/complete',
    'client',
    'telecom',
    completeNumberVerification,
    {
      verificationId: 'numberVerificationUnknown',
      state: 'fieldInvalid',
      code: 'fieldInvalid',
      error: 'fieldInvalid',
      iss: 'fieldInvalid',
      redirectUri: 'fieldInvalid',
    },
  ),
  endpoint(endpoints.watchNumber, '/v1/telecom/watches', 'client', 'telecom', watchNumber, {
    phoneNumber,
    checks: 'fieldInvalid',
    expiresAt: 'fieldInvalid',
    ttlSeconds: 'fieldInvalid',
    reference: 'fieldInvalid',
    consent: 'fieldInvalid',
  }),
  endpoint(endpoints.readWatch, '/v1/telecom/watches/{watchId}', 'client', 'telecom', readWatch, {
    watchId: 'watchUnknown',
  }),
  endpoint(endpoints.listWatches, '/v1/telecom/watches/list', 'client', 'telecom', listWatches, {
    phoneNumber,
    limit: 'fieldInvalid',
    cursor: 'fieldInvalid',
  }),
  endpoint(endpoints.deleteWatch, '/v1/telecom/watches/delete', 'client', 'telecom', deleteWatch, 'fieldInvalid'),
  endpoint(
    endpoints.receiveNotification,
    '/v1/telecom/notifications/{sinkId}',
    'anyone',
    'telecom',
    receiveNotification,
    {
      sinkId: 'notificationRefused',
      id: 'fieldInvalid',
      source: 'fieldInvalid',
      type: 'fieldInvalid',
      specversion: 'fieldInvalid',
      time: 'fieldInvalid',
      datacontenttype: 'fieldInvalid',
      data: 'fieldInvalid',
    },
  ),
  endpoint(endpoints.validateToken, '/auth/v1/validate/token', 'client', 'auth', validateToken, { token }),
  endpoint(endpoints.secureInfo, '/auth/v1/secure-info', 'client', 'auth', secureInfo, { token }),
  endpoint(endpoints.issueToken, '/auth/v1/tokens', 'client', 'auth', issueToken, {
    userId: 'userIdInvalid',
    identities: 'identitiesInvalid',
    requestId: 'deviceAnalysisUnknown',
    userVerified: 'userVerifiedInvalid',
  }),
  endpoint(endpoints.revokeToken, '/auth/v1/tokens/revoke', 'client', 'auth', revokeToken, { token }),

  endpoint(endpoints.deviceFingerprint, '/client/v1/device-fingerprint', 'client', 'device', deviceFingerprint, {
    dfrId: 'fieldInvalid',
    deviceType: 'fieldInvalid',
    userId: 'fieldInvalid',
    userVerified: 'fieldInvalid',
    expectedUserId: 'fieldInvalid',
    maxAgeSeconds: 'fieldInvalid',
    include: 'fieldInvalid',
  }),
  endpoint(endpoints.labelReports, '/client/v1/labels', 'client', 'device', labelReports, 'fieldInvalid'),
  endpoint(
    endpoints.listAccountDevices,
    '/client/v1/accounts/devices/list',
    'client',
    'device',
    listAccountDevices,
    'fieldInvalid',
  ),
  endpoint(
    endpoints.updateAccountDevice,
    '/client/v1/accounts/devices/update',
    'client',
    'device',
    updateAccountDevice,
    'fieldInvalid',
  ),
  endpoint(
    endpoints.deleteAccountDevices,
    '/client/v1/accounts/devices/delete',
    'client',
    'device',
    deleteDevicesOfAccount,
    'fieldInvalid',
  ),

  endpoint(endpoints.searchEvents, '/v1/events/search', 'client', 'telecom', searchEvents, 'fieldInvalid'),
  endpoint(endpoints.createList, '/v1/lists/create', 'client', 'telecom', createList, 'fieldInvalid'),
  endpoint(endpoints.describeLists, '/v1/lists/describe', 'client', 'telecom', describeLists, 'fieldInvalid'),
  endpoint(endpoints.deleteList, '/v1/lists/delete', 'client', 'telecom', deleteList, 'fieldInvalid'),
  endpoint(endpoints.addListEntries, '/v1/lists/add', 'client', 'telecom', addListEntries, 'fieldInvalid'),
  endpoint(endpoints.removeListEntries, '/v1/lists/remove', 'client', 'telecom', removeListEntries, 'fieldInvalid'),
  endpoint(endpoints.lookUpList, '/v1/lists/look-up', 'client', 'telecom', lookUpList, 'fieldInvalid'),
  endpoint(endpoints.readList, '/v1/lists/entries', 'client', 'telecom', readList, 'fieldInvalid'),

  endpoint(endpoints.sdkConfig, '/sdk/v1/device-fingerprint/config', 'app', 'device', sdkConfig, 'fieldInvalid'),

  endpoint(endpoints.intelligence, '/sdk/v1/intelligence', 'session', 'device', intelligence, 'fieldInvalid'),
  endpoint(
    endpoints.pushFingerprint,
    '/sdk/v1/device-fingerprint',
    'session',
    'device',
    pushFingerprint,
    'fieldInvalid',
  ),
  endpoint(endpoints.secure, '/sdk/v1/secure', 'session', 'device', secure, 'fieldInvalid'),
  endpoint(endpoints.signInStart, '/sdk/v1/auth/start', 'session', 'auth', startSignIn, {
    channel: 'fieldInvalid',
    identity: 'identityInvalid',
    method: 'fieldInvalid',
    redirectUrl: 'fieldInvalid',
    otpLength: 'fieldInvalid',
    locale: 'fieldInvalid',
    deviceFingerprintMode: 'fieldInvalid',
    facts: 'fieldInvalid',
    dfrId: 'fieldInvalid',
  }),
  endpoint(endpoints.signInResend, '/sdk/v1/auth/resend', 'session', 'auth', resendSignIn, 'fieldInvalid'),
  endpoint(endpoints.signInVerify, '/sdk/v1/auth/verify', 'session', 'auth', verifySignIn, 'fieldInvalid'),
  endpoint(endpoints.signInStatus, '/sdk/v1/auth/status', 'session', 'auth', signInStatus, 'fieldInvalid'),

  ...camaraSurface,
  ...adminSurface,

  page(magicLinkPath, 'person', magicLinkPage),
  formPage(magicLinkPath, magicLinkFollowed),

  endpoint(endpoints.userInfo, '/auth/userInfo', 'client', 'legacy', userInfo, { token }),
  endpoint(endpoints.exchangeCode, '/auth/v1/oauth/token', 'client', 'oauth', exchangeCode, {
    grant_type: 'grantTypeUnsupported',
    code: 'fieldInvalid',
    redirect_uri: 'fieldInvalid',
  }),
  endpoint(endpoints.sendMagicLink, '/auth/v1/authorize', 'client', 'legacy', sendMagicLink, 'fieldInvalid'),
  endpoint(endpoints.sendOtp, '/auth/otp/v1/send', 'client', 'legacy', sendOtp, 'fieldInvalid'),
  endpoint(endpoints.resendOtp, '/auth/otp/v1/resend', 'client', 'legacy', resendOtp, 'fieldInvalid'),
  endpoint(endpoints.verifyOtp, '/auth/otp/v1/verify', 'client', 'legacy', verifyOtp, 'fieldInvalid'),

  ...[callbackPath, `${callbackPath}/{connection}`].map((path) =>
    page(path, 'person', (platform, query, _, parameters) => oauthCallback(platform, query, parameters)),
  ),
  ...[verificationCallbackPath, `${verificationCallbackPath}/{connection}`].map((path) =>
    page(
      path,
      'person',
      async (platform, query, _, parameters) =>
        (await operatorReturn(platform, query, parameters)) ?? silentCallback(platform, query, parameters),
    ),
  ),

  page('/health', 'probe', healthPage),
  page('/ready', 'probe', readyPage),
  page('/metrics', 'operations', metricsPage),
  page(discoveryPath, 'anyone', discoveryPage),
  page(keysPath, 'anyone', keysPage),
  page(authorizationPath, 'anyone', authorizationPage),
  page('/', 'anyone', ({ documentation }) => documentation.start),
  page('/openapi.json', 'anyone', ({ documentation }) => documentation.openApi()),
  page('/docs', 'anyone', ({ documentation }) => documentation.reference('/docs')),
  page('/docs/start.js', 'anyone', ({ documentation }) => documentation.reference('/docs/start.js')),
  page('/docs/swagger-ui.css', 'anyone', ({ documentation }) => documentation.reference('/docs/swagger-ui.css')),
  page('/docs/swagger-ui-bundle.js', 'anyone', ({ documentation }) =>
    documentation.reference('/docs/swagger-ui-bundle.js'),
  ),
  page('/docs/favicon-32x32.png', 'anyone', ({ documentation }) => documentation.reference('/docs/favicon-32x32.png')),
  page('/sdk/browser.js', 'anyone', ({ browserSdk }) => browserSdk.newest),
  page('/sdk/headless.js', 'anyone', ({ browserSdk }) => browserSdk.headless),
  page('/sdk/browser.json', 'anyone', ({ browserSdk }) => browserSdk.description),
  ...consolePaths.map((path) => page(path, 'anyone', ({ console }) => console.page())),
]

/** The whole surface of a service: also the rows whose paths contain hashes of what was built. */
export const surfaceOf = ({
  browserSdk: { unchanging },
  console,
}: Pick<Platform, 'browserSdk' | 'console'>): readonly Row[] => [
  ...surface,
  page(unchanging.path, 'anyone', () => unchanging),
  ...[...console.assets].map(([path, asset]) => page(path, 'anyone', asset)),
]
