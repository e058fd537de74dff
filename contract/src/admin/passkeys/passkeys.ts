// What is a passkey of a person, and what do a browser and the service send each other about it? (W3C Web Authentication Level 3)

import Type, { type Static, type TSchema } from 'typebox'
import { closed, time } from '../../schema-parts.ts'

/** Base64url, as `PublicKeyCredential.toJSON()` writes bytes. */
const bytes = (maxLength: number, description: string) =>
  Type.String({ minLength: 1, maxLength, pattern: '^[A-Za-z0-9_-]*$', description: `${description}; base64url` })

const PasskeyId = Type.String({ pattern: '^[A-Za-z0-9_-]{1,64}$', description: 'passkeyId of one of your passkeys' })
const PasskeyName = Type.String({
  minLength: 1,
  maxLength: 60,
  pattern: '^[^\\u0000-\\u001f\\u007f-\\u009f]*$',
  description: 'Shows you which one it is, such as the device that has it',
})
const CredentialId = bytes(1400, 'Id of the credential')

export const Passkey = Type.Object(
  {
    passkeyId: Type.String(),
    name: PasskeyName,
    backedUp: Type.Boolean({
      description: 'Whether a password manager has a copy: it survives the loss of the device',
    }),
    createdAt: time('When it was added'),
    lastUsedAt: Type.Optional(time('Its last sign-in; absent before the first')),
  },
  { $id: 'Passkey', ...closed, description: 'A passkey of the person who calls' },
)
export type Passkey = Static<typeof Passkey>

export const Passkeys = Type.Object(
  { passkeys: Type.Array(Passkey, { description: 'In the order in which they were added; at most 10' }) },
  { $id: 'Passkeys', ...closed, description: 'The passkeys of the person who calls' },
)
export type Passkeys = Static<typeof Passkeys>

const Credential = Type.Object({ type: Type.Literal('public-key'), id: CredentialId }, closed)
const challenge = Type.String({ description: 'Works once, within five minutes, in this browser; base64url' })
const timeout = Type.Integer({ description: 'Milliseconds until the browser gives up' })

/** Of `PublicKeyCredential.parseCreationOptionsFromJSON()`. */
export const PasskeyCreation = Type.Object(
  {
    options: Type.Object(
      {
        rp: Type.Object({ id: Type.String(), name: Type.String() }, closed),
        user: Type.Object({ id: Type.String(), name: Type.String(), displayName: Type.String() }, closed),
        challenge,
        pubKeyCredParams: Type.Array(
          Type.Object({ type: Type.Literal('public-key'), alg: Type.Integer({ description: 'COSE' }) }, closed),
        ),
        timeout,
        excludeCredentials: Type.Array(Credential),
        authenticatorSelection: Type.Object(
          {
            residentKey: Type.Literal('required'),
            requireResidentKey: Type.Literal(true),
            userVerification: Type.Literal('required'),
          },
          closed,
        ),
        attestation: Type.Literal('none'),
      },
      { ...closed, description: '`PublicKeyCredentialCreationOptionsJSON`' },
    ),
  },
  { $id: 'PasskeyCreation', ...closed, description: 'What the browser needs to make a passkey' },
)
export type PasskeyCreation = Static<typeof PasskeyCreation>

/** Of `PublicKeyCredential.parseRequestOptionsFromJSON()`. */
export const PasskeyRequest = Type.Object(
  {
    options: Type.Object(
      {
        challenge,
        timeout,
        rpId: Type.String(),
        allowCredentials: Type.Array(Credential, { description: 'Empty: any passkey for this service' }),
        userVerification: Type.Literal('required'),
      },
      { ...closed, description: '`PublicKeyCredentialRequestOptionsJSON`' },
    ),
  },
  { $id: 'PasskeyRequest', ...closed, description: 'What the browser needs to use a passkey' },
)
export type PasskeyRequest = Static<typeof PasskeyRequest>

const credential = <Response extends TSchema>(response: Response) => ({
  id: CredentialId,
  rawId: CredentialId,
  type: Type.Literal('public-key'),
  response,
})

const CreatedCredential = Type.Object(
  credential(
    Type.Object({
      clientDataJSON: bytes(4096, 'What the browser signed for'),
      attestationObject: bytes(8192, 'The new key'),
      transports: Type.Optional(Type.Array(Type.String({ pattern: '^[a-z-]{1,20}$' }), { maxItems: 10 })),
    }),
  ),
  { description: '`RegistrationResponseJSON`: `toJSON()` of what `navigator.credentials.create()` returned' },
)
export type CreatedCredential = Static<typeof CreatedCredential>

export const UsedCredential = Type.Object(
  credential(
    Type.Object({
      clientDataJSON: bytes(4096, 'What the browser signed for'),
      authenticatorData: bytes(4096, 'What the passkey says of itself'),
      signature: bytes(2048, 'By the passkey'),
      userHandle: Type.Optional(bytes(128, 'Whose passkey it is')),
    }),
  ),
  { description: '`AuthenticationResponseJSON`: `toJSON()` of what `navigator.credentials.get()` returned' },
)
export type UsedCredential = Static<typeof UsedCredential>

export const AddPasskeyRequest = Type.Object(
  { name: PasskeyName, credential: CreatedCredential },
  { $id: 'AddPasskeyRequest' },
)
export type AddPasskeyRequest = Static<typeof AddPasskeyRequest>

export const RenamePasskeyRequest = Type.Object(
  { passkeyId: PasskeyId, name: PasskeyName },
  { $id: 'RenamePasskeyRequest' },
)
export type RenamePasskeyRequest = Static<typeof RenamePasskeyRequest>

export const RemovePasskeyRequest = Type.Object({ passkeyId: PasskeyId }, { $id: 'RemovePasskeyRequest' })
export type RemovePasskeyRequest = Static<typeof RemovePasskeyRequest>

export const RemovedPasskey = Type.Object(
  { removed: Type.Boolean() },
  { $id: 'RemovedPasskey', ...closed, description: 'Nobody can sign in with it any more' },
)
export type RemovedPasskey = Static<typeof RemovedPasskey>

export const SignInWithPasskeyRequest = Type.Object({ credential: UsedCredential }, { $id: 'SignInWithPasskeyRequest' })
export type SignInWithPasskeyRequest = Static<typeof SignInWithPasskeyRequest>
