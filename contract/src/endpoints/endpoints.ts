// Which endpoints does the service have? One row per endpoint, with its bodies and statuses. OpenAPI is generated from it.

import { TelecomChecksRequest, TelecomChecksResult } from '../checks/telecom-checks.ts'
import {
  CallForwardingRequest,
  CallForwardingResult,
  PortabilityRequest,
  PortabilityResult,
  SimSwapRequest,
  SimSwapResult,
} from '../telecom.ts'
import {
  IssuedToken,
  IssueTokenRequest,
  RevokedToken,
  RevokeTokenRequest,
  SecureInfoForm,
  SecureInfoRequest,
  SecureInfoResult,
  TokenVerification,
  ValidateTokenRequest,
} from '../tokens.ts'
import { userEndpoints } from '../users/user-endpoints.ts'
import { batchEndpoints } from './batch-endpoints.ts'
import { decisionEndpoints } from './decision-endpoints.ts'
import { deviceEndpoints } from './device-endpoints.ts'
import { aboutConsent, type Endpoint, everyClientCall, refused } from './endpoint.ts'
import { eventEndpoints } from './event-endpoints.ts'
import { legacyEndpoints } from './legacy-endpoints.ts'
import { listEndpoints } from './list-endpoints.ts'
import { numberVerificationEndpoints } from './number-verification-endpoints.ts'
import { reviewEndpoints } from './review-endpoints.ts'
import { sdkEndpoints } from './sdk-endpoints.ts'
import { signInEndpoints } from './sign-in-endpoints.ts'
import { watchEndpoints } from './watch-endpoints.ts'

const malformed = ['invalid-phone-number', 'invalid-json', 'invalid-deadline', 'invalid-http']
const badRequest = (description: string, ...samples: string[]) =>
  refused(`Invalid request${description}`, ...malformed, ...aboutConsent, ...samples)

const telecom = {
  method: 'POST',
  caller: 'client',
  scope: 'telecom',
  errorFormat: 'telecom',
  tag: 'Telecom',
  accepted: 'Request accepted; check `success`',
} as const

const tokens = {
  method: 'POST',
  caller: 'client',
  scope: 'tokens',
  errorFormat: 'auth',
  tag: 'Tokens',
  accepted: 'Done',
} as const

const tokenRefusals = {
  ...everyClientCall,
  400: refused('The request is malformed, or the token is not accepted', 'token-invalid'),
} as const

const expiringTokenRefusals = {
  ...tokenRefusals,
  401: refused(
    'Missing or invalid credentials, or an expired token',
    'credentials-missing',
    'credentials-invalid',
    'token-expired',
  ),
} as const

