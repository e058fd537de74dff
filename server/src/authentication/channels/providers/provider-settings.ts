// Which keys has every identity provider in the configuration file? Who we are to it, what is asked for, and what its claims mean.

import { type ClientAuth, ClientSecretBasic, ClientSecretPost, None } from 'openid-client'
import Type, { type Static } from 'typebox'
import { type ReadSecret, SecretReference } from '../../../config/secret-reference.ts'
import { limitProperties } from '../../../upstream/upstream-settings.ts'
import { ClaimNames } from './proof-of-claims.ts'

const { timeoutMs, connectTimeoutMs, tls } = limitProperties

export const providerProperties = {
  method: Type.String({
    pattern: '^[A-Z][A-Z0-9_]{0,63}$',
    description: 'name of the provider, as identities name it and a sign-in asks for it: `GOOGLE`',
  }),
  clientId: Type.String({ minLength: 1, description: 'the client id that the provider gave you' }),
  clientSecret: Type.Optional({
    ...SecretReference,
    description: 'by { env: NAME } or { file: PATH }; without it, the code verifier alone shows who asks (PKCE)',
  }),
  authentication: Type.Optional(
    Type.Enum(['client_secret_post', 'client_secret_basic'], {
      default: 'client_secret_post',
      description: 'how the secret is sent',
    }),
  ),
  parameters: Type.Optional(
    Type.Record(Type.String(), Type.String(), {
      description: 'further parameters of the authorization request, as `prompt: select_account`',
    }),
  ),
  claims: Type.Optional(ClaimNames),
  assumeVerified: Type.Optional(
    Type.Array(Type.Enum(['email', 'phoneNumber']), {
      description: 'what the provider verifies always, though no claim says so; only what is verified makes a user',
    }),
  ),
  timeoutMs,
  connectTimeoutMs,
  tls,
}
const Provider = Type.Object(providerProperties)
export type ProviderSettings = Static<typeof Provider>

/** Throws an error that names the key when the secret cannot be read. */
export function authenticationAt(settings: ProviderSettings, readSecret: ReadSecret): ClientAuth {
  const { clientSecret, authentication = 'client_secret_post' } = settings
  if (!clientSecret) {
    if (settings.authentication) throw new Error(`clientSecret is missing: ${authentication} sends it`)
    return None()
  }
  const secret = readSecret(clientSecret)
  return authentication === 'client_secret_basic' ? ClientSecretBasic(secret) : ClientSecretPost(secret)
}

/** Those which bind the answer to the sign-in that asked. */
const ours =
  /^(client_id|client_secret|redirect_uri|response_type|response_mode|state|nonce|scope|code_challenge(_method)?|request(_uri)?)$/

/** Throws an error that names the key when a parameter is one that is not to be chosen. */
export function furtherParameters({ parameters = {} }: ProviderSettings): Readonly<Record<string, string>> {
  const taken = Object.keys(parameters).find((name) => ours.test(name))
  if (taken !== undefined) throw new Error(`parameters.${taken} is set by the sign-in itself; leave it out`)
  return parameters
}
