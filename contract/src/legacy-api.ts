// What do older server SDKs send and receive? User info by token, magic links, an id token for a code, and one-time passwords.

import Type, { type Static } from 'typebox'
import { closed } from './schema-parts.ts'
import { codeVerifierPattern } from './sign-in.ts'
import { credentialFields } from './tokens.ts'

const token = Type.String({ description: 'The token of the user object' })

export const UserInfoRequest = Type.Object({ token }, { $id: 'UserInfoRequest' })
export type UserInfoRequest = Static<typeof UserInfoRequest>

export const UserInfoForm = Type.Object({ token, ...credentialFields }, { $id: 'UserInfoForm' })

const authState = Type.Enum(['verified', 'unverified'])
const mode = Type.String({ description: 'How it was verified: SMS, EMAIL, or the name of an identity provider' })

/** Omits unknown fields. */
export const UserInfo = Type.Object(
  {
    name: Type.Optional(Type.String()),
    first_name: Type.Optional(Type.String()),
    last_name: Type.Optional(Type.String()),
    family_name: Type.Optional(Type.String({ description: 'Same as last_name' })),
    email: Type.Optional(Type.String()),
    email_verified: Type.Optional(Type.Boolean()),
    phone_number: Type.Optional(Type.String({ description: 'With its plus sign' })),
    country_code: Type.Optional(Type.String({ description: 'With its plus sign' })),
    national_phone_number: Type.Optional(Type.String()),
    auth_time: Type.String({ description: 'Epoch seconds, as a string' }),
    authentication_details: Type.Object(
      {
        phone: Type.Optional(
          Type.Object(
            { mode, phone_number: Type.String(), country_code: Type.String(), auth_state: authState },
            closed,
          ),
        ),
        email: Type.Optional(Type.Object({ mode, email: Type.String(), auth_state: authState }, closed)),
      },
      closed,
    ),
  },
  { $id: 'UserInfo', ...closed, description: 'The user of a token' },
)
export type UserInfo = Static<typeof UserInfo>

const codeFields = {
  code: Type.String({ maxLength: 256, description: '`ringfence_code` of the URL that the user returned to' }),
  grant_type: Type.Optional(Type.Literal('authorization_code', { description: 'As in RFC 6749; optional' })),
  redirect_uri: Type.Optional(
    Type.String({ maxLength: 2048, description: 'If sent, it must be the redirectUrl of the sign-in' }),
  ),
  code_verifier: Type.Optional(
    Type.String({
      pattern: codeVerifierPattern,
      description: 'Required if the sign-in started with a codeChallenge (RFC 7636)',
    }),
  ),
  transaction_id: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 64,
      description:
        'If sent, it must be the transactionId of the sign-in. Send the one that the session of the browser started, not the one of the URL',
    }),
  ),
}

export const CodeExchangeRequest = Type.Object(codeFields, { $id: 'CodeExchangeRequest' })
export type CodeExchangeRequest = Static<typeof CodeExchangeRequest>

export const CodeExchangeForm = Type.Object({ ...codeFields, ...credentialFields }, { $id: 'CodeExchangeForm' })

export const CodeExchangeAnswer = Type.Object(
  {
    id_token: Type.String({ description: 'OIDC id_token; its audience is your client id and the app' }),
    access_token: Type.String({ description: 'The token of the user object, for /auth/v1/validate/token' }),
    token_type: Type.Literal('Bearer'),
    expires_in: Type.Integer({ description: 'Lifetime of the access token in seconds' }),
  },
  { $id: 'CodeExchangeAnswer', ...closed, description: 'The user has signed in' },
)
export type CodeExchangeAnswer = Static<typeof CodeExchangeAnswer>

const linkFields = {
  email: Type.Optional(
    Type.String({
      maxLength: 320,
      description: 'Email address; this or mobile_number. An empty string counts as absent',
    }),
  ),
  mobile_number: Type.Optional(
    Type.String({ maxLength: 32, description: 'With country code. An empty string counts as absent' }),
  ),
  channel: Type.Optional(
    Type.String({
      maxLength: 64,
      description: 'SMS, WHATSAPP or EMAIL; required when an app offers several for the recipient',
    }),
  ),
  redirect_uri: Type.String({
    maxLength: 2048,
    description: 'Where the link leads to, with `code`: one of the redirectUrls of an app, character by character',
  }),
  code_challenge: Type.Optional(
    Type.String({
      pattern: '^[A-Za-z0-9_-]{43}$',
      description: 'S256 of RFC 7636, with `code_challenge_method`: the token endpoint demands its code_verifier',
    }),
  ),
  code_challenge_method: Type.Optional(Type.Literal('S256')),
}

