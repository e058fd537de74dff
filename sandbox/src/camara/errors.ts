// Which errors does the operator return? One row each: status, code and message of CAMARA's ErrorInfo.

import { numberVerificationApi } from '@ringfence/contract'

/**
 * The codes of CAMARA Commonalities 0.6. The OpenAPI files of SIM Swap 2.1.0 and Call Forwarding Signal 0.4.0 do not document
 * 405, 413, 415 and 5xx (except 501), but real operators send them.
 */
const rows = {
  invalidArgument: [400, 'INVALID_ARGUMENT', 'Client specified an invalid argument, request body or query param.'],
  outOfRange: [400, 'OUT_OF_RANGE', 'Client specified an invalid range.'],
  codeWrong: [400, 'ONE_TIME_PASSWORD_SMS.INVALID_OTP', 'The provided code is not valid for this authenticationId.'],
  codeExpired: [400, 'ONE_TIME_PASSWORD_SMS.VERIFICATION_EXPIRED', 'The authenticationId is no longer valid.'],
  codeFailed: [
    400,
    'ONE_TIME_PASSWORD_SMS.VERIFICATION_FAILED',
    'The maximum number of attempts for this authenticationId was exceeded.',
  ],
  invalidParamCombination: [
    400,
    'KNOW_YOUR_CUSTOMER.INVALID_PARAM_COMBINATION',
    'Send at least one field to compare beside phoneNumber.',
  ],
  unauthenticated: [
    401,
    'UNAUTHENTICATED',
    'Request not authenticated due to missing, invalid, or expired credentials. A new authentication is required.',
  ],
  permissionDenied: [403, 'PERMISSION_DENIED', 'Client does not have sufficient permissions to perform this action.'],
  numberNotAllowed: [
    403,
    'ONE_TIME_PASSWORD_SMS.PHONE_NUMBER_NOT_ALLOWED',
    'An OTP cannot be sent to this phone number.',
  ],
  tooManyCodes: [
    403,
    'ONE_TIME_PASSWORD_SMS.MAX_OTP_CODES_EXCEEDED',
    'Too many codes have been requested for this phone number.',
  ],
  notAuthenticatedByNetwork: [
    403,
    numberVerificationApi.notByNetwork,
    'Client must authenticate via the mobile network to use this service',
  ],
  notFound: [404, 'NOT_FOUND', 'The specified resource is not found.'],
  identifierNotFound: [404, 'IDENTIFIER_NOT_FOUND', 'The phone number is not known to the operator.'],
  methodNotAllowed: [405, 'METHOD_NOT_ALLOWED', 'The request method is not known by the target resource.'],
  conflict: [409, 'CONFLICT', 'The request conflicts with the present state.'],
  tooLarge: [413, 'PAYLOAD_TOO_LARGE', 'The request body is too large.'],
  unsupportedMediaType: [415, 'UNSUPPORTED_MEDIA_TYPE', 'Send the body as application/json.'],
  serviceNotApplicable: [422, 'SERVICE_NOT_APPLICABLE', 'The service is not available for the provided identifier.'],
  unableToLocate: [422, 'LOCATION_VERIFICATION.UNABLE_TO_LOCATE', 'The network does not locate the phone.'],
  missingIdentifier: [422, 'MISSING_IDENTIFIER', 'The phone number cannot be identified: send phoneNumber.'],
  unsupportedIdentifier: [422, 'UNSUPPORTED_IDENTIFIER', 'A device is identified by phoneNumber only.'],
  unnecessaryIdentifier: [
    422,
    'UNNECESSARY_IDENTIFIER',
    'The phone number is already identified by the access token: leave phoneNumber out.',
  ],
  tooManyRequests: [429, 'TOO_MANY_REQUESTS', 'Rate limit reached.'],
  internal: [500, 'INTERNAL', 'Unknown server error.'],
  notImplemented: [501, 'NOT_IMPLEMENTED', 'This functionality is not implemented yet.'],
  unavailable: [503, 'UNAVAILABLE', 'Service unavailable.'],
  timeout: [504, 'TIMEOUT', 'Request time-out.'],
} as const satisfies Record<string, readonly [number, string, string]>

export type RefusalName = keyof typeof rows

/** CAMARA's ErrorInfo. */
export interface ErrorInfo {
  status: number
  code: string
  message: string
}

/** The operator refuses the call. `info` is the response body. */
export class Refusal extends Error {
  override name = 'Refusal'
  readonly info: ErrorInfo
  /** @param message a more precise text than the row's. */
  constructor(name: RefusalName, message?: string) {
    const [status, code, defaultMessage] = rows[name]
    super(message ?? defaultMessage)
    this.info = { status, code, message: this.message }
  }
}

/** The response body for an injected status. */
export function errorInfoFor(status: number): ErrorInfo {
  const [, code, message] = Object.values(rows).find(([rowStatus]) => rowStatus === status) ?? rows.internal
  return { status, code, message }
}
