// Which access token does a call use? One of OAuth 2, cached until shortly before it expires and shared by all callers.

import { before } from './deadline.ts'
import type { Guard, UpstreamRequest } from './guard.ts'
import { type TokenClientOptions, TokenRequests } from './token-request.ts'
import { DeadlinePassed, TokenRefused, UpstreamError, unsent } from './upstream-error.ts'
import type { UpstreamResources } from './upstream-resources.ts'

/**
 * Returns an access token. Pass the token that the API answered 401 to as `refused` to get a new one. Throws an UpstreamError.
 */
export type TokenSource = (deadline: AbortSignal, refused?: string) => Promise<string>

/** A request for a token, which all its callers wait for. */
interface Flight {
  readonly token: Promise<string>
  /** Its callers; 0: their deadlines have passed. */
  waiting: number
  end(): void
}

const call = 'token'
const longestMarginMs = 30_000
/** Tokens of phone numbers that are kept for their next check. */
const mostSources = 10_000

export class TokenClient {
  /** Whether a token belongs to one phone number. The number must then not be sent (CAMARA: UNNECESSARY_IDENTIFIER). */
  readonly perNumber: boolean
  readonly #upstream: string
  readonly #mostWaiting: number
  readonly #resources: UpstreamResources
  readonly #requests: TokenRequests
  /** Of all numbers, in the order in which they began: with CIBA each polls for up to two minutes. */
  readonly #flights = new Set<Flight>()
  readonly #sources = new Map<string, TokenSource>()

  /** Throws an error that names the key of the configuration file that cannot work. */
  constructor(options: TokenClientOptions, resources: UpstreamResources) {
    this.#upstream = options.upstream
    this.#mostWaiting = options.limits.concurrentCalls + options.limits.waitingCalls
    this.#resources = resources
    this.#requests = new TokenRequests(options, resources)
    this.perNumber = this.#requests.perNumber
  }

  /**
   * Tokens of this scope, and of this phone number where they belong to one. All callers share one token, and one request for it.
   */
  tokens(scope: string, digits = ''): TokenSource {
    const sources = this.#sources
    const key = this.perNumber ? `${scope}\n${digits}` : scope
    const known = sources.get(key)
    if (known) {
      // The least recently used is first.
      if (this.perNumber && sources.delete(key)) sources.set(key, known)
      return known
    }
    const source = this.#source(scope, digits)
    sources.set(key, source)
    const [oldest] = sources.keys()
    if (sources.size > mostSources && oldest !== undefined) sources.delete(oldest)
    return source
  }

  #source(scope: string, digits: string): TokenSource {
    const { clock, metrics } = this.#resources
    const through = this.#requests.guardOf(scope)
    let cached: { token: string; renewAt: number } | undefined
    let flight: Flight | undefined

    const renew = async (signal: AbortSignal) => {
      const { token, lifetimeMs } = await this.#requests.send(scope, digits, through, signal)
      cached = { token, renewAt: clock.now() + lifetimeMs - Math.min(lifetimeMs / 10, longestMarginMs) }
      return token
    }

    const begin = (): Flight => {
      const ended = new AbortController()
      const land = () => {
        this.#flights.delete(begun)
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
      this.#flights.add(begun)
      flight = begun
      return begun
    }

    return async (deadline, refused) => {
      if (cached && cached.token !== refused && clock.now() < cached.renewAt) return cached.token
      // Each waiting caller holds one request of the service, which the numbers of other operators need too.
      const isFull = this.perNumber && !flight && !this.#hasPlace()
      if (isFull || (flight?.waiting ?? 0) >= this.#mostWaiting) {
        const who = isFull ? 'numbers' : 'callers'
        metrics.observe('upstreamCall', 0, this.#upstream, call, 'overloaded')
        throw new UpstreamError('overloaded', `${call}: ${this.#mostWaiting} ${who} are already waiting for it`)
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
  #hasPlace(): boolean {
    if (this.#flights.size < this.#mostWaiting) return true
    const abandoned = [...this.#flights].find(({ waiting }) => waiting === 0)
    abandoned?.end()
    return abandoned !== undefined
  }

  async close(): Promise<void> {
    for (const { end } of this.#flights) end()
    await this.#requests.close()
  }
}

/** Sends the request with a token of `tokens`, and once more with a new token when the upstream answers 401. */
export async function sendWithToken<T>(
  upstream: Guard,
  tokens: TokenSource,
  request: UpstreamRequest<T>,
  deadline: AbortSignal,
): Promise<T> {
  const token = await tokens(deadline)
  try {
    return await upstream.send(withToken(request, token, false), deadline)
  } catch (error) {
    if (!(error instanceof TokenRefused)) throw error
    return upstream.send(withToken(request, await tokens(deadline, token), true), deadline)
  }
}

const withToken = <T>(request: UpstreamRequest<T>, token: string, tokenIsNew: boolean): UpstreamRequest<T> => ({
  ...request,
  headers: { ...request.headers, authorization: `Bearer ${token}` },
  tokenIsNew,
})
