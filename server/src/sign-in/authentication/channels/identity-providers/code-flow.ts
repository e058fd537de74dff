// How does a channel of an identity provider use the authorization code flow? It begins one, and reads who came back.

import type { Configuration, getJwksCache } from 'openid-client'
import type { Clock } from '../../../../core/clock.ts'
import {
  type AuthorizationServer,
  answerOf,
  beginCodeFlow,
  finishCodeFlow,
  type OAuthClient,
} from '../../../../upstream/oauth/code-flow.ts'
import type { Fetch, ProviderHttp } from '../../../../upstream/oauth/provider-http.ts'
import { ChannelFailed, type RedirectChannel } from '../../channel.ts'
import { type ClaimReading, proofOf } from './proof-of-claims.ts'
import { providerFailure } from './provider-failure.ts'

export interface CodeFlow {
  name: string
  method: string
  client: OAuthClient
  scopes: readonly string[]
  parameters: Readonly<Record<string, string>>
  reading: ClaimReading
  http: ProviderHttp
  clock: Clock
  /** The provider's endpoints. */
  server(fetch: Fetch): Promise<AuthorizationServer>
  /** The person's claims: of the id token, and what an access token gives, as far as it is needed. */
  claims(config: Configuration, accessToken: string, idClaims: Claims): Promise<readonly Claims[]>
}

export type Claims = Readonly<Record<string, unknown>>

/** Its methods throw a ChannelFailed for every error. */
export function codeFlowChannel(flow: CodeFlow): RedirectChannel {
  const { client, http, clock } = flow
  const isOpenId = client.idToken !== 'none'
  let keys: ReturnType<typeof getJwksCache>

  return {
    name: flow.name,
    method: flow.method,
    form: 'redirect',

    async start({ state, callbackUrl, loginHint, locale }, deadline) {
      try {
        const parameters = {
          ...flow.parameters,
          ...(flow.scopes.length > 0 && { scope: flow.scopes.join(' ') }),
          ...(loginHint !== undefined && { login_hint: loginHint }),
          ...(locale !== undefined && isOpenId && { ui_locales: locale }),
        }
        const server = await flow.server(http.until(deadline))
        const { url, secrets } = beginCodeFlow(client, server, { redirectUri: callbackUrl, state, parameters })
        return { authorizationUrl: url, secrets }
      } catch (error) {
        throw providerFailure(error)
      }
    },

    async finish({ returnedTo, state, secrets, callbackUrl }, deadline) {
      const fetch = http.until(deadline)
      try {
        const server = await flow.server(fetch)
        const begun = { state, secrets, redirectUri: callbackUrl }
        const answer = answerOf(returnedTo.searchParams)
        const finished = await finishCodeFlow(client, server, answer, begun, { fetch, clock, keys })
        const { config, tokens } = finished
        keys = finished.keys ?? keys
        const claims = await flow.claims(config, tokens.access_token, isOpenId ? { ...tokens.claims() } : {})
        const proof = proofOf(claims, flow.reading)
        if (!proof)
          throw new ChannelFailed(
            'format',
            'the identity provider returned no id of the person, and no verified email address or phone number that authoritativeFor has; or an id that is no text of 1 to 256 characters and no integer below 2^53',
          )
        return proof
      } catch (error) {
        throw providerFailure(error)
      }
    },

    close: () => http.close(),
  }
}
