// Which calls do older server SDKs make? Their requests and responses keep the format of those SDKs.

import {
  CodeExchangeAnswer,
  CodeExchangeForm,
  CodeExchangeRequest,
  LegacyErrorBody,
  MagicLinkQuery,
  MagicLinkRequest,
  MagicLinkSent,
  OAuthErrorBody,
  OtpOrder,
  OtpResendRequest,
  OtpSendRequest,
  OtpVerification,
  OtpVerifyRequest,
  UserInfo,
  UserInfoForm,
  UserInfoRequest,
} from '../legacy-api.ts'
import { type Endpoint, everyCall, type RefusalRow, restricted } from './endpoint.ts'

const refused = (description: string, ...samples: string[]): RefusalRow => ({
  description,
  body: LegacyErrorBody,
  samples,
})

/** The errors of every call, with only a message. */
const everyLegacyCall = {
  401: refused('Missing or invalid credentials', 'credentials-missing', 'credentials-invalid'),
  403: refused(restricted, 'client-restricted'),
  405: refused(everyCall[405].description, 'method-not-allowed'),
  408: everyCall[408],
  413: refused(everyCall[413].description, 'body-too-large'),
  415: refused(everyCall[415].description, 'media-type-unsupported'),
  429: refused(everyCall[429].description, 'rate-limited'),
  431: refused(everyCall[431].description, 'headers-too-large'),
  500: refused('An unexpected failure', 'unexpected'),
  503: refused(everyCall[503].description, 'unavailable'),
} as const

/** A GET has no body. */
const { 413: _, 415: __, ...everyQueryCall } = everyLegacyCall

const refusedByOAuth = (description: string, ...samples: string[]): RefusalRow => ({
  description,
  body: OAuthErrorBody,
  samples,
})

/** The errors of every call, in the format of RFC 6749. */
const everyOAuthCall = {
  401: refusedByOAuth('Missing or invalid credentials (invalid_client)', 'credentials-missing', 'credentials-invalid'),
  403: refusedByOAuth(`${restricted} (unauthorized_client)`, 'client-restricted'),
  405: refusedByOAuth(everyCall[405].description, 'method-not-allowed'),
  408: everyCall[408],
  413: refusedByOAuth(everyCall[413].description, 'body-too-large'),
  415: refusedByOAuth(everyCall[415].description, 'media-type-unsupported'),
  429: refusedByOAuth(everyCall[429].description, 'rate-limited'),
  431: refusedByOAuth(everyCall[431].description, 'headers-too-large'),
  500: refusedByOAuth('An unexpected failure', 'unexpected'),
  503: refusedByOAuth(everyCall[503].description, 'unavailable'),
} as const

const legacy = {
  method: 'POST',
  caller: 'client',
  scope: 'messages',
  errorFormat: 'legacy',
  tag: 'Legacy API',
  accepted: 'Done',
} as const

const malformedOtp = (...samples: string[]) =>
  refused('The request is malformed, or the message cannot be sent', 'field-invalid', ...samples)
const notSent = refused(
  'The gateway did not accept the message, or the service is overloaded or stopping',
  'delivery-failed',
  'unavailable',
)

export const legacyEndpoints = {
  userInfo: {
    ...legacy,
    scope: 'tokens',
    path: '/auth/userInfo',
    summary: 'User info',
    description:
      'Like /auth/v1/validate/token, in the format of older SDKs. Unknown fields are omitted. Names come from the identity provider of the last sign-in.',
    request: UserInfoRequest,
    fieldFailures: { token: 'tokenInvalid' },
    form: UserInfoForm,
    answer: UserInfo,
    refusals: {
      ...everyLegacyCall,
      400: refused(
        'The request is malformed, or the token is expired or not accepted',
        'token-expired',
        'token-invalid',
      ),
    },
  },
  exchangeCode: {
    ...legacy,
    scope: 'tokens',
    errorFormat: 'oauth',
    path: '/auth/v1/oauth/token',
    summary: 'Token endpoint: exchange a code for an id token',
    description:
      'The token endpoint of /.well-known/openid-configuration. The code is `ringfence_code` of the URL that the user returned to from an identity provider or a magic link. It is accepted once, here or by the SDK. Credentials: HTTP Basic, headers, or form fields.',
    request: CodeExchangeRequest,
    fieldFailures: { grant_type: 'grantTypeUnsupported' },
    form: CodeExchangeForm,
    answer: CodeExchangeAnswer,
    refusals: {
      ...everyOAuthCall,
      400: refusedByOAuth(
        'The code is unknown, used, expired, or of another tenant, client or redirect_uri (invalid_grant), or the request is malformed',
        'code-invalid',
        'grant-type-unsupported',
        'invalid-json',
      ),
    },
  },
  sendMagicLink: {
    ...legacy,
    method: 'GET',
    path: '/auth/v1/authorize',
    summary: 'Send a magic link',
    description:
      'Starts a sign-in of the app that lists `redirect_uri`. The link leads there with `code`, which only this client can exchange at /auth/v1/oauth/token, and with `ringfence_transaction`. A repeated call with the same recipient and redirect_uri sends nothing until a message may be sent again. Credentials: headers, or query parameters, which proxies log: prefer headers.',
    request: MagicLinkRequest,
    form: MagicLinkQuery,
    answer: MagicLinkSent,
    refusals: {
      ...everyQueryCall,
      400: malformedOtp('redirect-url-refused', 'invalid-phone-number', 'channel-unavailable'),
      429: refused('Too many messages or calls', 'messages-limited', 'rate-limited'),
      503: notSent,
    },
  },
  sendOtp: {
    ...legacy,
    path: '/auth/otp/v1/send',
    summary: 'Send a one-time password',
    description:
      'For a backend that signs users in itself. Limits apply per client. While an order is open, a repeated call with its orderId and recipient sends nothing. After it was verified, has expired or has no attempts left, or if its message could not be sent (503), the call starts it again.',
    request: OtpSendRequest,
    answer: OtpOrder,
    refusals: {
      ...everyLegacyCall,
      400: malformedOtp('recipient-missing', 'order-taken', 'invalid-phone-number', 'channel-unavailable'),
      429: refused('Too many messages or calls', 'messages-limited', 'rate-limited'),
      503: notSent,
    },
  },
  resendOtp: {
    ...legacy,
    path: '/auth/otp/v1/resend',
    summary: 'Send another one-time password for an order',
    description: 'Sends a new OTP. The previous one is still accepted, because it may arrive late.',
    request: OtpResendRequest,
    answer: OtpOrder,
    refusals: {
      ...everyLegacyCall,
      400: malformedOtp('order-unknown'),
      429: refused('Too early, or too many messages or calls', 'resend-too-early', 'messages-limited', 'rate-limited'),
      503: notSent,
    },
  },
  verifyOtp: {
    ...legacy,
    path: '/auth/otp/v1/verify',
    summary: 'Verify a one-time password',
    description: 'A wrong, expired or used OTP returns 200 with `isOTPVerified` false and a reason.',
    request: OtpVerifyRequest,
    answer: OtpVerification,
    refusals: { ...everyLegacyCall, 400: malformedOtp('order-unknown') },
  },
} as const satisfies Record<string, Endpoint>
