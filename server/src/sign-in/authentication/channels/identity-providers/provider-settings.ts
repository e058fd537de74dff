// Which keys do all identity providers have in the configuration file?

import { type ClientAuth, ClientSecretBasic, ClientSecretPost, None } from 'openid-client'
import Type, { type Static } from 'typebox'
import { type ReadSecret, SecretReference } from '../../../../core/config/secret-reference.ts'
import { limitProperties } from '../../../../upstream/upstream-settings.ts'
import { AuthoritativeFor, authorityOf } from './authority.ts'
import { ClaimNames, type ClaimReading } from './proof-of-claims.ts'

const { timeoutMs, connectTimeoutMs, tls } = limitProperties

export const providerProperties = {
  method: Type.String({
    pattern: '^[A-Z][A-Z0-9_]{0,63}$',
    description: 'its name in start requests and identities: `GOOGLE`',
  }),
  clientId: Type.String({ minLength: 1, description: 'the client id that the provider gave you' }),
  clientSecret: Type.Optional({
    ...SecretReference,
    description: 'without it, Ringfence is a public client with PKCE only',
  }),
  authentication: Type.Optional(
    Type.Enum(['client_secret_post', 'client_secret_basic'], {
      default: 'client_secret_post',
      description: 'how the secret is sent',
    }),
  ),
  parameters: Type.Optional(
    Type.Record(Type.String(), Type.String(), {
      description: 'further parameters of the authorization request: `prompt: select_account`',
    }),
  ),
  claims: Type.Optional(ClaimNames),
  authoritativeFor: Type.Optional(AuthoritativeFor),
  assumeVerified: Type.Optional(
    Type.Array(Type.Enum(['email', 'phoneNumber']), {
      description:
        'identities to treat as verified without a claim, if the provider is authoritative for them. Identities that are not verified cannot sign in',
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
    if (settings.authentication) throw new Error(`clientSecret is missing; ${authentication} requires it`)
    return None()
  }
  const secret = readSecret(clientSecret)
  return authentication === 'client_secret_basic' ? ClientSecretBasic(secret) : ClientSecretPost(secret)
}

/** Throws an error that names the key when the provider may not vouch for what it is assumed to verify. */
export function readingOf(settings: ProviderSettings, source: string): ClaimReading {
  const { claims: names = {}, assumeVerified = [], authoritativeFor } = settings
  for (const claim of assumeVerified) {
    const key = claim === 'email' ? 'emailDomains' : 'phonePrefixes'
    if (!authoritativeFor?.[key]?.length)
      throw new Error(`assumeVerified has ${claim}; authoritativeFor.${key} must say for which, or ["*"] for all`)
  }
  return { names, assumeVerified, authority: authorityOf(authoritativeFor), source }
}

/** They bind the answer to its sign-in. */
const reserved =
  /^(client_id|client_secret|redirect_uri|response_type|response_mode|state|nonce|scope|code_challenge(_method)?|request(_uri)?)$/

/** Throws an error that names the key when a parameter is reserved. */
export function furtherParameters({ parameters = {} }: ProviderSettings): Readonly<Record<string, string>> {
  const taken = Object.keys(parameters).find((name) => reserved.test(name))
  if (taken !== undefined) throw new Error(`parameters.${taken} is set by Ringfence; leave it out`)
  return parameters
}
