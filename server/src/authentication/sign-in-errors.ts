// How can a sign-in fail, and what does the SDK read? Rows of server/src/errors.ts.

export const signInFailures = {
  identityInvalid: invalid(
    '7102',
    'identity must be {type: MOBILE or EMAIL, value: the number or address}; OTP and MAGIC_LINK need it',
  ),
  emailInvalid: invalid('7102', 'identity.value must be an e-mail address'),
  redirectUrlRefused: invalid(
    '7102',
    'redirectUrl must be below an origin of the app, or one of the redirectUrls of its settings; OAUTH needs it, and MAGIC_LINK unless the app has signInElsewhere',
  ),
  otpMissing: invalid('7102', 'otp must be the digits of the message'),
  codeMissing: invalid('7102', 'code must be the ringfence_code of the address that the person came back to'),
  channelUnavailable: invalid(
    '7106',
    'The app does not offer this; name a method that it offers for this identity: {methods}',
  ),
  lineTypeRefused: invalid('7107', 'No messages go to lines of this type; use a mobile number'),
  countryRefused: invalid('7108', 'The app does not serve numbers of this country'),
  gateRefused: {
    status: 403,
    errorCode: '7109',
    message: 'Refused',
    description: 'A sign-in by this number is refused for now; use another way to sign in',
  },
  signInUnknown: invalid('7116', 'Unknown transaction; start the sign-in again'),
  signInOver: invalid('7117', 'This sign-in is complete already; start another one to sign in again'),
  otpWrong: invalid('7118', 'Incorrect OTP; tries left: {triesLeft}'),
  codeWrong: invalid('7118', 'Incorrect code; tries left: {triesLeft}'),
  triesUsedUp: invalid('7119', 'No tries left; start the sign-in again'),
  signInFailed: invalid('7120', 'This sign-in did not succeed; start it again'),
  resendImpossible: invalid('7121', 'This sign-in sends no message; start it again'),
  resendTooEarly: {
    status: 429,
    errorCode: '7122',
    message: 'Rate Limit Exceeded',
    description: 'A message is under way; another one can be asked for in {retryAfterSeconds} seconds',
  },
  resendsUsedUp: {
    status: 429,
    errorCode: '7123',
    message: 'Rate Limit Exceeded',
    description: 'No more messages are sent for this sign-in; start it again',
  },
  messagesLimited: {
    status: 429,
    errorCode: '7124',
    message: 'Rate Limit Exceeded',
    description:
      'Too many messages were asked for; wait for the seconds that the Retry-After header names, or sign in another way',
  },
  signInExpired: {
    status: 400,
    errorCode: '7303',
    message: 'Expired',
    description: 'Request error: This sign-in has expired; start it again',
  },
  deliveryFailed: {
    status: 503,
    errorCode: '7131',
    message: 'Not Delivered',
    description: 'The message could not be sent, and was not counted; try again, or sign in another way',
  },
  providerFailed: {
    status: 503,
    errorCode: '7132',
    message: 'Provider Unavailable',
    description: 'The sign-in provider cannot be reached; try again, or sign in another way',
  },
} as const

function invalid<const Code extends string>(errorCode: Code, what: string) {
  return { status: 400, errorCode, message: 'Invalid Request', description: `Request error: ${what}` } as const
}
