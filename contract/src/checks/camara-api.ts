// What do clients of our own CAMARA API send and get, beside the bodies of the checks? Access tokens, and errors.

import Type, { type Static } from 'typebox'
import { closed } from '../schema-parts.ts'
import { credentialFields } from '../tokens.ts'

const tokenFields = {
  grant_type: Type.Enum(['client_credentials', 'authorization_code'], {
    description: 'As in RFC 6749, 4.4; or 4.1 for the phone that was redirected with a code',
  }),
  scope: Type.Optional(
    Type.String({
      maxLength: 1000,
      description: 'With client_credentials: at most one purpose, and the scopes of calls or APIs, separated by spaces',
      examples: ['dpv:FraudPreventionAndDetection sim-swap:check'],
    }),
  ),
  code: Type.Optional(Type.String({ maxLength: 256, description: 'With authorization_code: of the redirect' })),
  redirect_uri: Type.Optional(
    Type.String({ maxLength: 2048, description: 'With authorization_code: that of the authorization request' }),
  ),
  code_verifier: Type.Optional(
    Type.String({ maxLength: 128, description: 'With authorization_code: as in RFC 7636, 4.1' }),
  ),
}

export const AccessTokenRequest = Type.Object(tokenFields, { $id: 'AccessTokenRequest' })
export type AccessTokenRequest = Static<typeof AccessTokenRequest>

export const AccessTokenForm = Type.Object(
  {
    ...tokenFields,
    ...credentialFields,
    client_assertion_type: Type.Optional(
      Type.Literal('urn:ietf:params:oauth:client-assertion-type:jwt-bearer', { description: 'With client_assertion' }),
    ),
    client_assertion: Type.Optional(
      Type.String({
        maxLength: 4096,
        description: 'Instead of a secret: a JWT signed with a key of the client (private_key_jwt of OpenID Connect)',
      }),
    ),
  },
  { $id: 'AccessTokenForm' },
)

export const AccessTokenAnswer = Type.Object(
  {
    access_token: Type.String({ description: 'A JWT for the CAMARA API of this service (RFC 9068)' }),
    token_type: Type.Literal('Bearer'),
    expires_in: Type.Integer({ description: 'Lifetime of the access token in seconds' }),
    scope: Type.String({ description: 'What the token allows' }),
    id_token: Type.Optional(
      Type.String({ description: 'With authorization_code: a JWT with your nonce, and without the phone number' }),
    ),
  },
  { $id: 'AccessTokenAnswer', ...closed, description: 'An access token' },
)
export type AccessTokenAnswer = Static<typeof AccessTokenAnswer>

/** CAMARA's ErrorInfo. */
export const CamaraErrorBody = Type.Object(
  {
    status: Type.Integer({ description: 'HTTP status' }),
    code: Type.String({ description: 'CAMARA code', examples: ['INVALID_ARGUMENT'] }),
    message: Type.String({ description: 'What is wrong, and what to do' }),
  },
  { $id: 'CamaraErrorBody', ...closed, description: 'Why a CAMARA call was refused' },
)
export type CamaraErrorBody = Static<typeof CamaraErrorBody>

/** CAMARA's PhoneNumber: E.164 with its plus sign. */
export const camaraNumberPattern = '^\\+[1-9][0-9]{4,14}$'

/** CAMARA's `phoneNumber`; a token that identifies a number makes it optional. */
export const CamaraPhoneNumber = Type.Optional(
  Type.String({ pattern: camaraNumberPattern, description: 'With its plus sign', examples: ['+917020141726'] }),
)

const ipv4Address = Type.String({ pattern: '^((25[0-5]|2[0-4]\\d|1?\\d?\\d)(\\.|$)){4}$' })
const port = Type.Integer({ minimum: 0, maximum: 65_535 })

/** CAMARA's Device: several ways to name it. We and the sandbox know devices by phone number only. */
export const CamaraDevice = Type.Object(
  {
    phoneNumber: CamaraPhoneNumber,
    networkAccessIdentifier: Type.Optional(Type.String({ minLength: 1, maxLength: 255 })),
    ipv4Address: Type.Optional(
      Type.Union([
        Type.Object({ publicAddress: ipv4Address, privateAddress: ipv4Address, publicPort: Type.Optional(port) }),
        Type.Object({ publicAddress: ipv4Address, publicPort: port }),
      ]),
    ),
    ipv6Address: Type.Optional(Type.String({ pattern: '^[0-9A-Fa-f:.]{2,45}$' })),
  },
  { minProperties: 1, description: 'The phone; phoneNumber is the only identifier that is supported' },
)
