// How can a call of our own CAMARA API be refused, beside the refusals of every call?

/** Each is sent with a code of CAMARA; see camara-error.ts. */
export const camaraFailures = {
  accessTokenInvalid: {
    status: 401,
    errorCode: '70041',
    message: 'Unauthorized',
    description:
      'Send the header Authorization: Bearer, with an access token of POST /camara/oauth2/token that has not expired',
  },
  accessTokenUsed: {
    status: 401,
    errorCode: '70051',
    message: 'Unauthorized',
    description:
      'The access token of a phone is for one call, and was used: send the phone through the authorization endpoint again',
  },
  phoneTokenNeeded: {
    status: 403,
    errorCode: '70052',
    message: 'Forbidden',
    description:
      'The access token belongs to no phone: send the phone over mobile data through GET /camara/oauth2/authorize, and exchange the code that it returns with',
  },
  otherNumberAsked: {
    status: 403,
    errorCode: '70053',
    message: 'Forbidden',
    description:
      'The phone has another number than that of login_hint, so it is not known whether it has the number you ask about: begin again with login_hint=tel: and that number',
  },
  phoneNumberMissing: {
    status: 422,
    errorCode: '70042',
    message: 'Phone number missing',
    description:
      'The access token identifies no phone number: send phoneNumber, or device.phoneNumber to an API about devices, with its plus sign',
  },
  identifierUnsupported: {
    status: 422,
    errorCode: '70049',
    message: 'Identifier not supported',
    description: 'A device is known by its phone number only: send device.phoneNumber, with its plus sign',
  },
  nothingToCompare: {
    status: 400,
    errorCode: '70050',
    message: 'Invalid Request',
    description: 'Request error: send at least one field to compare, such as name, beside phoneNumber',
  },
  outOfRange: {
    status: 400,
    errorCode: '70044',
    message: 'Invalid Request',
    description: 'Request error: {mistake}',
  },
  checkNotApplicable: {
    status: 422,
    errorCode: '70045',
    message: 'Not applicable',
    description: 'The operator of the phone number does not answer this call; others of the API may work',
  },
  scopeInvalid: {
    status: 400,
    errorCode: '70046',
    message: 'Invalid Request',
    description: 'Request error: {mistake}',
    oauthError: 'invalid_scope',
  },
  assertionInvalid: {
    status: 401,
    errorCode: '70048',
    message: 'Invalid client assertion',
    description: 'The client assertion is refused: {mistake}',
    oauthError: 'invalid_client',
  },
  clientGrantUnsupported: {
    status: 400,
    errorCode: '70047',
    message: 'Invalid Request',
    description: 'Request error: grant_type must be client_credentials or authorization_code',
    oauthError: 'unsupported_grant_type',
  },
} as const
