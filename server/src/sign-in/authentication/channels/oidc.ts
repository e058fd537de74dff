// How does a person sign in with an OpenID Connect provider: Google, Microsoft, Okta, Keycloak …?

import {
  allowInsecureRequests,
  type Configuration,
  customFetch,
  discovery,
  fetchUserInfo,
  type ServerMetadata,
} from 'openid-client'
import Type from 'typebox'
import { readUrl } from '../../../core/address/called-url.ts'
import type { Clock } from '../../../core/clock.ts'
import type { AuthorizationServer } from '../../../upstream/oauth/code-flow.ts'
import { type Fetch, providerHttp } from '../../../upstream/oauth/provider-http.ts'
import { limitsOf } from '../../../upstream/upstream-settings.ts'
import { ChannelFailed, type ChannelKind } from '../channel.ts'
import { type Claims, codeFlowChannel } from './identity-providers/code-flow.ts'
import {
  authenticationAt,
  furtherParameters,
  providerProperties,
  readingOf,
} from './identity-providers/provider-settings.ts'

const Config = Type.Object(
  {
    type: Type.Literal('oidc', { description: 'the kind of channel' }),
    issuer: Type.String({
      pattern: '^https?://[^?#]+$',
      description: 'the issuer. The rest is read from `/.well-known/openid-configuration` below it',
    }),
    ...providerProperties,
    scopes: Type.Optional(
      Type.Array(Type.String({ pattern: '^[\\x21\\x23-\\x5B\\x5D-\\x7E]+$' }), {
        description:
          'scopes to request; default: `openid` and `email`. Add `phone` if the provider has it, and `profile` for names',
      }),
    ),
  },
  { additionalProperties: false },
)

/** Discovery is read again after this time. If that fails, the previous document stays in use. */
const rereadMs = 3_600_000

export const oidc: ChannelKind<typeof Config> = {
  type: 'oidc',
  Config,
  create(name, config, { clock, readSecret }) {
    const { method, clientId } = config
    const issuer = readUrl('issuer', config.issuer)
    const scopes = [...new Set(['openid', ...(config.scopes ?? ['email'])])]
    return codeFlowChannel({
      name,
      method,
      client: { clientId, authentication: authenticationAt(config, readSecret), idToken: 'signed' },
      scopes,
      parameters: furtherParameters(config),
      reading: readingOf(config, config.issuer),
      http: providerHttp(limitsOf(config, readSecret)),
      clock,
      server: discovered(issuer, clientId, clock),
      claims: (configuration, accessToken, idClaims) => withUserInfo(configuration, accessToken, idClaims, scopes),
    })
  },
}

function discovered(issuer: URL, clientId: string, clock: Clock) {
  let cached: { metadata: AuthorizationServer; readAt: number } | undefined
  return async (fetch: Fetch): Promise<AuthorizationServer> => {
    const now = clock.now()
    if (cached && Math.abs(now - cached.readAt) < rereadMs) return cached.metadata
    try {
      const configuration = await discovery(issuer, clientId, undefined, undefined, {
        [customFetch]: fetch,
        ...(issuer.protocol === 'http:' && { execute: [allowInsecureRequests] }),
      })
      const metadata = checkedUrls(configuration.serverMetadata())
      cached = { metadata, readAt: now }
      return metadata
    } catch (error) {
      if (cached) return cached.metadata
      throw error
    }
  }
}

/**
 * URLs of the discovery document follow the same rules as URLs of the configuration file. Throws a
 * ChannelFailed.
 */
function checkedUrls(metadata: ServerMetadata): AuthorizationServer {
  for (const name of ['authorization_endpoint', 'token_endpoint', 'jwks_uri', 'userinfo_endpoint'] as const) {
    if (name === 'userinfo_endpoint' && metadata[name] === undefined) continue // some providers put all claims into the id token
    try {
      readUrl(name, metadata[name] ?? '')
    } catch (error) {
      throw new ChannelFailed('format', `discovery: ${(error as Error).message}`)
    }
  }
  return metadata as AuthorizationServer
}

const claimOfScope = { email: 'email', phone: 'phone_number', profile: 'name' } as const

/** Some providers return the requested claims in the id token, others only from the userinfo endpoint. */
async function withUserInfo(
  config: Configuration,
  accessToken: string,
  idClaims: Claims & { sub?: unknown },
  scopes: readonly string[],
): Promise<readonly Claims[]> {
  const lacks = Object.entries(claimOfScope).some(([scope, claim]) => scopes.includes(scope) && !(claim in idClaims))
  if (!lacks || !config.serverMetadata().userinfo_endpoint) return [idClaims]
  return [idClaims, { ...(await fetchUserInfo(config, accessToken, String(idClaims.sub))) }]
}
