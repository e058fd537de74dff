// How does a person sign in with an identity provider that has OAuth 2 without OpenID Connect?

import { type Configuration, fetchProtectedResource } from 'openid-client'
import Type, { type Static } from 'typebox'
import { readUrl } from '../../../core/address/called-url.ts'
import { ConfigurationError } from '../../../core/config/config.ts'
import { providerHttp } from '../../../upstream/oauth/provider-http.ts'
import { limitsOf } from '../../../upstream/upstream-settings.ts'
import { ChannelFailed, type ChannelKind } from '../channel.ts'
import { type Claims, codeFlowChannel } from './identity-providers/code-flow.ts'
import {
  authenticationAt,
  furtherParameters,
  providerProperties,
  readingOf,
} from './identity-providers/provider-settings.ts'

const Endpoint = (description: string) => Type.String({ pattern: '^https?://[^#]+$', description })

const Config = Type.Object(
  {
    type: Type.Literal('oauth2', { description: 'the kind of channel' }),
    authorizationEndpoint: Endpoint('URL that the person is sent to'),
    tokenEndpoint: Endpoint('URL that exchanges the code for an access token'),
    userInfoEndpoint: Endpoint('URL that returns the user as JSON for an access token; `claims` maps its fields'),
    issuer: Type.Optional(
      Type.String({
        minLength: 1,
        description:
          'the `iss` that the provider adds to its answers (RFC 9207), which is then required. Without it, an `iss` must have the origin of tokenEndpoint',
      }),
    ),
    ...providerProperties,
    scopes: Type.Optional(
      Type.Array(Type.String({ pattern: '^[\\x21\\x23-\\x5B\\x5D-\\x7E]+$' }), { description: 'scopes to request' }),
    ),
  },
  { additionalProperties: false },
)

/** The subjects of both would be the same people: throws an error that names the other one. */
export function refuseSharedSubjects(channels: Readonly<Record<string, { readonly type: string }>>): void {
  const seen = new Map<string, { name: string; userInfoEndpoint: string }>()
  for (const [name, channel] of Object.entries(channels)) {
    if (channel.type !== 'oauth2') continue
    const { authorizationEndpoint, userInfoEndpoint } = channel as Static<typeof Config>
    const { origin } = new URL(authorizationEndpoint)
    const other = seen.get(origin) ?? { name, userInfoEndpoint }
    if (other.userInfoEndpoint !== userInfoEndpoint)
      throw new ConfigurationError(
        `channels.${name}: ${other.name} has the same origin ${origin} and another userInfoEndpoint, so the ids of their people would be mixed up; use type oidc for one of them`,
      )
    seen.set(origin, other)
  }
}

export const oauth2: ChannelKind<typeof Config> = {
  type: 'oauth2',
  Config,
  create(name, config, { clock, readSecret }) {
    const { method, clientId, scopes = [] } = config
    const authorization = readUrl('authorizationEndpoint', config.authorizationEndpoint)
    const token = readUrl('tokenEndpoint', config.tokenEndpoint)
    const userInfo = readUrl('userInfoEndpoint', config.userInfoEndpoint)
    const server = {
      issuer: config.issuer,
      authorization_endpoint: authorization.href,
      token_endpoint: token.href,
      authorization_response_iss_parameter_supported: config.issuer !== undefined,
    }
    return codeFlowChannel({
      name,
      method,
      client: { clientId, authentication: authenticationAt(config, readSecret), idToken: 'none' },
      scopes,
      parameters: furtherParameters(config),
      reading: readingOf(config, authorization.origin),
      http: providerHttp(limitsOf(config, readSecret)),
      clock,
      server: async () => server,
      claims: async (configuration, accessToken) => [await userFields(configuration, accessToken, userInfo)],
    })
  },
}

async function userFields(config: Configuration, accessToken: string, url: URL): Promise<Claims> {
  const response = await fetchProtectedResource(
    config,
    accessToken,
    url,
    'GET',
    null,
    new Headers({ accept: 'application/json' }),
  )
  if (response.status !== 200) {
    await response.body?.cancel()
    const reason = response.status >= 500 ? 'unreachable' : 'rejected'
    throw new ChannelFailed(reason, `the userinfo endpoint answered ${response.status}`)
  }
  const text = await response.text()
  try {
    const fields: unknown = JSON.parse(text)
    if (typeof fields === 'object' && fields !== null) return fields as Claims
  } catch {
    // The parser's error would quote the answer.
  }
  throw new ChannelFailed('format', 'the userinfo endpoint did not answer with a JSON object')
}
