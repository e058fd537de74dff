// How can a telecom check fail? (specification 7.1)

/** The first codes are those of the specification; checks without a code of their own share P7341 to P7345. */
export const checkFailures = {
  simSwapUnsupported: {
    status: 400,
    errorCode: 'P7311',
    message: 'SIM swap check not supported for operator',
    description: 'No SIM swap check available for the operator of the phone number',
  },
  simSwapWindowUnsupported: {
    status: 400,
    errorCode: 'P7312',
    message: 'SIM swap window not supported for operator',
    description: 'The operator of the phone number looks back at most {limitHours} hours',
  },
  simSwapWindowUnsupportedUnknownLimit: {
    status: 400,
    errorCode: 'P7312',
    message: 'SIM swap window not supported for operator',
    description: 'The operator of the phone number supports only {window}',
  },
  callForwardingUnsupported: {
    status: 400,
    errorCode: 'P7331',
    message: 'Call forwarding check not supported for operator',
    description: 'No call forwarding check available for the operator of the phone number',
  },
  checkUnsupported: {
    status: 200,
    errorCode: 'P7341',
    message: 'Check not supported for operator',
    description: 'No {title} check available for the operator of the phone number',
  },
  checkWindowUnsupported: {
    status: 200,
    errorCode: 'P7342',
    message: 'Window not supported for operator',
    description: 'The operator of the phone number supports only {window} for the {title} check',
  },
  checkParametersUnsupported: {
    status: 200,
    errorCode: 'P7343',
    message: 'Parameters not supported for operator',
    description:
      'The operator of the phone number does not answer the {title} check with these parameters; send others, such as a larger area',
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
    description:
      'Request error: this tenant requires {mistake}, for example "consent": {"purpose": "dpv:FraudPreventionAndDetection", "legalBasis": "LEGITIMATE_INTERESTS", "reference": "your-record-id"}',
  },
  consentNotAllowed: {
    status: 400,
    errorCode: 'P7372',
    message: 'Consent not allowed',
    description: 'Request error: {mistake}',
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
