// How can a request fail? One row for each failure, by its meaning.

import { maxAgeHours } from '../checks/change-window.ts'
import { deadlineMs } from '../headers.ts'
import { adminFailures } from './admin.ts'
import { batchFailures } from './batches.ts'
import { camaraFailures } from './camara-front.ts'
import { checkFailures } from './checks.ts'
import { passkeyFailures } from './passkeys.ts'
import { peopleFailures } from './people.ts'
import { signInFailures } from './sign-in.ts'
import { watchFailures } from './watches.ts'

export interface Failure {
  /** 200: the request was accepted, but the check could not be completed (`success` false, specification 7.1). */
  readonly status: 200 | 400 | 401 | 403 | 404 | 405 | 408 | 409 | 412 | 413 | 415 | 422 | 428 | 429 | 431 | 503
  readonly errorCode: string
  readonly message: string
  readonly description: string
  /** What the operator of a number does not support: the check, or only the window or the parameters of this call. */
  readonly unsupported?: 'check' | 'window' | 'parameters'
  /** The text of the error format `device`, if it is not the description. */
  readonly errorMessage?: string
  /** The text of the error format `legacy`, if it is not the description. */
  readonly legacyMessage?: string
  /** The `error` of the error format `oauth` (RFC 6749, 5.2), if it does not follow from the status. */
  readonly oauthError?: string
}

