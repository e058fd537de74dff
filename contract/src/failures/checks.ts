// How can a telecom check fail? (specification 7.1)

/** The first codes are those of the specification; checks without a code of their own share P7341 to P7345. */
export const checkFailures = {
  simSwapUnsupported: {
    unsupported: 'check',
    status: 400,
    errorCode: 'P7311',
    message: 'SIM swap check not supported for operator',
    description: 'No SIM swap check available for the operator of the phone number',
  },
  simSwapWindowUnsupported: {
    unsupported: 'window',
    status: 400,
    errorCode: 'P7312',
    message: 'SIM swap window not supported for operator',
    description: 'The operator of the phone number {window}',
  },
  callForwardingUnsupported: {
    unsupported: 'check',
    status: 400,
    errorCode: 'P7331',
    message: 'Call forwarding check not supported for operator',
    description: 'No call forwarding check available for the operator of the phone number',
  },
  checkUnsupported: {
    unsupported: 'check',
    status: 200,
    errorCode: 'P7341',
    message: 'Check not supported for operator',
    description: 'No {title} check available for the operator of the phone number',
  },
  checkWindowUnsupported: {
    unsupported: 'window',
    status: 200,
    errorCode: 'P7342',
    message: 'Window not supported for operator',
    description: 'The operator of the phone number {window}',
  },
  checkParametersUnsupported: {
    unsupported: 'parameters',
    status: 200,
    errorCode: 'P7343',
    message: 'Parameters not supported for operator',
    description: 'The operator of the phone number does not answer the {title} check with these parameters: {hint}',
  },
  checkFailed: {
    status: 200,
    errorCode: 'P7344',
    message: 'Check failed',
    description: 'The {title} check could not be completed',
  },
  costCapReached: {
    status: 200,
    errorCode: 'P7345',
    message: 'Cost cap reached',
    description:
      'The {title} check would cost more than this tenant may spend in a day; the next day begins at 00:00 UTC',
  },
  consentRequired: {
    status: 400,
    errorCode: 'P7371',
    message: 'Consent required',
    description: 'Request error: this tenant requires {mistake}, for example {example}',
  },
  consentNotAllowed: {
    status: 400,
    errorCode: 'P7372',
    message: 'Consent not allowed',
    description: 'Request error: {mistake}',
  },
  numberVerificationUnsupported: {
    unsupported: 'check',
    status: 200,
    errorCode: 'P7361',
    message: 'Number Verification not supported for operator',
    description: 'The operator of the phone number does not verify phones; send an OTP instead',
  },
  numberVerificationNotOnMobileNetwork: {
    status: 200,
    errorCode: 'P7362',
    message: 'Phone not on mobile network',
    description:
      'The phone did not use the mobile data of its operator, so it is not known whether it has the phone number; switch off Wi-Fi and VPN and begin again, or send an OTP',
  },
  numberVerificationDenied: {
    status: 200,
    errorCode: 'P7363',
    message: 'Verification denied',
    description:
      'The subscriber or the operator does not allow the verification, so it is not known whether the phone has the number; send an OTP instead',
  },
  numberVerificationFailed: {
    status: 200,
    errorCode: 'P7364',
    message: 'Number Verification failed',
    description: 'The verification could not be completed; begin again, or send an OTP',
  },
  numberVerificationUnknown: {
    status: 404,
    errorCode: 'P7365',
    message: 'Not Found',
    description:
      'This client has begun no verification with this verificationId, or it was deleted an hour after it expired; begin another one',
  },
  numberVerificationExpired: {
    status: 200,
    errorCode: 'P7366',
    message: 'Verification expired',
    description: 'The phone must return within five minutes; begin another verification',
  },
  numberVerificationOver: {
    status: 200,
    errorCode: 'P7367',
    message: 'Verification already completed',
    description: 'A verification is completed once, and its result is valid once; begin another one',
  },
  numberVerificationsLimited: {
    status: 429,
    errorCode: 'P7370',
    message: 'Rate Limit Exceeded',
    description:
      'The clients of this tenant have begun {mistake} in this hour; wait as many seconds as the Retry-After header says, send OTPs, or raise NUMBER_VERIFICATIONS_PER_HOUR',
  },
  numberVerificationStateWrong: {
    status: 400,
    errorCode: 'P7368',
    message: 'Invalid Request',
    description:
      'Request error: state does not belong to this verification; send the state of the URL that the operator redirected to, with its own verificationId',
  },
  operatorUnknown: {
    status: 200,
    errorCode: 'P7301',
    message: 'Telecom lookup failed',
    description: 'Unable to retrieve operator details from the upstream provider',
  },
  simSwapFailed: {
    status: 200,
    errorCode: 'P7314',
    message: 'SIM swap check failed',
    description: 'The SIM swap check could not be completed',
  },
  callForwardingFailed: {
    status: 200,
    errorCode: 'P7334',
    message: 'Call forwarding check failed',
    description: 'The call forwarding check could not be completed',
  },
} as const
