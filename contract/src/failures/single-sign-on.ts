// How can a single sign-on fail?

export const ssoFailures = {
  ssoUnknown: {
    status: 404,
    errorCode: '70170',
    message: 'Not Found',
    description: 'There is no such identity provider, or it is switched off; open the sign-in page again',
  },
  ssoExpired: {
    status: 401,
    errorCode: '70171',
    message: 'Sign-In Expired',
    description: 'Another browser began this sign-in, it took more than ten minutes, or it is done: begin again',
  },
  ssoElsewhere: {
    status: 401,
    errorCode: '70176',
    message: 'Another Identity Provider',
    description:
      'The browser came back at the callback URL of another connection, so no code was sent: begin again. If it repeats, register the redirect URI of the page Single sign-on',
  },
  ssoRefused: {
    status: 403,
    errorCode: '70172',
    message: 'No Access',
    description: 'You cannot sign in with this account: {mistake}',
  },
  ssoFailed: {
    status: 409,
    errorCode: '70173',
    message: 'Identity Provider Failed',
    description: 'The sign-in cannot be completed: {mistake}. Try again, or ask an owner of the tenant',
  },
  ssoRequired: {
    status: 403,
    errorCode: '70174',
    message: 'Single Sign-On Required',
    description: 'Sign in with the identity provider of this tenant: only owners use it with a password or passkey',
  },
  personBySso: {
    status: 409,
    errorCode: '70175',
    message: 'Person Of An Identity Provider',
    description: 'The role and the sign-in of this person follow from the identity provider: change the groups there',
  },
} as const
