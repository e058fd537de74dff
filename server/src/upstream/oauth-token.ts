// With which access token is an operator asked? OAuth 2 client credentials (RFC 6749 section 4.4), fetched once, kept until shortly before expiry.

import { ConsecutiveBreaker } from 'cockatiel'
import { type Client, clockSkew, processClientCredentialsResponse } from 'oauth4webapi'
import Type, { type Static } from 'typebox'
import { CheckFailed, type ConnectorResources } from '../telecom/connectors/connector.ts'
import { authenticationProperties, clientAuthentication } from './client-authentication.ts'
import { before } from './deadline.ts'
import { type Answer, type Guard, guard, inWords, type Limits, type Question, Unauthenticated } from './guard.ts'
import { readUrl } from './upstream-settings.ts'

export const TokenSettings = Type.Object(
  {
    endpoint: Type.String({ pattern: '^https?://[^#]+$', description: 'the address of the token endpoint' }),
    clientId: Type.String({ minLength: 1, description: 'the client id that the operator gave you' }),
    ...authenticationProperties,
    audience: Type.Optional(
      Type.String({ description: 'for private_key_jwt: aud of the assertion; by default the token endpoint' }),
    ),
  },
  { additionalProperties: false, description: 'how access tokens are fetched: OAuth 2 client credentials' },
)
export type TokenSettings = Static<typeof TokenSettings>

/** An access token; never `refused`, a token that the API answered 401 to. Throws a CheckFailed. */
export type TokenSource = (deadline: AbortSignal, refused?: string) => Promise<string>

export interface TokenClient {
  /** Tokens of this scope: one request at a time, whose token all share. */
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
/** RFC 6749 leaves expires_in to the server; a token that is refused is replaced anyway. */
const assumedLifetimeSeconds = 300
const longestMarginMs = 30_000

/** A client of one token endpoint. Throws an error that names the key of the configuration that cannot work. */
export function tokenClient(
  { upstream, settings, limits, sandbox }: TokenClientOptions,
  resources: ConnectorResources,
): TokenClient {
  const { clock, metrics, readSecret } = resources
  const endpoint = readUrl('token.endpoint', settings.endpoint, sandbox)
  const authenticate = clientAuthentication(settings, readSecret)
  // oauth4webapi takes the audience of an assertion from the issuer.
  const server = { issuer: settings.audience ?? settings.endpoint, token_endpoint: settings.endpoint }

  async function request(scope: string, endpointGuard: Guard) {
    const client: Client = {
      client_id: settings.clientId,
      [clockSkew]: Math.round((clock.now() - Date.now()) / 1000),
    }
    const form = new URLSearchParams({ grant_type: 'client_credentials', scope })
    const headers = new Headers({ accept: 'application/json', 'content-type': 'application/x-www-form-urlencoded' })
    await authenticate(server, client, form, headers)
    const question = {
      call,
      method: 'POST',
      path: endpoint.pathname + endpoint.search,
      headers: Object.fromEntries(headers),
      body: form.toString(),
      read: (answer: Answer) => readGrant(answer, client),
    } as const
    // Others wait for this token too, so that no asker's deadline cuts the request short; the guard's time-out does.
    return endpointGuard.ask(question, new AbortController().signal)
  }

  async function readGrant(answer: Answer, client: Client) {
    if (answer.status >= 300) throw new CheckFailed('rejected', inWords(call, answer))
    try {
      const grant = await processClientCredentialsResponse(server, client, Response.json(answer.body))
      if (!/^[\x21-\x7e]+$/.test(grant.access_token)) throw new Error('the token cannot be sent in a header')
      return { token: grant.access_token, lifetimeMs: (grant.expires_in ?? assumedLifetimeSeconds) * 1000 }
    } catch {
      // The cause is dropped: oauth4webapi's errors hold the answer.
      throw new CheckFailed('format', `${inWords(call, answer)} without a usable token`)
    }
  }

  function tokenSource(scope: string, endpointGuard: Guard): TokenSource {
    let held: { token: string; renewAt: number } | undefined
    let underWay: Promise<string> | undefined
    const places = limits.concurrentCalls + limits.waitingCalls
    let waiting = 0

    async function renew() {
      const { token, lifetimeMs } = await request(scope, endpointGuard)
      held = { token, renewAt: clock.now() + lifetimeMs - Math.min(lifetimeMs / 10, longestMarginMs) }
      return token
    }

    return async (deadline, refused) => {
      if (held && held.token !== refused && clock.now() < held.renewAt) return held.token
      // Whoever waits keeps a request of the service open, and those are for the other operators' numbers too.
      if (waiting >= places) {
        metrics.upstreamCall(upstream, call, 'overloaded', 0)
        throw new CheckFailed('overloaded', `${call}: ${places} wait for it already`)
      }
      underWay ??= renew().finally(() => {
        underWay = undefined
      })
      waiting++
      try {
        return await before(deadline, call, underWay)
      } finally {
        waiting--
      }
    }
  }

  /** A scope has a guard of its own, so that one which the operator did not grant is no trouble for the others. */
  function guardOfScope(): Guard {
    // Whatever goes wrong here would go wrong again, as no number is asked about: two failures in a row, then a pause,
    // lest a wrong secret hammers the endpoint until the operator locks the client.
    const breaker = new ConsecutiveBreaker(2)
    const judge = () => 'ill' as const
    return guard({ upstream, service: call, baseUrl: new URL(endpoint.origin), ...limits, breaker, judge }, resources)
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

/** Asks with a token of `tokens`, and once more with a new one when the upstream answers 401. */
export async function askWithToken<T>(
  upstream: Guard,
  tokens: TokenSource,
  question: Question<T>,
  deadline: AbortSignal,
): Promise<T> {
  const ask = (token: string, tokenIsNew: boolean) => {
    const headers = { ...question.headers, authorization: `Bearer ${token}` }
    return upstream.ask({ ...question, headers, tokenIsNew }, deadline)
  }
  const token = await tokens(deadline)
  try {
    return await ask(token, false)
  } catch (error) {
    if (!(error instanceof Unauthenticated)) throw error
    return ask(await tokens(deadline, token), true)
  }
}
