// How does a person sign in to the console, and how do they change that?

import Type, { type Static } from 'typebox'
import { closed } from '../schema-parts.ts'
import { Code, Password } from './session.ts'

/** Who is signed in proves it again. */
const proof = {
  password: Type.String({ minLength: 1, maxLength: 256, description: 'The present password' }),
  code: Code,
}

export const MyFactors = Type.Object(
  {
    authenticatorApp: Type.Boolean(),
    recoveryCodes: Type.Integer({ description: 'How many are left' }),
  },
  { $id: 'MyFactors', ...closed, description: 'What the person who calls can sign in with, besides the password' },
)
export type MyFactors = Static<typeof MyFactors>

export const ChangePasswordRequest = Type.Object({ ...proof, newPassword: Password }, { $id: 'ChangePasswordRequest' })
export type ChangePasswordRequest = Static<typeof ChangePasswordRequest>

export const ChangedPassword = Type.Object(
  { endedSessions: Type.Integer({ description: 'How many other sessions of the person have ended' }) },
  { $id: 'ChangedPassword', ...closed, description: 'The new password holds' },
)
export type ChangedPassword = Static<typeof ChangedPassword>

export const AuthenticatorSetup = Type.Object(
  {
    secret: Type.String({ description: 'Base32, to type into an authenticator app' }),
    uri: Type.String({ description: '`otpauth://`, to show as a QR code' }),
    setup: Type.String({ description: 'The secret, sealed for this session: send it back' }),
  },
  { $id: 'AuthenticatorSetup', ...closed, description: 'A new secret, which nothing uses before it is confirmed' },
)
export type AuthenticatorSetup = Static<typeof AuthenticatorSetup>

export const ReplaceAuthenticatorRequest = Type.Object(
  {
    setup: Type.String({ pattern: '^[A-Za-z0-9_-]{1,256}$', description: '`setup` of the new secret' }),
    code: Code,
    newRecoveryCodes: Type.Optional(Type.Boolean({ description: 'Replaces the recovery codes too. Default: false' })),
  },
  { $id: 'ReplaceAuthenticatorRequest', ...closed },
)
export type ReplaceAuthenticatorRequest = Static<typeof ReplaceAuthenticatorRequest>

export const ReplacedAuthenticator = Type.Object(
  {
    endedSessions: Type.Integer({ description: 'How many other sessions of the person have ended' }),
    recoveryCodes: Type.Optional(
      Type.Array(Type.String(), { description: 'Shown once. The previous ones do not work any more' }),
    ),
  },
  { $id: 'ReplacedAuthenticator', ...closed, description: 'Codes of the previous app do not work any more' },
)
export type ReplacedAuthenticator = Static<typeof ReplacedAuthenticator>

export const RenewRecoveryCodesRequest = Type.Object(proof, { $id: 'RenewRecoveryCodesRequest', ...closed })
export type RenewRecoveryCodesRequest = Static<typeof RenewRecoveryCodesRequest>

export const NewRecoveryCodes = Type.Object(
  { recoveryCodes: Type.Array(Type.String(), { description: 'Shown once. The previous ones do not work any more' }) },
  { $id: 'NewRecoveryCodes', ...closed, description: 'New recovery codes' },
)
export type NewRecoveryCodes = Static<typeof NewRecoveryCodes>
