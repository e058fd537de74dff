// Which calls do older server SDKs of this interface make? What our own client does not need; the shapes are theirs. (design: wire.md)

import {
  CodeExchangeAnswer,
  CodeExchangeForm,
  CodeExchangeRequest,
  LegacyErrorBody,
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
import { type Endpoint, everyCall, type RefusalRow } from './endpoint.ts'

const refused = (description: string, ...samples: string[]): RefusalRow => ({
  description,
  body: LegacyErrorBody,
  samples,
})

/** Each as everywhere, in words alone. */
const everyOlderCall = {
  401: refused('Missing or invalid credentials', 'credentials-missing', 'credentials-invalid'),
  405: refused(everyCall[405].description, 'method-not-allowed'),
  408: everyCall[408],
  413: refused(everyCall[413].description, 'body-too-large'),
  415: refused(everyCall[415].description, 'media-type-unsupported'),
  429: refused(everyCall[429].description, 'rate-limited'),
  431: everyCall[431],
  500: refused('An unexpected failure', 'unexpected'),
  503: refused(everyCall[503].description, 'unavailable'),
} as const

const refusedByOAuth = (description: string, ...samples: string[]): RefusalRow => ({
  description,
  body: OAuthErrorBody,
  samples,
})

/** As everywhere, in the words of RFC 6749. */
const everyOAuthCall = {
  401: refusedByOAuth('Missing or invalid credentials (invalid_client)', 'credentials-missing', 'credentials-invalid'),
  405: refusedByOAuth(everyCall[405].description, 'method-not-allowed'),
  408: everyCall[408],
  413: refusedByOAuth(everyCall[413].description, 'body-too-large'),
  415: refusedByOAuth(everyCall[415].description, 'media-type-unsupported'),
  429: refusedByOAuth(everyCall[429].description, 'rate-limited'),
  431: everyCall[431],
  500: refusedByOAuth('An unexpected failure', 'unexpected'),
  503: refusedByOAuth(everyCall[503].description, 'unavailable'),
} as const

const legacy = {
  method: 'POST',
  caller: 'client',
  errorFormat: 'legacy',
  tag: 'Legacy API',
  accepted: 'Done',
} as const

const malformedOtp = (...samples: string[]) => refused('Malformed, or not to be served', 'field-invalid', ...samples)
const notSent = refused('The message was not taken over; or overloaded or draining', 'delivery-failed', 'unavailable')

export const legacyEndpoints = {
  userInfo: {
    ...legacy,
    path: '/auth/userInfo',
    summary: 'The person behind a token',
    description:
      'As /auth/v1/validate/token, in the words of older SDKs. What is not known is left out; names are those that a provider told at the last sign-in by it.',
    request: UserInfoRequest,
    form: UserInfoForm,
    answer: UserInfo,
    refusals: {
      ...everyOlderCall,
      400: refused('Malformed, or a token that is expired or not accepted', 'token-expired', 'token-invalid'),
    },
  },
  exchangeCode: {
    ...legacy,
    errorFormat: 'oauth',
    path: '/auth/v1/oauth/token',
    summary: 'Token endpoint: an id token for a code',
    description:
      'The token endpoint of /.well-known/openid-configuration. The code is `ringfence_code` of the address that a person came back to from a provider or a magic link; it is accepted once, here or by the SDK.',
    request: CodeExchangeRequest,
    form: CodeExchangeForm,
    answer: CodeExchangeAnswer,
    refusals: {
      ...everyOAuthCall,
      400: refusedByOAuth(
        'A code that is unknown, used, expired or another tenant’s (invalid_grant), or a malformed request',
        'code-invalid',
        'grant-type-unsupported',
        'invalid-json',
      ),
    },
  },
  sendOtp: {
    ...legacy,
    path: '/auth/otp/v1/send',
    summary: 'Send a one-time password',
    description:
      'For a backend that signs people in itself, with limits of its own client. Repeated with the same orderId and recipient it sends nothing, unless what was sent before did not get out (503).',
    request: OtpSendRequest,
    answer: OtpOrder,
    refusals: {
      ...everyOlderCall,
      400: malformedOtp('recipient-missing', 'order-taken', 'invalid-phone-number', 'channel-unavailable'),
      429: refused('Too many messages, or calls', 'messages-limited', 'rate-limited'),
      503: notSent,
    },
  },
  resendOtp: {
    ...legacy,
    path: '/auth/otp/v1/resend',
    summary: 'Send another one-time password for an order',
    description: 'A new OTP; the one before it is still accepted, as it may arrive late.',
    request: OtpResendRequest,
    answer: OtpOrder,
    refusals: {
      ...everyOlderCall,
      400: malformedOtp('order-unknown'),
      429: refused('Too early, or too many messages or calls', 'resend-too-early', 'messages-limited', 'rate-limited'),
      503: notSent,
    },
  },
  verifyOtp: {
    ...legacy,
    path: '/auth/otp/v1/verify',
    summary: 'Verify a one-time password',
    description: 'A wrong, late or used OTP is an answer, `isOTPVerified` false with its reason.',
    request: OtpVerifyRequest,
    answer: OtpVerification,
    refusals: { ...everyOlderCall, 400: malformedOtp('order-unknown') },
  },
} as const satisfies Record<string, Endpoint>
