// How does the authorization code flow with PKCE work? RFC 6749, 4.1; RFC 7636; OpenID Connect Core 1.0, 3.1.

import {
  allowInsecureRequests,
  authorizationCodeGrant,
  buildAuthorizationUrl,
  type ClientAuth,
  Configuration,
  calculatePKCECodeChallenge,
  clockSkew,
  customFetch,
  enableNonRepudiationChecks,
  getJwksCache,
  randomNonce,
  randomPKCECodeVerifier,
  type ServerMetadata,
  setJwksCache,
} from 'openid-client'
import type { Clock } from '../../../clock.ts'
import { ChannelFailed, type RedirectChannel } from '../../channel.ts'
import { type ClaimReading, proofOf } from './proof-of-claims.ts'
import { providerFailure } from './provider-failure.ts'
import type { Fetch, ProviderHttp } from './provider-http.ts'

export interface CodeFlow {
  name: string
  method: string
  clientId: string
  authentication: ClientAuth
  scopes: readonly string[]
  parameters: Readonly<Record<string, string>>
  reading: ClaimReading
  /** Whether the provider returns an id token, which must then be valid. */
  isOpenId: boolean
  http: ProviderHttp
  clock: Clock
  /** The provider's endpoints. */
  server(fetch: Fetch): Promise<ServerMetadata>
  /** The person's claims: of the id token, and what an access token gives, as far as it is needed. */
  claims(config: Configuration, accessToken: string, idClaims: Claims): Promise<readonly Claims[]>
}

export type Claims = Readonly<Record<string, unknown>>

interface Secrets {
  codeVerifier: string
  nonce?: string
}

/** Its methods throw a ChannelFailed for every error. */
export function codeFlowChannel(flow: CodeFlow): RedirectChannel {
  const { clientId, authentication, isOpenId, http, clock } = flow
  let keys: ReturnType<typeof getJwksCache>

  /**
   * A new one for each call: it holds the deadline, and how far our clock is from the one that
   * openid-client reads.
   */
  async function configuration(deadline: AbortSignal): Promise<Configuration> {
    const fetch = http.until(deadline)
    const server = await flow.server(fetch)
    const skewSeconds = Math.round((clock.now() - Date.now()) / 1000)
    const config = new Configuration(server, clientId, { [clockSkew]: skewSeconds }, authentication)
    config[customFetch] = fetch
    // URLs have been checked: plain HTTP is only accepted on this machine.
    if (new URL(server.token_endpoint ?? server.issuer).protocol === 'http:') allowInsecureRequests(config)
    if (isOpenId) enableNonRepudiationChecks(config)
    if (keys) setJwksCache(config, keys)
    return config
  }

  return {
    name: flow.name,
    method: flow.method,
    form: 'redirect',

    async start({ state, callbackUrl, loginHint, locale }, deadline) {
      try {
        const config = await configuration(deadline)
        const secrets: Secrets = {
          codeVerifier: randomPKCECodeVerifier(),
          ...(isOpenId && { nonce: randomNonce() }),
        }
        const url = buildAuthorizationUrl(config, {
          ...flow.parameters,
          redirect_uri: callbackUrl,
          ...(flow.scopes.length > 0 && { scope: flow.scopes.join(' ') }),
          code_challenge: await calculatePKCECodeChallenge(secrets.codeVerifier),
          code_challenge_method: 'S256',
          state,
          ...(secrets.nonce !== undefined && { nonce: secrets.nonce }),
          ...(loginHint !== undefined && { login_hint: loginHint }),
          ...(locale !== undefined && isOpenId && { ui_locales: locale }),
        })
        return { authorizationUrl: url.href, secrets: JSON.stringify(secrets) }
      } catch (error) {
        throw providerFailure(error)
      }
    },

    async finish({ returnedTo, state, secrets, callbackUrl }, deadline) {
      const { codeVerifier, nonce } = JSON.parse(secrets) as Secrets
      try {
        const config = await configuration(deadline)
        // openid-client takes the redirect_uri from this URL, so it must be the one that `start`
        // sent.
        const back = new URL(callbackUrl)
        back.search = returnedTo.search
        const grant = await authorizationCodeGrant(config, back, {
          pkceCodeVerifier: codeVerifier,
          expectedState: state,
          ...(nonce !== undefined && { expectedNonce: nonce, idTokenExpected: true }),
        })
        keys = getJwksCache(config) ?? keys
        const idClaims: Claims = isOpenId ? { ...grant.claims() } : {}
        const claims = await flow.claims(config, grant.access_token, idClaims)
        const proof = proofOf(claims, flow.reading)
        if (!proof)
          throw new ChannelFailed(
            'format',
            'the identity provider returned no id of the person, and no verified email address or phone number that authoritativeFor has',
          )
        return proof
      } catch (error) {
        throw providerFailure(error)
      }
    },

    close: () => http.close(),
  }
}
