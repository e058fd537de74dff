// How is an access token requested? OAuth 2: by client credentials (RFC 6749 section 4.4), or for one phone number by an assertion or CIBA.

import { ConsecutiveBreaker } from 'cockatiel'
import { type Client, clockSkew, processClientCredentialsResponse } from 'oauth4webapi'
import Type, { type Static } from 'typebox'
import { readUrl } from '../core/address/called-url.ts'
import type { ReadSecret } from '../core/config/secret-reference.ts'
import { backchannelToken } from './backchannel.ts'
import type { Health } from './circuit.ts'
import { authenticationProperties, clientAuthentication, type SigningKey, signingKey } from './client-authentication.ts'
import { describeResponse, Guard, type Limits, type UpstreamResponse } from './guard.ts'
import { numberAssertion } from './number-assertion.ts'
import { TokenRefused, UpstreamError } from './upstream-error.ts'
import type { UpstreamResources } from './upstream-resources.ts'

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

export interface TokenClientOptions {
  /** The upstream's name in metrics and in the log. */
  upstream: string
  settings: TokenSettings
  limits: Limits
  sandbox?: boolean | undefined
}

export interface Grant {
  readonly token: string
  readonly lifetimeMs: number
}

/** Where a form goes. */
interface Endpoint {
  readonly at: URL
  readonly name: string
  readonly through: Guard
}

const call = 'token'
/** For a response without expires_in, which RFC 6749 allows. A refused token is replaced anyway. */
const assumedLifetimeSeconds = 300

export class TokenRequests {
  /** Whether a token belongs to one phone number. */
  readonly perNumber: boolean
  readonly #options: TokenClientOptions
  readonly #resources: UpstreamResources
  readonly #endpoint: URL
  readonly #authenticate: ReturnType<typeof clientAuthentication>
  readonly #assertionKey: SigningKey | undefined
  readonly #server: { issuer: string; token_endpoint: string }
  readonly #backchannel: Endpoint | undefined
  readonly #guards = new Map<string, Guard>()

  constructor(options: TokenClientOptions, resources: UpstreamResources) {
    const { settings, limits, sandbox } = options
    const { readSecret } = resources
    this.#options = options
    this.#resources = resources
    this.#endpoint = readUrl('token.endpoint', settings.endpoint, sandbox)
    this.#authenticate = clientAuthentication(settings, readSecret, limits.tls?.cert !== undefined)
    this.perNumber = settings.grant === 'jwt_bearer' || settings.grant === 'ciba'
    this.#assertionKey = settings.grant === 'jwt_bearer' ? assertionKeyOf(settings, readSecret) : undefined
    // oauth4webapi reads the audience of an assertion from the issuer.
    this.#server = { issuer: settings.audience ?? settings.endpoint, token_endpoint: settings.endpoint }
    this.#backchannel = settings.grant === 'ciba' ? this.#backchannelOf(settings.backchannelEndpoint) : undefined
  }

  #backchannelOf(url: string | undefined): Endpoint {
    if (!url) throw new Error('token.backchannelEndpoint is missing: ciba needs it')
    const at = readUrl('token.backchannelEndpoint', url, this.#options.sandbox)
    return { at, name: 'bc-authorize', through: this.#guardTo(at, { service: 'bc-authorize' }) }
  }

  /** Each scope has its own guard, so that a scope that the operator did not grant does not affect the others. */
  guardOf(scope: string): Guard {
    const known = this.#guards.get(scope)
    if (known) return known
    // Without a number a failure would repeat. Two failures in a row open the circuit: otherwise a wrong secret
    // could make the operator lock the client.
    const made = this.#guardTo(this.#endpoint, { service: call, breaker: new ConsecutiveBreaker(2) })
    this.#guards.set(scope, made)
    return made
  }

  #guardTo({ origin }: URL, more: { service: string; breaker?: ConsecutiveBreaker }): Guard {
    const { upstream, limits } = this.#options
    const healthOf = (error: unknown) => this.#healthOf(error)
    return new Guard({ upstream, baseUrl: new URL(origin), ...limits, ...more, healthOf }, this.#resources)
  }

  /** A refusal may concern one number: its subscriber objected, or is not of this operator. */
  #healthOf(error: unknown): Health {
    const isRefusal = error instanceof UpstreamError && error.reason === 'rejected'
    return this.perNumber && isRefusal && !(error instanceof TokenRefused) ? 'healthy' : 'unhealthy'
  }

  /** `through`: the guard of the scope. Throws an UpstreamError. */
  async send(scope: string, digits: string, through: Guard, signal: AbortSignal): Promise<Grant> {
    const { clientId } = this.#options.settings
    const tokenEndpoint = { at: this.#endpoint, name: call, through }
    const backchannel = this.#backchannel
    if (backchannel) {
      const response = await backchannelToken(
        { digits, scope },
        {
          signal,
          send: (path, form, read) => this.#sendForm(path === 'token' ? tokenEndpoint : backchannel, form, read),
        },
      )
      return this.#grantIn(response)
    }
    const about = { clientId, audience: this.#server.issuer, scope, digits }
    const grant = this.#assertionKey
      ? await numberAssertion(this.#assertionKey, about, this.#resources.clock.now())
      : { grant_type: 'client_credentials', scope }
    return this.#sendForm(tokenEndpoint, grant, (response) => this.#grantIn(response))
  }

  /** Sends a form with the client authentication. */
  async #sendForm<T>(
    { at, name, through }: Endpoint,
    parameters: Record<string, string>,
    read: (response: UpstreamResponse) => T,
  ): Promise<T> {
    const form = new URLSearchParams(parameters)
    const headers = new Headers({ accept: 'application/json', 'content-type': 'application/x-www-form-urlencoded' })
    await this.#authenticate(this.#server, this.#clientNow(), form, headers)
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

  #clientNow(): Client {
    const { clock } = this.#resources
    return {
      client_id: this.#options.settings.clientId,
      [clockSkew]: Math.round((clock.now() - Date.now()) / 1000),
    }
  }

  async #grantIn(response: UpstreamResponse): Promise<Grant> {
    if (response.status >= 300) throw new UpstreamError('rejected', describeResponse(call, response))
    try {
      // CIBA sends an id token too, which nobody reads.
      const { id_token: _, ...body } = Object(response.body)
      const grant = await processClientCredentialsResponse(this.#server, this.#clientNow(), Response.json(body))
      if (!/^[\x21-\x7e]+$/.test(grant.access_token))
        throw new Error('the token has characters that a header cannot hold')
      return { token: grant.access_token, lifetimeMs: (grant.expires_in ?? assumedLifetimeSeconds) * 1000 }
    } catch {
      // No cause: the errors of oauth4webapi hold the response.
      throw new UpstreamError('format', `${describeResponse(call, response)} without a usable token`)
    }
  }

  async close(): Promise<void> {
    const guards = [...this.#guards.values(), ...(this.#backchannel ? [this.#backchannel.through] : [])]
    await Promise.all(guards.map((each) => each.close()))
  }
}

function assertionKeyOf(settings: TokenSettings, readSecret: ReadSecret): SigningKey {
  if (!settings.privateKey) throw new Error('token.privateKey is missing: jwt_bearer needs a key to sign with')
  return signingKey(readSecret(settings.privateKey), settings)
}
