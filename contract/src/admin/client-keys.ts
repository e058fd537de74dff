// What does the console send to make, rotate and revoke the key of a backend?

import Type, { type Static } from 'typebox'
import { type Scope, scopes } from '../endpoints/scopes.ts'
import { closed } from '../schema-parts.ts'

const clientId = Type.String({ pattern: '^[A-Za-z0-9_-]{1,64}$', description: 'clientId of a client: `rfc_…`' })

export const CreateClientRequest = Type.Object(
  {
    name: Type.String({
      minLength: 1,
      maxLength: 100,
      pattern: '^[^\\u0000-\\u001f\\u007f-\\u009f]*$',
      description: 'Name of the key, shown in lists',
    }),
    scopes: Type.Optional(
      Type.Array(Type.Enum(Object.keys(scopes) as Scope[]), {
        minItems: 1,
        maxItems: 20,
        description: 'Only calls of these scopes. Without any: every call of a backend',
      }),
    ),
    role: Type.Optional(
      Type.String({
        pattern: '^[a-z][a-z0-9-]{0,63}$',
        description:
          'Allows calls of the admin API with the permissions of this role, none of which you may lack. With scopes, `admin` must be one of them',
      }),
    ),
    allowedIps: Type.Optional(
      Type.Array(Type.String({ minLength: 2, maxLength: 50 }), {
        minItems: 1,
        maxItems: 50,
        description: 'Only from these IP addresses and CIDR blocks',
      }),
    ),
    expiresAt: Type.Optional(
      Type.String({ format: 'date-time', description: 'When it ends; RFC 3339, in the future' }),
    ),
  },
  { $id: 'CreateClientRequest', ...closed },
)
export type CreateClientRequest = Static<typeof CreateClientRequest>

export const ClientRequest = Type.Object({ clientId }, { $id: 'ClientRequest', ...closed })
export type ClientRequest = Static<typeof ClientRequest>

export const IssuedClient = Type.Object(
  {
    clientId: Type.String({ description: '`rfc_…`' }),
    clientSecret: Type.String({ description: '`rfs_…`; shown only now, since the store has only a hash of it' }),
  },
  { $id: 'IssuedClient', ...closed, description: 'A client key with a new secret' },
)
export type IssuedClient = Static<typeof IssuedClient>

export const RevokedSecrets = Type.Object(
  { revoked: Type.Boolean({ description: 'False when nothing was left to revoke' }) },
  { $id: 'RevokedSecrets', ...closed, description: 'What was revoked is refused within a second' },
)
export type RevokedSecrets = Static<typeof RevokedSecrets>

const keyId = Type.String({ pattern: '^[A-Za-z0-9_-]{43}$', description: 'Thumbprint of the key (RFC 7638)' })

export const AddPublicKeyRequest = Type.Object(
  {
    clientId,
    publicKey: Type.String({
      minLength: 1,
      maxLength: 4096,
      description: 'An RSA, EC or Ed25519 public key, as PEM or JWK; never the private one',
    }),
  },
  { $id: 'AddPublicKeyRequest', ...closed },
)
export type AddPublicKeyRequest = Static<typeof AddPublicKeyRequest>

export const AddedPublicKey = Type.Object(
  { keyId },
  { $id: 'AddedPublicKey', ...closed, description: 'A public key with which the client may authenticate' },
)
export type AddedPublicKey = Static<typeof AddedPublicKey>

export const RemovePublicKeyRequest = Type.Object({ clientId, keyId }, { $id: 'RemovePublicKeyRequest' })
export type RemovePublicKeyRequest = Static<typeof RemovePublicKeyRequest>

export const RemovedPublicKey = Type.Object(
  { removed: Type.Boolean({ description: 'False when the client did not have it' }) },
  { $id: 'RemovedPublicKey', ...closed, description: 'Assertions of a removed key are refused at once' },
)
export type RemovedPublicKey = Static<typeof RemovedPublicKey>
