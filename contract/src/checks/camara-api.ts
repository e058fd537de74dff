// What do clients of our own CAMARA API send and get, beside the bodies of the checks? Access tokens, and errors.

import Type, { type Static } from 'typebox'
import { credentialFields } from '../tokens.ts'

const closed = { additionalProperties: false } as const

const tokenFields = {
  grant_type: Type.Literal('client_credentials', { description: 'As in RFC 6749, 4.4' }),
  scope: Type.String({
    maxLength: 1000,
    description: 'At most one purpose, and the scopes of calls or APIs, separated by spaces',
    examples: ['dpv:FraudPreventionAndDetection sim-swap:check'],
  }),
}

export const AccessTokenRequest = Type.Object(tokenFields, { $id: 'AccessTokenRequest' })
export type AccessTokenRequest = Static<typeof AccessTokenRequest>

export const AccessTokenForm = Type.Object({ ...tokenFields, ...credentialFields }, { $id: 'AccessTokenForm' })

export const AccessTokenAnswer = Type.Object(
  {
    access_token: Type.String({ description: 'A JWT for the CAMARA API of this service (RFC 9068)' }),
    token_type: Type.Literal('Bearer'),
    expires_in: Type.Integer({ description: 'Lifetime of the access token in seconds' }),
    scope: Type.String({ description: 'What the token allows' }),
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
