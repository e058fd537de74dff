// What do the calls around a frontend token ask and answer? (specification 2.4, 2.5, 4.4, 4.5)

import Type, { type Static } from 'typebox'
import { DeviceInfo, DeviceInfoDetail } from './device-info.ts'
import { Network } from './network.ts'
import { SecureInfo, SecureInfoDetail } from './security-signals.ts'

const closed = { additionalProperties: false } as const

const Token = Type.String({ description: 'The token of the user object' })
const Status = Type.Literal('SUCCESS')

/** An identity that a user proved (specification 2.4). */
export const Identity = Type.Object(
  {
    identityType: Type.String({ description: 'MOBILE, EMAIL …' }),
    identityValue: Type.String({ description: 'MOBILE: digits with country code, no plus sign' }),
    channel: Type.String({ description: 'OTP, OAUTH, MAGIC_LINK, SILENT_AUTH …' }),
    methods: Type.Array(Type.String(), { description: 'SMS, EMAIL, the name of a provider …' }),
    verified: Type.Boolean(),
    verifiedAt: Type.Optional(Type.String({ description: 'ISO 8601 UTC; absent where it was not verified' })),
  },
  { $id: 'Identity', ...closed, description: 'An identity that a user proved' },
)
export type Identity = Static<typeof Identity>

const Name = (description: string, example: string) =>
  Type.String({ minLength: 1, maxLength: 64, description, examples: [example] })

/** An identity as an integrator's backend states it; every field is then answered as it was given. */
export const IdentityClaim = Type.Object(
  {
    identityType: Name('MOBILE, EMAIL, or a type of your own', 'MOBILE'),
    identityValue: Type.String({
      minLength: 1,
      maxLength: 320,
      description: 'MOBILE: digits with country code, no plus sign',
      examples: ['917020141726'],
    }),
    channel: Name('OTP, OAUTH, MAGIC_LINK, SILENT_AUTH, or one of your own', 'OTP'),
    methods: Type.Array(Name('SMS, EMAIL, the name of a provider, or one of your own', 'SMS'), {
      minItems: 1,
      maxItems: 16,
    }),
    verified: Type.Boolean(),
    verifiedAt: Type.Optional(
      Type.String({
        format: 'date-time',
        pattern: 'Z$',
        description: 'ISO 8601 UTC; there exactly when verified is true',
        examples: ['2026-03-01T11:59:58Z'],
      }),
    ),
  },
  { $id: 'IdentityClaim', ...closed, description: 'An identity that a user proved to you' },
)
export type IdentityClaim = Static<typeof IdentityClaim>

export const ValidateTokenRequest = Type.Object({ token: Token }, { $id: 'ValidateTokenRequest' })
export type ValidateTokenRequest = Static<typeof ValidateTokenRequest>

/** Specification 2.4. `network`, `deviceInfo` and `secureInfo` are omitted when nothing was collected at the sign-in. */
export const TokenVerification = Type.Object(
  {
    token: Type.String({ description: 'The token that was verified' }),
    status: Status,
    userId: Type.String(),
    timestamp: Type.String({ description: 'Time of the sign-in; ISO 8601 UTC' }),
    identities: Type.Array(Identity),
    network: Type.Optional(Network),
    deviceInfo: Type.Optional(DeviceInfo),
    secureInfo: Type.Optional(SecureInfo),
  },
  { $id: 'TokenVerification', ...closed, description: 'Whom a token stands for' },
)
export type TokenVerification = Static<typeof TokenVerification>

export const SecureInfoRequest = Type.Object({ token: Token }, { $id: 'SecureInfoRequest' })
export type SecureInfoRequest = Static<typeof SecureInfoRequest>

/** The same as a form, which may bring the credentials itself. */
export const SecureInfoForm = Type.Object(
  {
    token: Token,
    client_id: Type.Optional(Type.String({ description: 'Instead of the clientId header' })),
    client_secret: Type.Optional(Type.String({ description: 'Instead of the clientSecret header' })),
  },
  { $id: 'SecureInfoForm' },
)
export type SecureInfoForm = Static<typeof SecureInfoForm>

/** Specification 2.5. Each part is omitted when it was not collected. */
export const SecureInfoResult = Type.Object(
  {
    status: Status,
    secure_info: Type.Optional(SecureInfoDetail),
    network_info: Type.Optional(Network),
    device_info: Type.Optional(DeviceInfoDetail),
  },
  { $id: 'SecureInfoResult', ...closed, description: 'What is known of the device and network of a token' },
)
export type SecureInfoResult = Static<typeof SecureInfoResult>

export const IssueTokenRequest = Type.Object(
  {
    userId: Type.String({ minLength: 1, maxLength: 256, description: 'Your id of the user' }),
    identities: Type.Array(IdentityClaim, { minItems: 1, maxItems: 16, description: 'What the user proved to you' }),
    requestId: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 128,
        description: 'Of a device analysis of this visit, an hour old at most',
      }),
    ),
  },
  { $id: 'IssueTokenRequest' },
)
export type IssueTokenRequest = Static<typeof IssueTokenRequest>

export const IssuedToken = Type.Object(
  {
    token: Type.String({ description: 'To hand to your frontend' }),
    expiresAt: Type.String({ description: 'ISO 8601 UTC' }),
  },
  { $id: 'IssuedToken', ...closed, description: 'A new token' },
)
export type IssuedToken = Static<typeof IssuedToken>

export const RevokeTokenRequest = Type.Object({ token: Token }, { $id: 'RevokeTokenRequest' })
export type RevokeTokenRequest = Static<typeof RevokeTokenRequest>

export const RevokedToken = Type.Object(
  { status: Status },
  { $id: 'RevokedToken', ...closed, description: 'The token is accepted nowhere any more' },
)
export type RevokedToken = Static<typeof RevokedToken>
