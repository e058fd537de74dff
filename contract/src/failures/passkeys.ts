// How can a call about passkeys fail?

export const passkeyFailures = {
  passkeyRefused: {
    status: 401,
    errorCode: '70190',
    message: 'Passkey Refused',
    description: 'This passkey is not accepted; try again, or sign in in another way: {mistake}',
  },
  passkeyUnknown: {
    status: 404,
    errorCode: '70191',
    message: 'Not Found',
    description: 'You have no passkey like this; GET /admin/v1/account/passkeys lists yours',
  },
  passkeysTooMany: {
    status: 409,
    errorCode: '70192',
    message: 'Too Many Passkeys',
    description: 'A person has at most 10 passkeys: remove one',
  },
  passkeysUnavailable: {
    status: 409,
    errorCode: '70193',
    message: 'Passkeys Unavailable',
    description:
      'Browsers use passkeys only for an https URL with a host name, and for http://localhost: set BASE_URL to yours',
  },
  lastWayIn: {
    status: 409,
    errorCode: '70194',
    message: 'Last Way In',
    description: 'You could not sign in any more: add another passkey first, or ask somebody who manages people',
  },
  confirmationMissing: {
    status: 403,
    errorCode: '70195',
    message: 'Confirmation Missing',
    description:
      'Your sign-in is more than ten minutes ago: prove again who you are with POST /admin/v1/account/confirm',
  },
} as const
