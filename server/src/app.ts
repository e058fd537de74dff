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
import { formPage, handle, page, type Row } from './http/surface.ts'
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
import type { Parts } from './parts.ts'
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

export const surface: readonly Row[] = [
  handle(endpoints.decide, decide),
  handle(endpoints.readDecision, readDecision),
  handle(endpoints.passChallenge, passChallenge),
  handle(endpoints.resolveReview, resolveReview),
  handle(endpoints.listReviews, listReviews),
  handle(endpoints.simSwapCheck, checkSimSwap),
  handle(endpoints.callForwardingCheck, checkCallForwarding),
  handle(endpoints.portability, checkPortability),
  handle(endpoints.telecomChecks, telecomChecks),
  handle(endpoints.createBatch, createBatch),
  handle(endpoints.readBatch, readBatch),
  handle(endpoints.readBatchResults, readBatchResults),
  handle(endpoints.listBatches, listBatches),
  handle(endpoints.cancelBatch, cancelBatch),
  handle(endpoints.beginNumberVerification, beginNumberVerification),
  handle(endpoints.completeNumberVerification, completeNumberVerification),
  handle(endpoints.watchNumber, watchNumber),
  handle(endpoints.readWatch, readWatch),
  handle(endpoints.listWatches, listWatches),
  handle(endpoints.deleteWatch, deleteWatch),
  handle(endpoints.receiveNotification, receiveNotification),
  handle(endpoints.validateToken, validateToken),
  handle(endpoints.secureInfo, secureInfo),
  handle(endpoints.issueToken, issueToken),
  handle(endpoints.revokeToken, revokeToken),

  handle(endpoints.deviceFingerprint, deviceFingerprint),
  handle(endpoints.labelReports, labelReports),
  handle(endpoints.listAccountDevices, listAccountDevices),
  handle(endpoints.updateAccountDevice, updateAccountDevice),
  handle(endpoints.deleteAccountDevices, deleteDevicesOfAccount),

  handle(endpoints.searchEvents, searchEvents),
  handle(endpoints.createList, createList),
  handle(endpoints.describeLists, describeLists),
  handle(endpoints.deleteList, deleteList),
  handle(endpoints.addListEntries, addListEntries),
  handle(endpoints.removeListEntries, removeListEntries),
  handle(endpoints.lookUpList, lookUpList),
  handle(endpoints.readList, readList),

  handle(endpoints.sdkConfig, sdkConfig),

  handle(endpoints.intelligence, intelligence),
  handle(endpoints.pushFingerprint, pushFingerprint),
  handle(endpoints.secure, secure),
  handle(endpoints.signInStart, startSignIn),
  handle(endpoints.signInResend, resendSignIn),
  handle(endpoints.signInVerify, verifySignIn),
  handle(endpoints.signInStatus, signInStatus),

  ...camaraSurface,
  ...adminSurface,

  page(magicLinkPath, 'person', magicLinkPage),
  formPage(magicLinkPath, magicLinkFollowed),

  handle(endpoints.userInfo, userInfo),
  handle(endpoints.exchangeCode, exchangeCode),
  handle(endpoints.sendMagicLink, sendMagicLink),
  handle(endpoints.sendOtp, sendOtp),
  handle(endpoints.resendOtp, resendOtp),
  handle(endpoints.verifyOtp, verifyOtp),

  ...[callbackPath, `${callbackPath}/{connection}`].map((path) =>
    page(path, 'person', (needs, query, _, parameters) => oauthCallback(needs, query, parameters)),
  ),
  ...[verificationCallbackPath, `${verificationCallbackPath}/{connection}`].map((path) =>
    page(
      path,
      'person',
      async (needs, query, _, parameters) =>
        (await operatorReturn(needs, query, parameters)) ?? silentCallback(needs, query, parameters),
    ),
  ),

  page('/health', 'probe', healthPage),
  page('/ready', 'probe', readyPage),
  page('/metrics', 'operations', metricsPage),
  page(discoveryPath, 'anyone', discoveryPage),
  page(keysPath, 'anyone', keysPage),
  page(authorizationPath, 'anyone', authorizationPage),
  page('/', 'anyone', ({ site: { documentation } }) => documentation.start),
  page('/openapi.json', 'anyone', ({ site: { documentation } }) => documentation.openApi()),
  page('/docs', 'anyone', ({ site: { documentation } }) => documentation.reference('/docs')),
  page('/docs/start.js', 'anyone', ({ site: { documentation } }) => documentation.reference('/docs/start.js')),
  page('/docs/swagger-ui.css', 'anyone', ({ site: { documentation } }) =>
    documentation.reference('/docs/swagger-ui.css'),
  ),
  page('/docs/swagger-ui-bundle.js', 'anyone', ({ site: { documentation } }) =>
    documentation.reference('/docs/swagger-ui-bundle.js'),
  ),
  page('/docs/favicon-32x32.png', 'anyone', ({ site: { documentation } }) =>
    documentation.reference('/docs/favicon-32x32.png'),
  ),
  page('/sdk/browser.js', 'anyone', ({ site: { browserSdk } }) => browserSdk.newest),
  page('/sdk/headless.js', 'anyone', ({ site: { browserSdk } }) => browserSdk.headless),
  page('/sdk/browser.json', 'anyone', ({ site: { browserSdk } }) => browserSdk.description),
  ...consolePaths.map((path) => page(path, 'anyone', ({ site: { console } }) => console.page())),
]

/** The whole surface of a service: also the rows whose paths contain hashes of what was built. */
export const surfaceOf = ({
  site: {
    browserSdk: { unchanging },
    console,
  },
}: Pick<Parts, 'site'>): readonly Row[] => [
  ...surface,
  page(unchanging.path, 'anyone', () => unchanging),
  ...[...console.assets].map(([path, asset]) => page(path, 'anyone', asset)),
]
