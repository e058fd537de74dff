// How can a call of the admin API fail, besides the failures of every call?

export const adminFailures = {
  notSignedIn: {
    status: 401,
    errorCode: '70101',
    message: 'Not Signed In',
    description: 'Sign in to the console, or send clientId and clientSecret of a client that has a role',
  },
  consoleSignInFailed: {
    status: 401,
    errorCode: '70102',
    message: 'Sign-In Failed',
    description: 'The email address, password or code is wrong, or the code was used before',
  },
  secondFactorMissing: {
    status: 401,
    errorCode: '70108',
    message: 'Second Factor Missing',
    description: 'Send `code` of the authenticator app, or `recoveryCode`',
  },
  invitationUnknown: {
    status: 404,
    errorCode: '70109',
    message: 'Not Found',
    description: 'The link is unknown, used, or has expired; make another one with: ringfence people invite',
  },
  deviceUnknown: {
    status: 404,
    errorCode: '70141',
    message: 'Not Found',
    description:
      'Nothing is stored about this device: the id is wrong, or the device was forgotten or not seen for long',
  },
  permissionMissing: {
    status: 403,
    errorCode: '70103',
    message: 'Permission Missing',
    description: 'Your role does not allow this: {mistake}',
  },
  requestForged: {
    status: 403,
    errorCode: '70104',
    message: 'Request Of Another Page',
    description: 'The request must come from a page of this service, with the csrfToken of the session: {mistake}',
  },
  appExists: {
    status: 409,
    errorCode: '70139',
    message: 'Conflict',
    description: 'There is an app of this name: choose another one, or disable that app first',
  },
  tenantUnknown: {
    status: 404,
    errorCode: '70105',
    message: 'Not Found',
    description: 'You have no role in a tenant with this id; GET /admin/v1/me lists yours',
  },
  ruleVersionUnknown: {
    status: 404,
    errorCode: '70106',
    message: 'Not Found',
    description: 'There is no such version of the rules',
  },
  rulesChangedMeanwhile: {
    status: 409,
    errorCode: '70161',
    message: 'Changed By Somebody Else',
    description: 'The rules have changed since you read them; read them again, and merge your changes: {mistake}',
  },
  ruleChangeRefused: {
    status: 409,
    errorCode: '70162',
    message: 'Rules Not Changed',
    description: 'This change of the rules cannot be made: {mistake}',
  },
  publicationUnknown: {
    status: 404,
    errorCode: '70163',
    message: 'Not Found',
    description: 'There is no open request to publish rules with this number; somebody may have decided it',
  },
  secondPersonNeeded: {
    status: 409,
    errorCode: '70164',
    message: 'Second Person Needed',
    description: 'These rules need the approval of a second person: {mistake}',
  },
  reviewAssigned: {
    status: 409,
    errorCode: '70185',
    message: 'Assigned To Somebody Else',
    description: 'Nothing has changed, because somebody else works on this review: {mistake}',
  },
  challengeNotPossible: {
    status: 409,
    errorCode: '70187',
    message: 'No Challenge Possible',
    description: 'Nothing has changed, because this review cannot ask for a challenge: {mistake}',
  },
  reviewerUnknown: {
    status: 409,
    errorCode: '70186',
    message: 'Not A Reviewer',
    description: 'No person with this id may resolve reviews of this tenant; GET /admin/v1/reviewers lists who may',
  },
  backtestUnknown: {
    status: 404,
    errorCode: '70165',
    message: 'Not Found',
    description: 'There is no backtest with this id; results are stored for 30 days',
  },
  backtestsBusy: {
    status: 409,
    errorCode: '70166',
    message: 'Too Many Backtests',
    description: 'This server runs as many backtests as it may; wait until one ends, or cancel one: {mistake}',
  },
  webhookUnknown: {
    status: 404,
    errorCode: '70107',
    message: 'Not Found',
    description: 'There is no webhook with this id',
  },
  passwordWeak: {
    status: 400,
    errorCode: '70113',
    message: 'Password Weak',
    description: 'Choose another password: {mistake}. A sentence of several words is good',
  },
  versionMissing: {
    status: 428,
    errorCode: '70110',
    message: 'Version Missing',
    description: 'Send If-Match with the ETag of what you have read, or `*` to overwrite any version',
  },
  versionChanged: {
    status: 412,
    errorCode: '70111',
    message: 'Version Changed',
    description:
      'Somebody else has changed it: the present version is {version}, and nothing of your request was done. Read it again, then repeat your change',
  },
  idempotencyKeyInUse: {
    status: 409,
    errorCode: '70112',
    message: 'Conflict',
    description:
      'The first request with this Idempotency-Key is in progress, or was done and its answer is lost. Read the present state before you try again with a new key',
  },
  personRequired: {
    status: 403,
    errorCode: '70140',
    message: 'Person Required',
    description: 'A client key cannot do this: sign in to the console, or use the command line on the server',
  },
  appNotFound: {
    status: 404,
    errorCode: '70149',
    message: 'Not Found',
    description: 'There is no app with this id',
  },
  clientNotFound: {
    status: 404,
    errorCode: '70142',
    message: 'Not Found',
    description: 'There is no client key with this id',
  },
  clientRevoked: {
    status: 409,
    errorCode: '70143',
    message: 'Conflict',
    description: 'The client key is revoked; make another one',
  },
  clientHasTwoSecrets: {
    status: 409,
    errorCode: '70144',
    message: 'Conflict',
    description: 'The client key has two secrets: revoke the older one when every backend uses the newer one',
  },
  limitReached: {
    status: 409,
    errorCode: '70145',
    message: 'Conflict',
    description: 'The tenant has as many as it may: {mistake}',
  },
  outboxClosed: {
    status: 404,
    errorCode: '70147',
    message: 'Not Found',
    description: 'This service is no sandbox, so its messages are not shown; start one with: ringfence serve --sandbox',
  },
  channelNotFound: {
    status: 404,
    errorCode: '70148',
    message: 'Not Found',
    description: 'There is no channel of this name that sends messages',
  },
  searchesUsedUp: {
    status: 429,
    errorCode: '70181',
    message: 'Too Many Searches',
    description:
      'Your role sees personal data masked, and searches for at most {mistake} different values a day (UTC): ask somebody whose role has personalData.read, or an owner for that permission',
  },
  webhookConflict: {
    status: 409,
    errorCode: '70146',
    message: 'Conflict',
    description: 'The webhook cannot do this now: {mistake}',
  },
  demoUnknown: {
    status: 404,
    errorCode: '70180',
    message: 'Not Found',
    description:
      'No demo was made for this tenant: serve --sandbox makes one at the first start in an empty store. From the demo itself, call for the tenant in madeFor',
  },
} as const