export const endpoints = {
  simSwapCheck: {
    ...telecom,
    path: '/v1/telecom/sim-swap-check',
    summary: 'SIM swap check',
    description:
      'Checks whether the SIM was swapped within a lookback window. `swapped` false means only that no swap was found within the window. Read the HTTP status first; on 200 read `success`; read `swapped` only when `success` is true.',
    request: SimSwapRequest,
    fieldFailures: { phoneNumber: 'invalidPhoneNumber', maxAge: 'invalidMaxAge' },
    answer: SimSwapResult,
    refusals: {
      400: badRequest(
        ', or a check or window that the operator of the number does not support',
        'invalid-max-age',
        'sim-swap-unsupported',
        'sim-swap-window-unsupported',
      ),
      ...everyClientCall,
    },
  },
  callForwardingCheck: {
    ...telecom,
    path: '/v1/telecom/call-forwarding-check',
    summary: 'Call forwarding check',
    description:
      'Checks whether call forwarding is active. Forwarding can divert voice OTP calls to a device that the user does not control.',
    request: CallForwardingRequest,
    fieldFailures: { phoneNumber: 'invalidPhoneNumber' },
    answer: CallForwardingResult,
    refusals: {
      400: badRequest(', or a check that the operator of the number does not support', 'call-forwarding-unsupported'),
      ...everyClientCall,
    },
  },
  portability: {
    ...telecom,
    path: '/v1/telecom/portability',
    summary: 'Number portability check',
    description: 'Checks whether the number has been ported away from its home operator: `phoneDetail.isPorted`.',
    request: PortabilityRequest,
    fieldFailures: { phoneNumber: 'invalidPhoneNumber' },
    answer: PortabilityResult,
    refusals: { 400: badRequest(', such as an invalid phone number'), ...everyClientCall },
  },
  telecomChecks: {
    ...telecom,
    path: '/v1/telecom/checks',
    summary: 'Several checks of one number',
    description:
      'Makes the checks side by side. Each has its own `success`: one that fails, or that the operator does not support, leaves the others as they are.',
    accepted: 'Request accepted; check `success` of each check',
    request: TelecomChecksRequest,
    fieldFailures: { phoneNumber: 'invalidPhoneNumber' },
    answer: TelecomChecksResult,
    refusals: {
      400: badRequest(', such as an unknown check, or a parameter that a check does not have', 'field-invalid'),
      ...everyClientCall,
    },
  },
  validateToken: {
    ...tokens,
    path: '/auth/v1/validate/token',
    summary: 'Validate a frontend token',
    description:
      'Returns who signed in: user, identities, and the network and device of the sign-in, when they were collected. A token without a login is refused.',
    request: ValidateTokenRequest,
    fieldFailures: { token: 'tokenInvalid' },
    answer: TokenVerification,
    refusals: expiringTokenRefusals,
  },
  secureInfo: {
    ...tokens,
    path: '/auth/v1/secure-info',
    summary: 'Secure info',
    description:
      'Returns security signals, network and device of a token, as far as they were collected. Also accepts a form, with the credentials in headers or in the fields client_id and client_secret (or clientId and clientSecret), and a JSON object that is declared as a form.',
    request: SecureInfoRequest,
    fieldFailures: { token: 'tokenInvalid' },
    form: SecureInfoForm,
    answer: SecureInfoResult,
    refusals: expiringTokenRefusals,
  },
  issueToken: {
    ...tokens,
    path: '/auth/v1/tokens',
    summary: 'Issue a token',
    description: 'Issues a token for a user who signed in at your backend.',
    request: IssueTokenRequest,
    fieldFailures: {
      userId: 'userIdInvalid',
      identities: 'identitiesInvalid',
      requestId: 'deviceAnalysisUnknown',
      userVerified: 'userVerifiedInvalid',
    },
    answer: IssuedToken,
    refusals: {
      ...everyClientCall,
      400: refused(
        'A field is missing or wrong',
        'user-id-invalid',
        'identities-invalid',
        'mobile-identity-invalid',
        'verified-at-wrong',
        'device-analysis-unknown',
        'user-verified-invalid',
      ),
    },
  },
  revokeToken: {
    ...tokens,
    path: '/auth/v1/tokens/revoke',
    summary: 'Revoke a token',
    description:
      'Revokes a token at once. A token that is already revoked or expired is a success too. A token that is not yours is refused with 7114.',
    request: RevokeTokenRequest,
    fieldFailures: { token: 'tokenInvalid' },
    answer: RevokedToken,
    refusals: tokenRefusals,
  },
  ...userEndpoints,
  ...batchEndpoints,
  ...numberVerificationEndpoints,
  ...decisionEndpoints,
  ...deviceEndpoints,
  ...eventEndpoints,
  ...listEndpoints,
  ...reviewEndpoints,
  ...sdkEndpoints,
  ...legacyEndpoints,
  ...signInEndpoints,
  ...watchEndpoints,
} as const satisfies Record<string, Endpoint>

export type EndpointName = keyof typeof endpoints

type ClientEndpointName = {
  [Name in EndpointName]: (typeof endpoints)[Name] extends {
    caller: 'client'
    errorFormat: 'telecom' | 'auth' | 'device'
  }
    ? (typeof endpoints)[Name] extends { sends: unknown } | { returns: unknown }
      ? never
      : Name
    : never
}[EndpointName]

/** The endpoints of a backend with a client secret, with JSON bodies and without the legacy API. */
export const clientEndpoints = Object.fromEntries(
  Object.entries<Endpoint>(endpoints).filter(
    ([, { caller, errorFormat, sends, returns }]) =>
      caller === 'client' && errorFormat !== 'legacy' && errorFormat !== 'oauth' && !sends && !returns,
  ),
) as unknown as Pick<typeof endpoints, ClientEndpointName>
