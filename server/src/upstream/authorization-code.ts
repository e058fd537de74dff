// How does a phone get us a token of its number? OpenID Connect's authorization code, with PKCE, over the phone's mobile data.

import { hash, randomBytes } from 'node:crypto'
import { type Client, clockSkew, processAuthorizationCodeResponse } from 'oauth4webapi'
import type { Health } from './circuit.ts'
import { clientAuthentication } from './client-authentication.ts'
import { describeResponse, type GuardState, guard, type Limits, type UpstreamResponse } from './guard.ts'
import type { TokenSettings } from './oauth-token.ts'
import { DeadlinePassed, UpstreamError, UpstreamFault } from './upstream-error.ts'
import type { UpstreamResources } from './upstream-resources.ts'
import { readUrl } from './upstream-settings.ts'

export interface AuthorizationCodeOptions {
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

export interface AuthorizationRequest {
  readonly scope: string
  readonly state: string
  readonly redirectUri: string
  readonly loginHint?: string | undefined
}

/** What the operator redirected with. */
export interface AuthorizationResponse {
  readonly code: string
  /** RFC 9207: who redirected. */
  readonly iss?: string | undefined
}

export interface AuthorizationCodes {
  /** `secrets` belong to this URL, and must not leave the server. */
  begin(request: AuthorizationRequest): { readonly url: string; readonly secrets: string }
  /** Exchanges the code for an access token, once. Throws an UpstreamError. */
  exchange(
    response: AuthorizationResponse,
    begun: { readonly secrets: string; readonly redirectUri: string },
    deadline: AbortSignal,
  ): Promise<string>
  state(): GuardState
  close(): Promise<void>
}

interface Secrets {
  readonly nonce: string
  readonly verifier?: string
}

const call = 'token'
const algorithms = ['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512', 'ES256', 'ES384', 'ES512', 'EdDSA', 'Ed25519']

/** Anybody can send a made-up code, and some operators answer it with a 500: only an exchange without a response counts. */
function healthOf(error: unknown): Health {
  if (error instanceof DeadlinePassed) return 'unknown'
  return error instanceof UpstreamFault && ['timeout', 'unreachable'].includes(error.reason) ? 'unhealthy' : 'healthy'
}

/** Throws an error that names the key of the configuration file that cannot work. */
export function authorizationCodes(
  options: AuthorizationCodeOptions,
  resources: UpstreamResources,
): AuthorizationCodes {
  const { upstream, token, authorizationEndpoint, issuer, pkce, limits, sandbox } = options
  const { clock, readSecret } = resources
  const endpoint = readUrl('token.endpoint', token.endpoint, sandbox)
  const authenticate = clientAuthentication(token, readSecret, limits.tls?.cert !== undefined)
  const baseUrl = new URL(endpoint.origin)
  const exchanges = guard({ upstream, service: 'code', baseUrl, healthOf, ...limits }, resources)
  const clientNow = (): Client => ({
    client_id: token.clientId,
    [clockSkew]: Math.round((clock.now() - Date.now()) / 1000),
  })

  async function readToken(response: UpstreamResponse, { nonce }: Secrets): Promise<string> {
    const described = describeResponse(call, response)
    if (response.status >= 300) throw new UpstreamError('rejected', described)
    const server = { issuer: issuer ?? token.endpoint, id_token_signing_alg_values_supported: algorithms }
    try {
      const { id_token: idToken, ...rest } = Object(response.body)
      const body = issuer === undefined ? rest : { ...rest, ...(idToken !== undefined && { id_token: idToken }) }
      const expected = issuer === undefined ? {} : { expectedNonce: nonce, requireIdToken: true }
      const grant = await processAuthorizationCodeResponse(server, clientNow(), Response.json(body), expected)
      if (!/^[\x21-\x7e]+$/.test(grant.access_token)) throw new Error('a header cannot hold it')
      return grant.access_token
    } catch {
      // No cause: the errors of oauth4webapi hold the response.
      throw new UpstreamError('format', `${described} without a usable token`)
    }
  }

  return {
    begin({ scope, state, redirectUri, loginHint }) {
      const secrets: Secrets = {
        nonce: randomBytes(24).toString('base64url'),
        ...(pkce && { verifier: randomBytes(32).toString('base64url') }),
      }
      const url = new URL(authorizationEndpoint)
      const parameters = {
        response_type: 'code',
        client_id: token.clientId,
        redirect_uri: redirectUri,
        scope,
        state,
        nonce: secrets.nonce,
        // The network identifies the phone. Nobody must be asked for a password, which would prove no number.
        prompt: 'none',
        ...(secrets.verifier !== undefined && {
          code_challenge: hash('sha256', secrets.verifier, 'base64url'),
          code_challenge_method: 'S256',
        }),
        ...(loginHint !== undefined && { login_hint: loginHint }),
      }
      for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value)
      return { url: url.href, secrets: JSON.stringify(secrets) }
    },

    async exchange({ code, iss }, begun, deadline) {
      // Mix-up: the code of another operator must not be sent to this one (RFC 9207, 2.4).
      if (issuer !== undefined && iss !== undefined && iss !== issuer) {
        throw new UpstreamError('format', `${call}: another issuer redirected the phone`)
      }
      const secrets = JSON.parse(begun.secrets) as Secrets
      const form = new URLSearchParams({
        grant_type: 'authorization_code',
        code,
        redirect_uri: begun.redirectUri,
        ...(secrets.verifier !== undefined && { code_verifier: secrets.verifier }),
      })
      const headers = new Headers({ accept: 'application/json', 'content-type': 'application/x-www-form-urlencoded' })
      const server = { issuer: token.audience ?? token.endpoint, token_endpoint: token.endpoint }
      await authenticate(server, clientNow(), form, headers)
      const request = {
        call,
        method: 'POST',
        path: endpoint.pathname + endpoint.search,
        headers: Object.fromEntries(headers),
        body: form.toString(),
        once: true,
        tokenIsNew: true,
        read: (response: UpstreamResponse) => readToken(response, secrets),
      } as const
      return exchanges.send(request, deadline)
    },

    state: exchanges.state,
    close: exchanges.close,
  }
}
