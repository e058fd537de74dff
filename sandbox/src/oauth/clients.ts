// Which clients does the operator know? Those registered when the sandbox starts.

import type { JSONWebKeySet } from 'jose'
import Type, { type Static } from 'typebox'
import { InvalidInput, inputCheck } from '../schema-check.ts'
import { supportedScopes } from './supported-scopes.ts'

const SandboxClient = Type.Object(
  {
    clientId: Type.String({ pattern: '^[\\x21-\\x7e]{1,255}$' }),
    /** For client_secret_basic. */
    clientSecret: Type.Optional(Type.String({ pattern: '^[\\x20-\\x7e]{1,255}$' })),
    /** Public keys, for private_key_jwt and the JWT bearer grant. */
    jwks: Type.Optional(
      Type.Unsafe<JSONWebKeySet>(
        Type.Object({ keys: Type.Array(Type.Object({ kty: Type.String() }), { minItems: 1 }) }),
      ),
    ),
    /** Where the authorization endpoint may redirect to. Default: anywhere, which only a sandbox may allow. */
    redirectUris: Type.Optional(Type.Array(Type.String({ pattern: '^[^\\s#]+$' }))),
    /** Scopes that the client may request. Default: all. */
    scopes: Type.Optional(Type.Array(Type.Enum([...supportedScopes]))),
    /** Purposes of the W3C Data Privacy Vocabulary that it may request. Default: FraudPreventionAndDetection. */
    purposes: Type.Optional(Type.Array(Type.String({ pattern: '^[A-Za-z]+$' }))),
  },
  { additionalProperties: false },
)

/** A registered client. It needs `clientSecret` (client_secret_basic), `jwks` (private_key_jwt, JWT bearer), or both. */
export type SandboxClient = Static<typeof SandboxClient>

export type Clients = ReadonlyMap<string, SandboxClient>

const check = inputCheck(Type.Array(SandboxClient, { minItems: 1 }))

/** Throws InvalidInput when a client cannot authenticate, is registered twice, or has a private key in `jwks`. */
export function registeredClients(registrations: readonly SandboxClient[]): Clients {
  const checked = check(registrations)
  if ('error' in checked) throw new InvalidInput(`sandbox clients: ${checked.error.message}`)
  const clients = new Map<string, SandboxClient>()
  for (const client of registrations) {
    const about = `sandbox client ${client.clientId}`
    if (clients.has(client.clientId)) throw new InvalidInput(`${about} is registered twice`)
    if (client.clientSecret === undefined && client.jwks === undefined) {
      throw new InvalidInput(`${about} needs a clientSecret, or jwks with its public keys`)
    }
    if (client.jwks?.keys.some((key) => key.d !== undefined || key.kty === 'oct')) {
      throw new InvalidInput(`${about}: jwks contains a private or shared key; it must contain public keys only`)
    }
    clients.set(client.clientId, client)
  }
  return clients
}
