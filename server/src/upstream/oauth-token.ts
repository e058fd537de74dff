// Which access token does a call use? OAuth 2 client credentials (RFC 6749 section 4.4), cached until shortly before they expire.

import { ConsecutiveBreaker } from 'cockatiel'
import { type Client, clockSkew, processClientCredentialsResponse } from 'oauth4webapi'
import Type, { type Static } from 'typebox'
import type { ReadSecret } from '../config/secret-reference.ts'
import { backchannelToken } from './backchannel.ts'
import type { Health } from './circuit.ts'
import { authenticationProperties, clientAuthentication, type SigningKey, signingKey } from './client-authentication.ts'
import { before } from './deadline.ts'
import {
  describeResponse,
  type Guard,
  guard,
  type Limits,
  type UpstreamRequest,
  type UpstreamResponse,
} from './guard.ts'
import { numberAssertion } from './number-assertion.ts'
import { DeadlinePassed, TokenRefused, UpstreamError, unsent } from './upstream-error.ts'
import type { UpstreamResources } from './upstream-resources.ts'
import { readUrl } from './upstream-settings.ts'

export const TokenSettings = Type.Object(
  {
    endpoint: Type.String({ pattern: '^https?://[^#]+$', description: 'the URL of the token endpoint' }),
    clientId: Type.String({ minLength: 1, description: 'the client ID that the operator gave you' }),
    grant: Type.Optional(
      Type.Enum(['client_credentials', 'jwt_bearer', 'ciba'], {
        default: 'client_credentials',
        description:
          'jwt_bearer and ciba: a token for each phone number, which an assertion names (RFC 7523) or the network identifies (CIBA, poll mode); requests then leave the number out',
      }),
    ),
    backchannelEndpoint: Type.Optional(
      Type.String({
        pattern: '^https?://[^#]+$',
        description: 'for ciba: the URL of the backchannel authentication endpoint',
      }),
    ),
    ...authenticationProperties,
    audience: Type.Optional(
      Type.String({
        description:
          'for private_key_jwt and jwt_bearer: the aud claim of the assertion; by default the URL of the token endpoint',
      }),
    ),
  },
  { additionalProperties: false, description: 'how Ringfence gets access tokens: OAuth 2' },
)
export type TokenSettings = Static<typeof TokenSettings>

/**
 * Returns an access token. Pass the token that the API answered 401 to as `refused` to get a new one. Throws an UpstreamError.
 */
export type TokenSource = (deadline: AbortSignal, refused?: string) => Promise<string>

export interface TokenClient {
  /** Whether a token belongs to one phone number. The number must then not be sent (CAMARA: UNNECESSARY_IDENTIFIER). */
  readonly perNumber: boolean
  /**
   * Tokens of this scope, and of this phone number where they belong to one. All callers share one token, and one request for it.
   */
  tokens(scope: string, digits?: string): TokenSource
  close(): Promise<void>
}

export interface TokenClientOptions {
  /** The upstream's name in metrics and in the log. */
  upstream: string
  settings: TokenSettings
  limits: Limits
  sandbox?: boolean | undefined
}

/** A request for a token, which all its callers wait for. */
interface Flight {
  readonly token: Promise<string>
  /** Its callers; 0: their deadlines have passed. */
  waiting: number
  end(): void
}

const call = 'token'
/** For a response without expires_in, which RFC 6749 allows. A refused token is replaced anyway. */
const assumedLifetimeSeconds = 300
const longestMarginMs = 30_000
/** Tokens of phone numbers that are kept for their next check. */
const mostSources = 10_000

