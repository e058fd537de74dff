// How can a sign-in fail, and what does the caller read? Part of the table in server/src/core/errors.ts.

export const signInFailures = {
  identityInvalid: invalid(
    '7102',
    'identity must be {type, value}: MOBILE with a phone number, or EMAIL with an email address; OTP and MAGIC_LINK need it',
  ),
  emailInvalid: invalid('7102', 'identity.value {mistake}'),
  redirectUrlRefused: {
    ...invalid(
      '7102',
      'redirectUrl must equal one of the URLs in the app’s setting redirectUrls; OAUTH needs it, and MAGIC_LINK unless the app sets signInElsewhere',
    ),
    legacyMessage:
      'Request error: redirect_uri must equal one of the URLs in the setting redirectUrls of an app of this tenant, whose setting codeClients allows this client',
  },
  otpMissing: invalid('7102', 'otp is missing; send the digits of the message'),
  otpInvalid: invalid('7102', 'otp must be {mistake} of the message; no attempt was counted'),
  codeMissing: invalid('7102', 'code is missing; send the ringfence_code of the return URL'),
  codeVerifierWrong: invalid('7135', 'codeVerifier {mistake}'),
  channelUnavailable: invalid('7106', 'The app does not offer this method; it offers for this identity: {methods}'),
  silentUnavailable: invalid(
    '7369',
    'The operator of this number verifies no phones, and the app has no fallback; sign in in another way',
  ),
  lineTypeRefused: invalid('7107', 'This number cannot receive messages; use a mobile number'),
  countryRefused: invalid('7108', 'The app does not serve numbers of this country'),
  signInUnknown: invalid('7116', 'Unknown transaction; start a new sign-in'),
  signInOver: invalid('7117', 'This sign-in is already complete; start a new one'),
  otpWrong: invalid('7118', 'Incorrect OTP; attempts left: {attemptsLeft}'),
  codeNotChecked: {
    status: 503,
    errorCode: '7373',
    message: 'Not Checked',
    description: 'The OTP could not be checked and the attempt was not counted; send it again, or sign in another way',
  },
  codeWrong: invalid('7118', 'Incorrect code'),
  attemptsUsedUp: invalid('7119', 'No attempts left; start a new sign-in'),
  signInFailed: invalid('7120', 'This sign-in failed; start a new one'),
  linkToRefused: invalid('7133', 'linkTo {mistake}'),
  identityTaken: invalid(
    '7134',
    'Another user has this identity already, so it cannot be added. Sign in with it; if both are one person, the backend can link or merge them',
  ),
  tokenWithoutSignIn: invalid(
    '7125',
    'The token has no sign-in that can be linked; send the token of a user who signed in with the SDK, not one of POST /auth/v1/tokens or of secure',
  ),
  userLinkedElsewhere: {
    status: 409,
    errorCode: '7126',
    message: 'Conflict',
    description:
      'The user who signed in is linked to another userId. If both are one person, call POST /auth/v1/users/merge; if the link is wrong, POST /auth/v1/users/unlink',
  },
  userIdentityUnknown: {
    status: 404,
    errorCode: '7127',
    message: 'Not Found',
    description:
      'No identity of this user can be unlinked by these fields; POST /auth/v1/users/identities lists those that the user has',
  },
  mergeWithItself: invalid('7128', 'userId and into are the same user; send the ids of two users'),
  usersLimited: invalid(
    '7129',
    'Your user has 50 sign-ins already; check that userId is the id of one person, and unlink those that are not theirs',
  ),
  resendImpossible: invalid('7121', 'This sign-in has no message to resend; start a new one'),
  resendTooEarly: {
    status: 429,
    errorCode: '7122',
    message: 'Rate Limit Exceeded',
    description: 'A message was sent a moment ago; you can resend in {retryAfterSeconds} seconds',
  },
  resendsUsedUp: {
    status: 429,
    errorCode: '7123',
    message: 'Rate Limit Exceeded',
    description: 'This sign-in has used up its messages; start a new one',
  },
  messagesLimited: {
    status: 429,
    errorCode: '7124',
    message: 'Rate Limit Exceeded',
    description: 'Too many messages; wait as many seconds as the Retry-After header says, or sign in another way',
  },
  signInExpired: {
    status: 400,
    errorCode: '7303',
    message: 'Expired',
    description: 'Request error: This sign-in has expired; start a new one',
  },
  deliveryFailed: {
    status: 503,
    errorCode: '7131',
    message: 'Not Delivered',
    description: 'The message could not be sent and was not counted; try again, or sign in another way',
  },
  providerFailed: {
    status: 503,
    errorCode: '7132',
    message: 'Provider Unavailable',
    description: 'The identity provider cannot be reached; try again, or sign in another way',
  },
} as const

function invalid<const Code extends string>(errorCode: Code, what: string) {
  return { status: 400, errorCode, message: 'Invalid Request', description: `Request error: ${what}` } as const
}
