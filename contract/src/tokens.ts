// What do the calls around a frontend token take and return? (specification 2.4, 2.5, 4.4, 4.5)

import Type, { type Static } from 'typebox'
import { DeviceInfo, DeviceInfoDetail } from './device-info.ts'
import { Network } from './network.ts'
import { closed } from './schema-parts.ts'
import { SecureInfo, SecureInfoDetail } from './security-signals.ts'

/** Credentials as form fields, in place of headers. */
export const credentialFields = {
  client_id: Type.Optional(Type.String({ description: 'Instead of the clientId header' })),
  client_secret: Type.Optional(Type.String({ description: 'Instead of the clientSecret header' })),
  clientId: Type.Optional(Type.String({ description: 'Same as client_id' })),
  clientSecret: Type.Optional(Type.String({ description: 'Same as client_secret' })),
}

const Token = Type.String({ description: 'The token of the user object' })
const Status = Type.Literal('SUCCESS')

/** An identity of a user (specification 2.4). */
export const Identity = Type.Object(
  {
    identityType: Type.String({ description: 'MOBILE, EMAIL …' }),
    identityValue: Type.String({ description: 'MOBILE: digits with country code, no plus sign' }),
    channel: Type.String({ description: 'OTP, OAUTH, MAGIC_LINK, SILENT_AUTH …' }),
    methods: Type.Array(Type.String(), { description: 'SMS, EMAIL, the name of an identity provider …' }),
    verified: Type.Boolean(),
    verifiedAt: Type.Optional(Type.String({ description: 'ISO 8601 UTC; absent when not verified' })),
  },
  { $id: 'Identity', ...closed, description: 'An identity of a user' },
)
export type Identity = Static<typeof Identity>

const Name = (description: string, example: string) =>
  Type.String({ minLength: 1, maxLength: 64, description, examples: [example] })

/** An identity that an integrator's backend states. Every field is returned as given. */
export const IdentityClaim = Type.Object(
  {
    identityType: Name('MOBILE, EMAIL, or your own type', 'MOBILE'),
    identityValue: Type.String({
      minLength: 1,
      maxLength: 320,
      description: 'MOBILE: digits with country code, no plus sign',
      examples: ['917020141726'],
    }),
    channel: Name('OTP, OAUTH, MAGIC_LINK, SILENT_AUTH, or your own channel', 'OTP'),
    methods: Type.Array(Name('SMS, EMAIL, the name of an identity provider, or your own method', 'SMS'), {
      minItems: 1,
      maxItems: 16,
    }),
    verified: Type.Boolean(),
    verifiedAt: Type.Optional(
      Type.String({
        format: 'date-time',
        pattern: 'Z$',
        description: 'ISO 8601 UTC; required when verified is true, and only then',
        examples: ['2026-03-01T11:59:58Z'],
      }),
    ),
  },
  { $id: 'IdentityClaim', ...closed, description: 'An identity that your backend verified' },
)
export type IdentityClaim = Static<typeof IdentityClaim>

export const ValidateTokenRequest = Type.Object({ token: Token }, { $id: 'ValidateTokenRequest' })
export type ValidateTokenRequest = Static<typeof ValidateTokenRequest>

/** Specification 2.4. Omits `network`, `deviceInfo` and `secureInfo` when nothing was collected at the sign-in. */
export const TokenVerification = Type.Object(
  {
    token: Type.String({ description: 'The token that was validated' }),
    status: Status,
    userId: Type.String(),
    timestamp: Type.String({ description: 'Time of the sign-in; ISO 8601 UTC' }),
    identities: Type.Array(Identity),
    network: Type.Optional(Network),
    deviceInfo: Type.Optional(DeviceInfo),
    secureInfo: Type.Optional(SecureInfo),
  },
  { $id: 'TokenVerification', ...closed, description: 'Who signed in' },
)
export type TokenVerification = Static<typeof TokenVerification>

export const SecureInfoRequest = Type.Object({ token: Token }, { $id: 'SecureInfoRequest' })
export type SecureInfoRequest = Static<typeof SecureInfoRequest>

/** The same as a form, which may contain the credentials. */
export const SecureInfoForm = Type.Object(
  {
    token: Token,
    ...credentialFields,
  },
  { $id: 'SecureInfoForm' },
)
export type SecureInfoForm = Static<typeof SecureInfoForm>

/** Specification 2.5. Omits each part that was not collected. */
export const SecureInfoResult = Type.Object(
  {
    status: Status,
    secure_info: Type.Optional(SecureInfoDetail),
    network_info: Type.Optional(Network),
    device_info: Type.Optional(DeviceInfoDetail),
  },
  { $id: 'SecureInfoResult', ...closed, description: 'Device and network of a token' },
)
export type SecureInfoResult = Static<typeof SecureInfoResult>

export const IssueTokenRequest = Type.Object(
  {
    userId: Type.String({ minLength: 1, maxLength: 256, description: 'Your id of the user' }),
    identities: Type.Array(IdentityClaim, {
      minItems: 1,
      maxItems: 16,
      description: 'The identities that your backend verified',
    }),
    requestId: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 128,
        description: 'requestId of a device analysis of this visit, at most an hour old',
      }),
    ),
    userVerified: Type.Optional(
      Type.Boolean({
        description:
          'false: only a password was correct, which may be stolen. The device is not confirmed for the user; a decision that allows the session confirms it, or its challenge. Default: true',
      }),
    ),
  },
  { $id: 'IssueTokenRequest', ...closed },
)
export type IssueTokenRequest = Static<typeof IssueTokenRequest>

export const IssuedToken = Type.Object(
  {
    token: Type.String({ description: 'For your frontend' }),
    expiresAt: Type.String({ description: 'ISO 8601 UTC' }),
  },
  { $id: 'IssuedToken', ...closed, description: 'A new token' },
)
export type IssuedToken = Static<typeof IssuedToken>

export const RevokeTokenRequest = Type.Object({ token: Token }, { $id: 'RevokeTokenRequest' })
export type RevokeTokenRequest = Static<typeof RevokeTokenRequest>

export const RevokedToken = Type.Object(
  { status: Status },
  { $id: 'RevokedToken', ...closed, description: 'The token is no longer accepted' },
)
export type RevokedToken = Static<typeof RevokedToken>