/** Opens a client of one token endpoint. Throws an error that names the key of the configuration file that cannot work. */
export function tokenClient(
  { upstream, settings, limits, sandbox }: TokenClientOptions,
  resources: UpstreamResources,
): TokenClient {
  const { clock, metrics, readSecret } = resources
  const endpoint = readUrl('token.endpoint', settings.endpoint, sandbox)
  const authenticate = clientAuthentication(settings, readSecret, limits.tls?.cert !== undefined)
  const perNumber = settings.grant === 'jwt_bearer' || settings.grant === 'ciba'
  const assertionKey = settings.grant === 'jwt_bearer' ? assertionKeyOf(settings, readSecret) : undefined
  // oauth4webapi reads the audience of an assertion from the issuer.
  const server = { issuer: settings.audience ?? settings.endpoint, token_endpoint: settings.endpoint }

  const mostWaiting = limits.concurrentCalls + limits.waitingCalls
  /** Of all numbers, in the order in which they began: with CIBA each polls for up to two minutes. */
  const flights = new Set<Flight>()

  const clientNow = (): Client => ({
    client_id: settings.clientId,
    [clockSkew]: Math.round((clock.now() - Date.now()) / 1000),
  })

  /** Sends a form with the client authentication. */
  async function sendForm<T>(
    { at, name, through }: { at: URL; name: string; through: Guard },
    parameters: Record<string, string>,
    read: (response: UpstreamResponse) => T,
  ): Promise<T> {
    const form = new URLSearchParams(parameters)
    const headers = new Headers({ accept: 'application/json', 'content-type': 'application/x-www-form-urlencoded' })
    await authenticate(server, clientNow(), form, headers)
    const request = {
      call: name,
      method: 'POST',
      path: at.pathname + at.search,
      headers: Object.fromEntries(headers),
      body: form.toString(),
      read,
    } as const
    // Other callers wait for this token too, so only the guard's time-out ends the request, not one caller's deadline.
    return (await through.send(request, new AbortController().signal)) as T
  }

  async function request(scope: string, digits: string, endpointGuard: Guard, signal: AbortSignal) {
    const tokenEndpoint = { at: endpoint, name: call, through: endpointGuard }
    if (backchannel) {
      const response = await backchannelToken(
        { digits, scope },
        {
          signal,
          send: (path, form, read) => sendForm(path === 'token' ? tokenEndpoint : backchannel, form, read),
        },
      )
      return readGrant(response)
    }
    const { clientId } = settings
    const grant = assertionKey
      ? await numberAssertion(assertionKey, { clientId, audience: server.issuer, scope, digits }, clock.now())
      : { grant_type: 'client_credentials', scope }
    return sendForm(tokenEndpoint, grant, readGrant)
  }

  async function readGrant(response: UpstreamResponse) {
    if (response.status >= 300) throw new UpstreamError('rejected', describeResponse(call, response))
    try {
      // CIBA sends an id token too, which nobody reads.
      const { id_token: _, ...body } = Object(response.body)
      const grant = await processClientCredentialsResponse(server, clientNow(), Response.json(body))
      if (!/^[\x21-\x7e]+$/.test(grant.access_token))
        throw new Error('the token has characters that a header cannot hold')
      return { token: grant.access_token, lifetimeMs: (grant.expires_in ?? assumedLifetimeSeconds) * 1000 }
    } catch {
      // No cause: the errors of oauth4webapi hold the response.
      throw new UpstreamError('format', `${describeResponse(call, response)} without a usable token`)
    }
  }

  function tokenSource(scope: string, digits: string, endpointGuard: Guard): TokenSource {
    let cached: { token: string; renewAt: number } | undefined
    let flight: Flight | undefined

    async function renew(signal: AbortSignal) {
      const { token, lifetimeMs } = await request(scope, digits, endpointGuard, signal)
      cached = { token, renewAt: clock.now() + lifetimeMs - Math.min(lifetimeMs / 10, longestMarginMs) }
      return token
    }

    function begin(): Flight {
      const ended = new AbortController()
      const land = () => {
        flights.delete(begun)
        if (flight === begun) flight = undefined
      }
      const begun: Flight = {
        token: renew(ended.signal).finally(land),
        waiting: 0,
        end() {
          land()
          ended.abort()
        },
      }
      flights.add(begun)
      flight = begun
      return begun
    }

    return async (deadline, refused) => {
      if (cached && cached.token !== refused && clock.now() < cached.renewAt) return cached.token
      // Each waiting caller holds one request of the service, which the numbers of other operators need too.
      const isFull = perNumber && !flight && !hasPlace()
      if (isFull || (flight?.waiting ?? 0) >= mostWaiting) {
        const who = isFull ? 'numbers' : 'callers'
        metrics.observe('upstreamCall', 0, upstream, call, 'overloaded')
        throw new UpstreamError('overloaded', `${call}: ${mostWaiting} ${who} are already waiting for it`)
      }
      const joined = flight ?? begin()
      joined.waiting++
      try {
        return await before(deadline, joined.token, () => new DeadlinePassed(call))
      } catch (error) {
        // What needs the token did not leave, or was refused with the token of before.
        throw unsent(error)
      } finally {
        joined.waiting--
      }
    }
  }

  /** A number without a caller is polled on for its next check, but gives its place to a number that needs it. */
  function hasPlace(): boolean {
    if (flights.size < mostWaiting) return true
    const abandoned = [...flights].find(({ waiting }) => waiting === 0)
    abandoned?.end()
    return abandoned !== undefined
  }

  const backchannel = settings.grant === 'ciba' ? backchannelOf() : undefined
  function backchannelOf() {
    if (!settings.backchannelEndpoint) throw new Error('token.backchannelEndpoint is missing: ciba needs it')
    const at = readUrl('token.backchannelEndpoint', settings.backchannelEndpoint, sandbox)
    const options = { upstream, service: 'bc-authorize', baseUrl: new URL(at.origin), ...limits, healthOf }
    return { at, name: 'bc-authorize', through: guard(options, resources) }
  }

  /** Each scope has its own guard, so that a scope that the operator did not grant does not affect the others. */
  function guardOfScope(): Guard {
    // Without a number a failure would repeat. Two failures in a row open the circuit: otherwise a wrong secret
    // could make the operator lock the client.
    const breaker = new ConsecutiveBreaker(2)
    return guard(
      { upstream, service: call, baseUrl: new URL(endpoint.origin), ...limits, breaker, healthOf },
      resources,
    )
  }

  /** A refusal may concern one number: its subscriber objected, or is not of this operator. */
  function healthOf(error: unknown): Health {
    const isRefusal = error instanceof UpstreamError && error.reason === 'rejected'
    return perNumber && isRefusal && !(error instanceof TokenRefused) ? 'healthy' : 'unhealthy'
  }

  const guards = new Map<string, Guard>()
  const sources = new Map<string, TokenSource>()
  return {
    perNumber,
    tokens(scope, digits = '') {
      const key = perNumber ? `${scope}\n${digits}` : scope
      const known = sources.get(key)
      if (known) {
        // The least recently used is first.
        if (perNumber && sources.delete(key)) sources.set(key, known)
        return known
      }
      const endpointGuard = guards.get(scope) ?? guardOfScope()
      guards.set(scope, endpointGuard)
      const source = tokenSource(scope, digits, endpointGuard)
      sources.set(key, source)
      const [oldest] = sources.keys()
      if (sources.size > mostSources && oldest !== undefined) sources.delete(oldest)
      return source
    },
    async close() {
      for (const { end } of flights) end()
      await Promise.all([...guards.values(), ...(backchannel ? [backchannel.through] : [])].map(({ close }) => close()))
    },
  }
}

function assertionKeyOf(settings: TokenSettings, readSecret: ReadSecret): SigningKey {
  if (!settings.privateKey) throw new Error('token.privateKey is missing: jwt_bearer needs a key to sign with')
  return signingKey(readSecret(settings.privateKey), settings)
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
