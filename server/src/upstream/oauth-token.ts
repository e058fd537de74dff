// Which access token does a call use? OAuth 2 client credentials (RFC 6749 section 4.4), cached until shortly before they expire.

import { ConsecutiveBreaker } from 'cockatiel'
import { type Client, clockSkew, processClientCredentialsResponse } from 'oauth4webapi'
import Type, { type Static } from 'typebox'
import { authenticationProperties, clientAuthentication } from './client-authentication.ts'
import { before } from './deadline.ts'
import {
  describeResponse,
  type Guard,
  guard,
  type Limits,
  type UpstreamRequest,
  type UpstreamResponse,
} from './guard.ts'
import { DeadlinePassed, TokenRefused, UpstreamError } from './upstream-error.ts'
import type { UpstreamResources } from './upstream-resources.ts'
import { readUrl } from './upstream-settings.ts'

export const TokenSettings = Type.Object(
  {
    endpoint: Type.String({ pattern: '^https?://[^#]+$', description: 'the URL of the token endpoint' }),
    clientId: Type.String({ minLength: 1, description: 'the client ID that the operator gave you' }),
    ...authenticationProperties,
    audience: Type.Optional(
      Type.String({
        description: 'for private_key_jwt: the aud claim of the assertion; by default the URL of the token endpoint',
      }),
    ),
  },
  { additionalProperties: false, description: 'how Ringfence gets access tokens: OAuth 2 client credentials' },
)
export type TokenSettings = Static<typeof TokenSettings>

/**
 * Returns an access token. Pass the token that the API answered 401 to as `refused` to get a new one. Throws an UpstreamError.
 */
export type TokenSource = (deadline: AbortSignal, refused?: string) => Promise<string>

export interface TokenClient {
  /** Tokens of this scope. All callers share one token, and one request for it. */
  tokens(scope: string): TokenSource
  close(): Promise<void>
}

export interface TokenClientOptions {
  /** The upstream's name in metrics and in the log. */
  upstream: string
  settings: TokenSettings
  limits: Limits
  sandbox?: boolean | undefined
}

const call = 'token'
/** For a response without expires_in, which RFC 6749 allows. A refused token is replaced anyway. */
const assumedLifetimeSeconds = 300
const longestMarginMs = 30_000

/** Opens a client of one token endpoint. Throws an error that names the key of the configuration file that cannot work. */
export function tokenClient(
  { upstream, settings, limits, sandbox }: TokenClientOptions,
  resources: UpstreamResources,
): TokenClient {
  const { clock, metrics, readSecret } = resources
  const endpoint = readUrl('token.endpoint', settings.endpoint, sandbox)
  const authenticate = clientAuthentication(settings, readSecret)
  // oauth4webapi reads the audience of an assertion from the issuer.
  const server = { issuer: settings.audience ?? settings.endpoint, token_endpoint: settings.endpoint }

  async function request(scope: string, endpointGuard: Guard) {
    const client: Client = {
      client_id: settings.clientId,
      [clockSkew]: Math.round((clock.now() - Date.now()) / 1000),
    }
    const form = new URLSearchParams({ grant_type: 'client_credentials', scope })
    const headers = new Headers({ accept: 'application/json', 'content-type': 'application/x-www-form-urlencoded' })
    await authenticate(server, client, form, headers)
    const tokenRequest = {
      call,
      method: 'POST',
      path: endpoint.pathname + endpoint.search,
      headers: Object.fromEntries(headers),
      body: form.toString(),
      read: (response: UpstreamResponse) => readGrant(response, client),
    } as const
    // Other callers wait for this token too, so only the guard's time-out ends the request, not one caller's deadline.
    return endpointGuard.send(tokenRequest, new AbortController().signal)
  }

  async function readGrant(response: UpstreamResponse, client: Client) {
    if (response.status >= 300) throw new UpstreamError('rejected', describeResponse(call, response))
    try {
      const grant = await processClientCredentialsResponse(server, client, Response.json(response.body))
      if (!/^[\x21-\x7e]+$/.test(grant.access_token))
        throw new Error('the token has characters that a header cannot hold')
      return { token: grant.access_token, lifetimeMs: (grant.expires_in ?? assumedLifetimeSeconds) * 1000 }
    } catch {
      // No cause: the errors of oauth4webapi hold the response.
      throw new UpstreamError('format', `${describeResponse(call, response)} without a usable token`)
    }
  }

  function tokenSource(scope: string, endpointGuard: Guard): TokenSource {
    let cached: { token: string; renewAt: number } | undefined
    let inFlight: Promise<string> | undefined
    const mostWaiting = limits.concurrentCalls + limits.waitingCalls
    let waiting = 0

    async function renew() {
      const { token, lifetimeMs } = await request(scope, endpointGuard)
      cached = { token, renewAt: clock.now() + lifetimeMs - Math.min(lifetimeMs / 10, longestMarginMs) }
      return token
    }

    return async (deadline, refused) => {
      if (cached && cached.token !== refused && clock.now() < cached.renewAt) return cached.token
      // Each waiting caller holds one request of the service, which the numbers of other operators need too.
      if (waiting >= mostWaiting) {
        metrics.observe('upstreamCall', 0, upstream, call, 'overloaded')
        throw new UpstreamError('overloaded', `${call}: ${mostWaiting} callers are already waiting for it`)
      }
      inFlight ??= renew().finally(() => {
        inFlight = undefined
      })
      waiting++
      try {
        return await before(deadline, inFlight, () => new DeadlinePassed(call))
      } finally {
        waiting--
      }
    }
  }

  /** Each scope has its own guard, so that a scope that the operator did not grant does not affect the others. */
  function guardOfScope(): Guard {
    // No number is involved, so a failure would repeat. Two failures in a row open the circuit: otherwise a wrong secret
    // could make the operator lock the client.
    const breaker = new ConsecutiveBreaker(2)
    const healthOf = () => 'unhealthy' as const
    return guard(
      { upstream, service: call, baseUrl: new URL(endpoint.origin), ...limits, breaker, healthOf },
      resources,
    )
  }

  const opened = new Map<string, { source: TokenSource; close: Guard['close'] }>()
  return {
    tokens(scope) {
      const known = opened.get(scope)
      if (known) return known.source
      const endpointGuard = guardOfScope()
      const source = tokenSource(scope, endpointGuard)
      opened.set(scope, { source, close: endpointGuard.close })
      return source
    },
    async close() {
      await Promise.all([...opened.values()].map(({ close }) => close()))
    },
  }
}

/** Sends the request with a token of `tokens`, and once more with a new token when the upstream answers 401. */
export async function sendWithToken<T>(
  upstream: Guard,
  tokens: TokenSource,
  request: UpstreamRequest<T>,
  deadline: AbortSignal,
): Promise<T> {
  const send = (token: string, tokenIsNew: boolean) => {
    const headers = { ...request.headers, authorization: `Bearer ${token}` }
    return upstream.send({ ...request, headers, tokenIsNew }, deadline)
  }
  const token = await tokens(deadline)
  try {
    return await send(token, false)
  } catch (error) {
    if (!(error instanceof TokenRefused)) throw error
    return send(await tokens(deadline, token), true)
  }
}