export const MagicLinkRequest = Type.Object(linkFields, { $id: 'MagicLinkRequest' })
export type MagicLinkRequest = Static<typeof MagicLinkRequest>

export const MagicLinkQuery = Type.Object({ ...linkFields, ...credentialFields }, { $id: 'MagicLinkQuery' })

export const MagicLinkSent = Type.Object(
  {
    requestIds: Type.Array(
      Type.Object(
        {
          type: Type.Enum(['MOBILE', 'EMAIL']),
          value: Type.String({ description: 'The `ringfence_transaction` of the URL that the link leads to' }),
        },
        closed,
      ),
      { minItems: 1, maxItems: 1 },
    ),
  },
  { $id: 'MagicLinkSent', ...closed, description: 'The magic link was sent' },
)
export type MagicLinkSent = Static<typeof MagicLinkSent>

/** RFC 6749, 5.2. */
export const OAuthErrorBody = Type.Object(
  { error: Type.String(), error_description: Type.String() },
  { $id: 'OAuthErrorBody', ...closed, description: 'Why no token was issued' },
)
export type OAuthErrorBody = Static<typeof OAuthErrorBody>

/** Only `message`, except for a token that is not accepted. */
export const LegacyErrorBody = Type.Object(
  {
    message: Type.String(),
    errorCode: Type.Optional(Type.String()),
    description: Type.Optional(Type.String()),
  },
  { $id: 'LegacyErrorBody', ...closed, description: 'Why a call was refused' },
)
export type LegacyErrorBody = Static<typeof LegacyErrorBody>

const orderId = Type.String({ pattern: '^[\\x21-\\x7E]{1,128}$', description: 'orderId that the send returned' })
const phoneNumber = Type.Optional(
  Type.String({ maxLength: 32, description: 'With country code; an empty string counts as absent' }),
)
const email = Type.Optional(
  Type.String({ maxLength: 320, description: 'Email address; an empty string counts as absent' }),
)

/** 30 to 3600. */
const secondsPattern = '^([3-9][0-9]|[1-9][0-9]{2}|[12][0-9]{3}|3[0-5][0-9]{2}|3600)$'

export const OtpSendRequest = Type.Object(
  {
    phoneNumber,
    email,
    channel: Type.Optional(
      Type.String({ maxLength: 64, description: 'SMS, WHATSAPP or EMAIL; the default depends on the recipient' }),
    ),
    otpLength: Type.Optional(
      Type.Union([Type.Integer({ minimum: 4, maximum: 10 }), Type.String({ pattern: '^([4-9]|10)$' })], {
        description: '4 to 10, as a number or as text; default: 6',
      }),
    ),
    expiry: Type.Optional(
      Type.Union([Type.Integer({ minimum: 30, maximum: 3600 }), Type.String({ pattern: secondsPattern })], {
        description: 'Lifetime of the OTP in seconds, 30 to 3600, as a number or as text; default: 300',
      }),
    ),
    orderId: Type.Optional({ ...orderId, description: 'Your id of the order; generated when absent' }),
  },
  { $id: 'OtpSendRequest' },
)
export type OtpSendRequest = Static<typeof OtpSendRequest>

export const OtpOrder = Type.Object(
  {
    success: Type.Literal(true),
    orderId: Type.String(),
    refId: Type.String({ description: 'Id of this request, as in x-request-id' }),
  },
  { $id: 'OtpOrder', ...closed, description: 'The OTP was sent' },
)
export type OtpOrder = Static<typeof OtpOrder>

export const OtpResendRequest = Type.Object({ orderId }, { $id: 'OtpResendRequest' })
export type OtpResendRequest = Static<typeof OtpResendRequest>

export const OtpVerifyRequest = Type.Object(
  { orderId, otp: Type.String({ maxLength: 64, description: 'The digits in the message' }), phoneNumber, email },
  { $id: 'OtpVerifyRequest' },
)
export type OtpVerifyRequest = Static<typeof OtpVerifyRequest>

export const OtpVerification = Type.Object(
  {
    success: Type.Boolean({ description: 'Same as isOTPVerified' }),
    isOTPVerified: Type.Boolean(),
    reason: Type.Optional(Type.String({ description: 'Why the OTP is not verified' })),
  },
  { $id: 'OtpVerification', ...closed, description: 'Whether the OTP is correct' },
)
export type OtpVerification = Static<typeof OtpVerification>
