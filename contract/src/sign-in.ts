// What do the SDKs send and receive while a user signs in? start, resend, verify, status.

import Type, { type Static } from 'typebox'
import { DeviceInfo } from './device-info.ts'
import { Network } from './network.ts'
import { closed } from './schema-parts.ts'
import { Identity } from './tokens.ts'

const transactionId = Type.String({ minLength: 1, maxLength: 64, description: 'transactionId of the start' })
const dfrId = Type.Optional(
  Type.String({ minLength: 1, maxLength: 64, description: 'dfrId of a report that belongs to this sign-in' }),
)
const facts = Type.Optional(
  Type.Record(Type.String(), Type.Unknown(), {
    description: 'Facts of the device, for `deviceInfo`; facts of a wrong type are dropped',
  }),
)

/** RFC 7636, 4.1 */
export const codeVerifierPattern = '^[A-Za-z0-9._~-]{43,128}$'

export const SignInStartRequest = Type.Object(
  {
    channel: Type.Enum(['OTP', 'MAGIC_LINK', 'OAUTH', 'SILENT']),
    method: Type.Optional(
      Type.String({
        maxLength: 64,
        description:
          'SMS, EMAIL, or the name of an identity provider; required when the app offers several. SILENT: of the OTP in its place',
      }),
    ),
    identity: Type.Optional(
      Type.Object(
        {
          type: Type.Enum(['MOBILE', 'EMAIL']),
          value: Type.String({
            minLength: 1,
            maxLength: 320,
            description: 'MOBILE: digits with country code, no plus sign',
          }),
        },
        { description: 'The user who signs in; not for OAUTH' },
      ),
    ),
    redirectUrl: Type.Optional(
      Type.String({
        maxLength: 2048,
        description:
          'Where OAUTH and MAGIC_LINK return to: one of the app’s redirect URLs. OTP: for a step-up of the telecom gate. SILENT: only if the page itself goes to authorizationUrl',
      }),
    ),
    codeChallenge: Type.Optional(
      Type.String({
        pattern: '^[A-Za-z0-9_-]{43}$',
        description:
          'S256 of RFC 7636: the SHA-256 of codeVerifier as base64url. Without it, only a backend can exchange a code that went to redirectUrl',
      }),
    ),
    otpLength: Type.Optional(
      Type.Integer({
        minimum: 4,
        maximum: 10,
        description: 'OTP: number of digits; default: 6. The service may set a higher minimum',
      }),
    ),
    locale: Type.Optional(Type.String({ maxLength: 35, description: 'BCP 47 language of the message' })),
    linkTo: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 128,
        description:
          'Adds what is proved to the user of this token: of a sign-in of the last five minutes, on this page or installation. Not for SILENT',
      }),
    ),
    deviceFingerprintMode: Type.Optional(
      Type.Enum(['NONE', 'ASYNC', 'SYNC'], {
        description:
          'Default: NONE. With ASYNC or SYNC, the latest analysis in the session belongs to the sign-in, also when no call sends its dfrId',
      }),
    ),
    facts,
    dfrId,
  },
  { $id: 'SignInStartRequest' },
)
export type SignInStartRequest = Static<typeof SignInStartRequest>

export const SignInTransaction = Type.Object(
  {
    transactionId: Type.String(),
    channel: Type.String({
      description:
        'The requested channel. OAUTH after a step-up by the telecom gate to an identity provider; OTP in place of SILENT when the operator of the number verifies no phones',
    }),
    method: Type.String(),
    expiresAt: Type.String({ description: 'ISO 8601 UTC' }),
    resendAfterSeconds: Type.Optional(Type.Integer({ description: 'OTP, MAGIC_LINK: an earlier resend is refused' })),
    otpLength: Type.Optional(Type.Integer()),
    authorizationUrl: Type.Optional(
      Type.String({ description: 'OAUTH: where to redirect the user. SILENT: what the phone opens over mobile data' }),
    ),
    fallback: Type.Optional(
      Type.Literal('OTP', { description: 'SILENT: what to start if the phone is not verified; absent: nothing' }),
    ),
  },
  { $id: 'SignInTransaction', ...closed, description: 'A sign-in in progress' },
)
export type SignInTransaction = Static<typeof SignInTransaction>

export const SignInResendRequest = Type.Object({ transactionId }, { $id: 'SignInResendRequest' })
export type SignInResendRequest = Static<typeof SignInResendRequest>

export const SignInVerifyRequest = Type.Object(
  {
    transactionId,
    otp: Type.Optional(
      Type.String({
        maxLength: 64,
        description: 'OTP: the digits in the message, in any script; spaces, dashes and dots do not count',
      }),
    ),
    code: Type.Optional(
      Type.String({
        maxLength: 256,
        description: 'OAUTH, MAGIC_LINK, SILENT: `ringfence_code` of the URL or page that the user returned to',
      }),
    ),
    codeVerifier: Type.Optional(
      Type.String({
        pattern: codeVerifierPattern,
        description: 'With `code`: the code verifier (RFC 7636) whose codeChallenge the start had',
      }),
    ),
    facts,
    dfrId,
  },
  { $id: 'SignInVerifyRequest' },
)
export type SignInVerifyRequest = Static<typeof SignInVerifyRequest>

/** The user object of the frontend. Its `token` is for the backend. */
export const SignedInUser = Type.Object(
  {
    token: Type.String({ description: 'For your backend, which validates it at /auth/v1/validate/token' }),
    status: Type.Literal('SUCCESS'),
    userId: Type.String(),
    timestamp: Type.String({ description: 'ISO 8601 UTC' }),
    identities: Type.Array(Identity),
    idToken: Type.String({ description: 'OIDC id_token' }),
    network: Type.Optional(Network),
    deviceInfo: Type.Optional(DeviceInfo),
    sessionInfo: Type.Object(
      { sessionId: Type.String(), transactionId: Type.String() },
      { ...closed, description: 'For support' },
    ),
    dfrId: Type.Optional(Type.String()),
  },
  { $id: 'SignedInUser', ...closed, description: 'The user has signed in' },
)
export type SignedInUser = Static<typeof SignedInUser>

export const SignInStatusRequest = Type.Object({ transactionId, dfrId }, { $id: 'SignInStatusRequest' })
export type SignInStatusRequest = Static<typeof SignInStatusRequest>

/** Polled while the user opens a magic link, perhaps on another device. */
export const SignInStatus = Type.Object(
  {
    status: Type.Enum(['PENDING', 'SUCCESS', 'FAILED', 'EXPIRED']),
    user: Type.Optional(SignedInUser),
  },
  { $id: 'SignInStatus', ...closed, description: 'State of a sign-in' },
)
export type SignInStatus = Static<typeof SignInStatus>

export const ShownMessagesRequest = Type.Object(
  {
    to: Type.Optional(
      Type.String({
        maxLength: 320,
        description: 'Only messages to this phone number or email address',
      }),
    ),
  },
  { $id: 'ShownMessagesRequest' },
)
export type ShownMessagesRequest = Static<typeof ShownMessagesRequest>