/** Every failure by its meaning. `{…}` in a text is replaced with a detail of the refusal. */
export const failures = {
  credentialsMissing: {
    status: 401,
    errorCode: '70001',
    message: 'Client credentials are required',
    description: 'clientId and clientSecret headers are required',
    errorMessage: 'Client credentials are required',
    legacyMessage: 'Invalid secrets',
  },
  credentialsInvalid: {
    status: 401,
    errorCode: '70002',
    message: 'Invalid client credentials',
    description: 'The provided clientId and clientSecret are invalid',
    errorMessage: 'Invalid client credentials',
    legacyMessage: 'Invalid secrets',
  },
  clientExpired: {
    status: 401,
    errorCode: '70014',
    message: 'Client credentials have expired',
    description: 'The client has expired; create another one, or extend it with: ringfence clients restrict --expires',
  },
  clientRestricted: {
    status: 403,
    errorCode: '70013',
    message: 'Forbidden',
    description: 'The client may not make this call: {mistake}',
    oauthError: 'unauthorized_client',
  },
  appIdMalformed: unauthorized(
    '70003',
    'The app id (header appId) is missing or malformed: it is rfa_ and 28 characters. Copy it again: ringfence apps list',
  ),
  appDisabled: unauthorized('70004', 'This app is disabled'),
  packageUnlisted: unauthorized('70005', 'The app does not list {mistake}'),
  originUnlisted: unauthorized('70006', 'The app does not list the origin of this page'),
  sessionInvalid: unauthorized('70007', 'The session token is missing, unknown or expired; initialize the SDK again'),
  sessionForeign: unauthorized(
    '70009',
    'platform, tsId, appId, requestId or data.analysis belongs to another session or app. After an engine call with carry, send data.analysis',
  ),
  challengeUsed: unauthorized(
    '70010',
    'The challenge is not the next one of this session, its requestId was used with another body, or data.analysis is older than ten minutes; initialize the SDK again',
  ),
  appUnknown: {
    status: 404,
    errorCode: '70008',
    message: 'Not Found',
    description: 'No app has this id',
  },
  invalidHttp: invalidRequest('Malformed HTTP'),
  invalidJson: invalidRequest('Invalid JSON'),
  fieldInvalid: { ...invalidRequest('{mistake}'), errorMessage: '{mistake}' },
  invalidPhoneNumber: invalidRequest('Invalid phone number'),
  invalidMaxAge: invalidRequest(
    `maxAge must be a whole number of hours from ${maxAgeHours.minimum} to ${maxAgeHours.maximum}`,
  ),
  invalidDeadline: invalidRequest(
    `x-ringfence-deadline-ms must be a whole number of milliseconds from ${deadlineMs.minimum} to ${deadlineMs.maximum}`,
  ),
  ...checkFailures,
  ...batchFailures,
  ...watchFailures,
  ...camaraFailures,
  tokenInvalid: {
    status: 400,
    errorCode: '7114',
    message: 'Invalid Request',
    description: 'Request error: Invalid token',
  },
  tokenExpired: {
    status: 401,
    errorCode: '7301',
    message: 'Expired',
    description: 'Request error: Token is expired',
    legacyMessage: 'token is expired',
  },
  userIdInvalid: invalidTokenRequest('userId must be a string of 1 to 256 characters'),
  userVerifiedInvalid: invalidTokenRequest('userVerified must be true or false'),
  identitiesInvalid: invalidTokenRequest(
    'identities must be a list of 1 to 16 objects with identityType, identityValue, channel, methods, verified and verifiedAt, and no other fields; /docs has an example',
  ),
  mobileIdentityInvalid: invalidTokenRequest(
    'identityValue of a MOBILE identity must be digits with country code, without a plus sign',
  ),
  verifiedAtWrong: invalidTokenRequest(
    'an identity must have verifiedAt when verified is true, and must not have it when verified is false',
  ),
  recipientMissing: invalidTokenRequest('phoneNumber or email is missing'),
  orderUnknown: invalidTokenRequest('orderId is unknown or has expired; send another OTP'),
  orderTaken: invalidTokenRequest('orderId belongs to another recipient; use a new one'),
  codeInvalid: {
    ...invalidTokenRequest(
      'The code is unknown, used or expired, or belongs to another client, redirect_uri or code_verifier; sign in again',
    ),
    errorCode: '7114',
    oauthError: 'invalid_grant',
  },
  grantTypeUnsupported: {
    ...invalidTokenRequest('grant_type must be authorization_code or absent'),
    oauthError: 'unsupported_grant_type',
  },
  deviceAnalysisUnknown: {
    status: 400,
    errorCode: '7115',
    message: 'Invalid Request',
    description: 'Request error: Unknown device analysis; omit requestId when the sign-in has none',
  },
  reportUnknown: {
    status: 404,
    errorCode: '70011',
    message: 'Not Found',
    description: 'Device fingerprint report not found',
  },
  decisionUnknown: {
    status: 404,
    errorCode: '70015',
    message: 'Not Found',
    description:
      'You have no decision with this decisionId, or it has expired; send the decisionId of an answer, or make another decision',
  },
  reviewUnknown: {
    status: 404,
    errorCode: '70017',
    message: 'Not Found',
    description:
      'There is no such decision, it has expired, or no rule sent it to REVIEW; POST /v1/reviews/list returns those that wait',
  },
  reviewResolved: {
    status: 409,
    errorCode: '70410',
    message: 'Conflict',
    description: 'The review is already resolved: {mistake}',
  },
  idempotencyKeyReused: {
    status: 409,
    errorCode: '70409',
    message: 'Conflict',
    description:
      'The first request with this Idempotency-Key had another {mistake}. Send it again unchanged to get its answer, or use a new key for a new attempt',
  },
  challengeNotPassed: {
    status: 400,
    errorCode: '70016',
    message: 'Invalid Request',
    description: 'The token does not pass the challenge: {mistake}',
  },
  listUnknown: {
    status: 404,
    errorCode: '70031',
    message: 'Not Found',
    description: 'There is no list of this name: create it first',
  },
  listExists: {
    status: 409,
    errorCode: '70032',
    message: 'Conflict',
    description: 'There is a list of this name: choose another one',
  },
  accountDeviceUnknown: {
    status: 404,
    errorCode: '70012',
    message: 'Not Found',
    description: 'The user has no device with this deviceId; list the devices of the user first',
  },
  ...signInFailures,
  ...adminFailures,
  ...peopleFailures,
  ...passkeyFailures,
  notFound: {
    status: 404,
    errorCode: '70404',
    message: 'Not Found',
    description: 'This path does not exist; /docs lists all paths',
  },
  methodNotAllowed: {
    status: 405,
    errorCode: '70405',
    message: 'Method Not Allowed',
    description: 'The Allow header lists the methods of this path',
  },
  requestTimeout: {
    status: 408,
    errorCode: '70408',
    message: 'Request Timeout',
    description: 'The request did not arrive completely in time; send it again',
  },
  bodyTooLarge: {
    status: 413,
    errorCode: '70413',
    message: 'Content Too Large',
    description: 'The body may have at most {limitBytes} bytes',
  },
  mediaTypeUnsupported: {
    status: 415,
    errorCode: '70415',
    message: 'Unsupported Media Type',
    description: 'Send the body as JSON, not compressed, with the header Content-Type: application/json',
  },
  metricsTokenMissing: {
    status: 401,
    errorCode: '70401',
    message: 'Unauthorized',
    description:
      'Send the header Authorization: Bearer, with the METRICS_TOKEN of this service. If none is set, only this machine may read metrics',
  },
  rateLimited: {
    status: 429,
    errorCode: '70429',
    message: 'Rate Limit Exceeded',
    description: 'Wait for the number of seconds in the Retry-After header, then send the request again',
    errorMessage: 'Rate limit exceeded',
  },
  storageSpent: {
    status: 429,
    errorCode: '70430',
    message: 'Storage Limit Exceeded',
    description:
      'The app, or this IP address, has stored as much as it may on one day; wait for the number of seconds in the Retry-After header, or raise STORAGE_MB_PER_APP_DAY or STORAGE_MB_PER_ADDRESS_DAY',
    errorMessage: 'Storage limit of the day exceeded',
  },
  headersTooLarge: {
    status: 431,
    errorCode: '70431',
    message: 'Request Header Fields Too Large',
    description: 'The headers may have at most 16 KiB',
  },
  unavailable: {
    status: 503,
    errorCode: '70503',
    message: 'Service Unavailable',
    description: 'Wait for the number of seconds in the Retry-After header, then send the request again',
  },
} as const satisfies Record<string, Failure>

export type FailureName = keyof typeof failures

function invalidRequest(what: string) {
  return {
    status: 400,
    errorCode: 'P7102',
    message: 'Invalid Request',
    description: `Request error: ${what}`,
  } as const
}

function invalidTokenRequest(what: string) {
  return { ...invalidRequest(what), errorCode: '7102' } as const
}

/** A refusal of an SDK call. */
function unauthorized(errorCode: string, description: string) {
  return { status: 401, errorCode, message: 'Unauthorized', description } as const
}
