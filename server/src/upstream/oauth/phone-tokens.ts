// How does a phone get us a token of its number? OpenID Connect's authorization code, over the phone's mobile data.

import { readUrl } from '../../core/address/called-url.ts'
import type { Health } from '../circuit.ts'
import { clientAuthentication } from '../client-authentication.ts'
import { describeResponse, Guard, type GuardState, type Limits, type UpstreamResponse } from '../guard.ts'
import type { TokenSettings } from '../token-request.ts'
import { DeadlinePassed, UpstreamError, UpstreamFault } from '../upstream-error.ts'
import type { UpstreamResources } from '../upstream-resources.ts'
import {
  AnswerRefused,
  type AuthorizationAnswer,
  beginCodeFlow,
  finishCodeFlow,
  type OAuthClient,
} from './code-flow.ts'
import type { Fetch } from './provider-http.ts'

export interface PhoneTokenOptions {
  /** The upstream's name in metrics and in the log. */
  readonly upstream: string
  readonly token: TokenSettings
  readonly authorizationEndpoint: URL
  /** With it, the id token is required and checked. */
  readonly issuer?: string | undefined
  /** Whether the operator takes a code challenge (RFC 7636). */
  readonly pkce: boolean
  readonly limits: Limits
  readonly sandbox?: boolean | undefined
}

interface AuthorizationRequest {
  readonly scope: string
  readonly state: string
  readonly redirectUri: string
  readonly loginHint?: string | undefined
}

export interface PhoneTokens {
  /** `secrets` belong to this URL, and must not leave the server. */
  begin(request: AuthorizationRequest): { readonly url: string; readonly secrets: string }
  /** Exchanges the code for an access token, once. Throws an UpstreamError. */
  exchange(
    answer: AuthorizationAnswer,
    begun: { readonly secrets: string; readonly redirectUri: string },
    deadline: AbortSignal,
  ): Promise<string>
  state(): GuardState
  close(): Promise<void>
}

const call = 'token'
const algorithms = ['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512', 'ES256', 'ES384', 'ES512', 'EdDSA', 'Ed25519']

/** Anybody can send a made-up code, and some operators answer it with a 500: only an exchange without a response counts. */
function healthOf(error: unknown): Health {
  if (error instanceof DeadlinePassed) return 'unknown'
  return error instanceof UpstreamFault && ['timeout', 'unreachable'].includes(error.reason) ? 'unhealthy' : 'healthy'
}

/** Throws an error that names the key of the configuration file that cannot work. */
export function phoneTokens(options: PhoneTokenOptions, resources: UpstreamResources): PhoneTokens {
  const { upstream, token, authorizationEndpoint, issuer, pkce, limits, sandbox } = options
  const { clock, readSecret } = resources
  const endpoint = readUrl('token.endpoint', token.endpoint, sandbox)
  const exchanges = new Guard(
    { upstream, service: 'code', baseUrl: new URL(endpoint.origin), healthOf, ...limits },
    resources,
  )
  const client: OAuthClient = {
    clientId: token.clientId,
    authentication: clientAuthentication(token, readSecret, limits.tls?.cert !== undefined),
    audience: token.audience ?? token.endpoint,
    idToken: issuer === undefined ? 'ignored' : 'required',
    pkce,
  }
  const server = {
    issuer,
    authorization_endpoint: authorizationEndpoint.href,
    token_endpoint: token.endpoint,
    id_token_signing_alg_values_supported: algorithms,
  }

  return {
    begin({ scope, state, redirectUri, loginHint }) {
      // The network identifies the phone. Nobody must be asked for a password, which would prove no number.
      const parameters = { scope, prompt: 'none', ...(loginHint !== undefined && { login_hint: loginHint }) }
      return beginCodeFlow(client, server, { redirectUri, state, parameters })
    },

    async exchange(answer, begun, deadline) {
      let described = call
      const read = (response: UpstreamResponse) => {
        described = describeResponse(call, response)
        if (response.status >= 300) throw new UpstreamError('rejected', described)
        const { id_token: idToken, ...rest } = Object(response.body)
        return Response.json(issuer === undefined || idToken === undefined ? rest : { ...rest, id_token: idToken })
      }
      const fetch: Fetch = (_, { headers, body }) => {
        const request = {
          call,
          method: 'POST',
          path: endpoint.pathname + endpoint.search,
          once: true,
          tokenIsNew: true,
        } as const
        const sent = { ...request, headers: headers ?? {}, body: String(body), read }
        return exchanges.send(sent, deadline)
      }
      try {
        const { tokens } = await finishCodeFlow(client, server, answer, begun, { fetch, clock })
        if (!/^[\x21-\x7e]+$/.test(tokens.access_token)) throw new Error('a header cannot hold it')
        return tokens.access_token
      } catch (error) {
        // openid-client wraps what its fetch throws.
        for (let at = error; at instanceof Error; at = at.cause) if (at instanceof UpstreamError) throw at
        if (error instanceof AnswerRefused) throw new UpstreamError('format', `${call}: ${error.message}`)
        // No cause: the errors of openid-client hold the response.
        throw new UpstreamError('format', `${described} without a usable token`)
      }
    },

    state: () => exchanges.state(),
    close: () => exchanges.close(),
  }
}
