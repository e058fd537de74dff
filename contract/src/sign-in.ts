// What do the SDKs ask while a person signs in? start, resend, verify, status. (design: wire.md)

import Type, { type Static } from 'typebox'
import { DeviceInfo } from './device-info.ts'
import { Network } from './network.ts'
import { Identity } from './tokens.ts'

const closed = { additionalProperties: false } as const

const transactionId = Type.String({ minLength: 1, maxLength: 64, description: 'Of the answer to start' })
const dfrId = Type.Optional(
  Type.String({ minLength: 1, maxLength: 64, description: 'Of a fingerprint that belongs to this sign-in' }),
)
const facts = Type.Optional(
  Type.Record(Type.String(), Type.Unknown(), {
    description: 'Plain facts of the device, for `deviceInfo`; those of wrong types are dropped',
  }),
)

export const SignInStartRequest = Type.Object(
  {
    channel: Type.Enum(['OTP', 'MAGIC_LINK', 'OAUTH']),
    method: Type.Optional(
      Type.String({
        maxLength: 64,
        description: 'SMS, EMAIL, or the name of a provider; needed where the app offers several',
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
        { description: 'Who signs in; not for OAUTH' },
      ),
    ),
    redirectUrl: Type.Optional(
      Type.String({
        maxLength: 2048,
        description: 'Where OAUTH and MAGIC_LINK lead back to; of the app’s origins or redirect addresses',
      }),
    ),
    otpLength: Type.Optional(
      Type.Integer({
        minimum: 4,
        maximum: 10,
        description: 'OTP: digits, 6 by default; fewer than the service is set to are not given',
      }),
    ),
    locale: Type.Optional(Type.String({ maxLength: 35, description: 'BCP 47 language of the message' })),
    deviceFingerprintMode: Type.Optional(Type.Enum(['NONE', 'ASYNC', 'SYNC'], { description: 'NONE by default' })),
    facts,
    dfrId,
  },
  { $id: 'SignInStartRequest' },
)
export type SignInStartRequest = Static<typeof SignInStartRequest>

/** A sign-in under way. */
export const SignInTransaction = Type.Object(
  {
    transactionId: Type.String(),
    channel: Type.String({
      description: 'The channel in use; another one than asked for when the telecom gate stepped up',
    }),
    method: Type.String(),
    expiresAt: Type.String({ description: 'ISO 8601 UTC' }),
    resendAfterSeconds: Type.Optional(Type.Integer({ description: 'OTP, MAGIC_LINK: a resend is refused before' })),
    otpLength: Type.Optional(Type.Integer()),
    authorizationUrl: Type.Optional(Type.String({ description: 'OAUTH: where to send the person' })),
  },
  { $id: 'SignInTransaction', ...closed, description: 'A sign-in under way' },
)
export type SignInTransaction = Static<typeof SignInTransaction>

export const SignInResendRequest = Type.Object({ transactionId }, { $id: 'SignInResendRequest' })
export type SignInResendRequest = Static<typeof SignInResendRequest>

export const SignInVerifyRequest = Type.Object(
  {
    transactionId,
    otp: Type.Optional(Type.String({ maxLength: 16, description: 'OTP: the digits of the message' })),
    code: Type.Optional(
      Type.String({
        maxLength: 256,
        description: 'OAUTH, MAGIC_LINK: `ringfence_code` of the address that the person came back to',
      }),
    ),
    facts,
    dfrId,
  },
  { $id: 'SignInVerifyRequest' },
)
export type SignInVerifyRequest = Static<typeof SignInVerifyRequest>

/** The user object: what the frontend holds; its `token` is for the backend. */
export const SignedInUser = Type.Object(
  {
    token: Type.String({ description: 'For the backend, which exchanges it at /auth/v1/validate/token' }),
    status: Type.Literal('SUCCESS'),
    userId: Type.String(),
    timestamp: Type.String({ description: 'ISO 8601 UTC' }),
    identities: Type.Array(Identity),
    idToken: Type.String({ description: 'OIDC id_token' }),
    network: Type.Optional(Network),
    deviceInfo: Type.Optional(DeviceInfo),
    sessionInfo: Type.Object(
      { sessionId: Type.String(), transactionId: Type.String() },
      { ...closed, description: 'For questions to support' },
    ),
    dfrId: Type.Optional(Type.String()),
  },
  { $id: 'SignedInUser', ...closed, description: 'A person has signed in' },
)
export type SignedInUser = Static<typeof SignedInUser>

export const SignInStatusRequest = Type.Object({ transactionId }, { $id: 'SignInStatusRequest' })
export type SignInStatusRequest = Static<typeof SignInStatusRequest>

/** Asked again and again while a person opens a magic link, perhaps on another device. */
export const SignInStatus = Type.Object(
  {
    status: Type.Enum(['PENDING', 'SUCCESS', 'FAILED', 'EXPIRED']),
    user: Type.Optional(SignedInUser),
  },
  { $id: 'SignInStatus', ...closed, description: 'How far a sign-in is' },
)
export type SignInStatus = Static<typeof SignInStatus>
