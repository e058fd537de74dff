// How does Ringfence keep the trouble of one upstream away from everything else? Time-outs, one retry, a circuit, a concurrency limit.

import { setTimeout as delay } from 'node:timers/promises'
import { type BulkheadPolicy, BulkheadRejectedError, bulkhead, CountBreaker, type IBreaker } from 'cockatiel'
import { isJson } from '../core/json/content-type.ts'
import { Circuit, type Health } from './circuit.ts'
import type { HttpResponse } from './collected.ts'
import type { EgressProxy, TlsMaterial } from './connections.ts'
import { before } from './deadline.ts'
import { type Exchanges, exchangesWith, type HttpRequest } from './exchange.ts'
import { type Pause, pauses } from './pause.ts'
import { retryAfterMs } from './retry-after.ts'
import { isStandardCode } from './standard-codes.ts'
import {
  DeadlinePassed,
  TokenRefused,
  UpstreamError,
  UpstreamFault,
  UpstreamPaused,
  UpstreamRefusal,
  unsent,
} from './upstream-error.ts'
import type { UpstreamResources } from './upstream-resources.ts'

export interface UpstreamRequest<T> extends HttpRequest {
  /** With a new token, a 401 counts against the upstream. With an older one the token may just have ended early. */
  tokenIsNew?: boolean
  /** It changes something at the upstream, such as a message or a code that is used up: it is not repeated, and a success may have no body. */
  once?: boolean
  /** Returns the result that the response holds, or throws the error that it stands for. */
  read(response: UpstreamResponse): T | Promise<T>
}

/** The response of an exchange that went well: 2xx, 501, or a 4xx other than 401 and 429. */
export interface UpstreamResponse {
  status: number
  /** The parsed JSON; undefined when an error status came with something else. */
  body: unknown
}

/** What a guard allows, and whether it calls its upstream now. */
export interface GuardState extends Pick<Limits, 'timeoutMs' | 'concurrentCalls' | 'waitingCalls'> {
  readonly service: string
  /** `open`: it failed too often, and only a probe may call it. */
  readonly circuit: 'closed' | 'open'
  /** It asked for a pause (`Retry-After`), which lasts. */
  readonly isPaused?: true
}

/** How much of our time and connections an upstream may take. */
export interface Limits {
  /** For each attempt. */
  timeoutMs: number
  connectTimeoutMs: number
  /** How many calls run at the same time. */
  concurrentCalls: number
  /** How many more calls may wait for a free slot. */
  waitingCalls: number
  /** Shared by the APIs of one operator, whose limit it is. Absent: the guard has its own. */
  slots?: BulkheadPolicy
  tls?: TlsMaterial
  egress?: EgressProxy
}

/** The same limits for all guards that have them, together. */
export const together = (limits: Limits): Limits => ({
  ...limits,
  slots: bulkhead(limits.concurrentCalls, limits.waitingCalls),
})

export interface GuardOptions extends Limits {
  /** The upstream's name in metrics and in the log. */
  upstream: string
  /** Which of its services this is. */
  service: string
  baseUrl: URL
  /** When the circuit opens. Default: more than half of the last 20 attempts were unhealthy, with at least 10 attempts. */
  breaker?: IBreaker
  /** Replaces the usual reading of an error. */
  healthOf?(error: unknown): Health
}

type GuardResources = Omit<UpstreamResources, 'readSecret'>

export class Guard {
  readonly #options: GuardOptions
  readonly #resources: GuardResources
  readonly #exchanges: Exchanges
  readonly #slots: BulkheadPolicy
  readonly #pause: Pause
  readonly #circuit: Circuit
  readonly #healthOf: (error: unknown) => Health

  constructor(options: GuardOptions, resources: GuardResources) {
    const {
      upstream,
      service,
      concurrentCalls,
      waitingCalls,
      slots = bulkhead(concurrentCalls, waitingCalls),
    } = options
    const { clock, log, metrics } = resources
    this.#options = options
    this.#resources = resources
    this.#exchanges = exchangesWith(options)
    this.#slots = slots
    this.#pause = pauses(clock)
    this.#healthOf = options.healthOf ?? healthOf
    this.#circuit = new Circuit({
      clock,
      breaker: options.breaker ?? new CountBreaker({ threshold: 0.5, size: 20, minimumNumberOfCalls: 10 }),
      onChange(state) {
        metrics.set('upstreamCircuitOpen', state === 'open' ? 1 : 0, upstream, service)
        log.warn({ upstream, service, circuit: state }, 'circuit changed')
      },
    })
  }

  /** Throws an UpstreamError, no later than `deadline`, and every error that `read` throws. */
  async send<T>(request: UpstreamRequest<T>, deadline: AbortSignal): Promise<T> {
    const { upstream, concurrentCalls } = this.#options
    const { metrics } = this.#resources
    const { call } = request
    if (deadline.aborted) throw unsent(new DeadlinePassed(call))
    if (this.#pause.isOn()) {
      metrics.observe('upstreamCall', 0, upstream, call, 'overloaded')
      throw new UpstreamPaused(call, (waitingUntil) => this.#pause.waitOut(call, waitingUntil))
    }
    let isSent = false
    const onSending = () => {
      isSent = true
    }
    try {
      const result = this.#slots.execute(() => this.#attemptTwice(request, deadline, onSending), deadline)
      return await before(deadline, result, () => new DeadlinePassed(call))
    } catch (error) {
      if (!(error instanceof BulkheadRejectedError)) throw isSent ? error : unsent(error)
      metrics.observe('upstreamCall', 0, upstream, call, 'overloaded')
      throw new UpstreamError('overloaded', `${call}: ${concurrentCalls} calls are already in flight`)
    }
  }

  /** A second attempt is safe: a call without `once` only reads. */
  async #attemptTwice<T>(request: UpstreamRequest<T>, deadline: AbortSignal, onSending: () => void): Promise<T> {
    try {
      return await this.#attempt(request, deadline, onSending)
    } catch (error) {
      if (!(error instanceof UpstreamFault && error.retryable && this.#circuit.closed) || request.once) throw error
      // After a broken keep-alive connection, retry at once. After 502, 503 or 504, give the upstream a moment.
      if (error.reason === 'status') await delay(20 + Math.random() * 80)
      if (deadline.aborted) throw error
      return this.#attempt(request, deadline, onSending)
    }
  }

  async #attempt<T>(request: UpstreamRequest<T>, deadline: AbortSignal, onSending: () => void): Promise<T> {
    const { upstream, timeoutMs } = this.#options
    const { clock, metrics, tracing } = this.#resources
    const { call } = request
    const startedAt = performance.now()
    const span = tracing.upstreamCall(request.headers, upstream, call)
    const begun = this.#circuit.begin()
    let outcome = 'ok'
    try {
      if (begun === undefined) throw new UpstreamError('overloaded', `${call}: the circuit is open`)
      const waiting = { deadline, timeoutMs, onSending, trace: span.headers }
      const response = await this.#exchanges.exchange(request, waiting)
      this.#pause.begin(retryAfterMs(response, clock.now()))
      const result = await request.read(responseOf(request, response))
      this.#circuit.end(begun, 'healthy')
      return result
    } catch (error) {
      outcome = outcomeOf(error)
      if (begun !== undefined) this.#circuit.end(begun, this.#healthOf(error))
      throw error
    } finally {
      metrics.observe('upstreamCall', (performance.now() - startedAt) / 1000, upstream, call, outcome)
      span.end(outcome)
    }
  }

  state(): GuardState {
    const { service, timeoutMs, concurrentCalls, waitingCalls } = this.#options
    return {
      service,
      circuit: this.#circuit.closed ? 'closed' : 'open',
      ...(this.#pause.isOn() && { isPaused: true as const }),
      ...{ timeoutMs, concurrentCalls, waitingCalls },
    }
  }

  close(): Promise<void> {
    return this.#exchanges.close()
  }
}

/**
 * Unhealthy: a time-out, no connection, a broken or unreadable response, 3xx, 5xx except 501, 429 (it asks for a pause), and 401
 * to a new token (every call would fail and fetch another token in vain).
 *
 * Healthy, because it may concern one number only: 400, 403 (the subscriber may have objected), 404, 422, 501, and JSON that
 * does not fit its schema.
 *
 * Unknown: 401 to an older token, because a hundred may come at once when the token ends early; and the caller's deadline,
 * because one impatient client must not stop the calls of all others.
 */
function healthOf(error: unknown): Health {
  if (error instanceof UpstreamFault) return 'unhealthy'
  return error instanceof DeadlinePassed || error instanceof TokenRefused ? 'unknown' : 'healthy'
}

/** Checks the exchange, not the content. */
function responseOf(
  { call, method, tokenIsNew, once }: UpstreamRequest<unknown>,
  { status, headers, text }: HttpResponse,
): UpstreamResponse {
  const body = parseJson(text)
  const description = describeResponse(call, { status, body })
  if (status === 401) throw new (tokenIsNew ? UpstreamFault : TokenRefused)('rejected', description)
  if (status === 429) throw new UpstreamFault('overloaded', description)
  if (status < 200 || (status >= 300 && status < 400) || (status >= 500 && status !== 501)) {
    const unavailable = status === 502 || status === 503 || status === 504
    throw new UpstreamFault('status', description, { retryable: unavailable && headers['retry-after'] === undefined })
  }
  const hasNoBody = (method === 'DELETE' || once) && status === 204
  if (status < 300 && !hasNoBody && (body === undefined || !isJson(headers['content-type']))) {
    throw new UpstreamFault('format', `${description} without JSON`)
  }
  return { status, body }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** The code of an error body of CAMARA (`code`) or OAuth 2 (`error`). It may be any text, such as a name: see `isStandardCode`. */
export function errorCodeOf(body: unknown): string | undefined {
  const { code, error } = (body ?? {}) as { code?: unknown; error?: unknown }
  const reported = code ?? error
  return typeof reported === 'string' && /^[A-Za-z_.-]{1,64}$/.test(reported) ? reported : undefined
}

/** "sim-swap/check: answered 404 IDENTIFIER_NOT_FOUND" */
export function describeResponse(call: string, { status, body }: UpstreamResponse): string {
  const code = errorCodeOf(body)
  return `${call}: answered ${status}${code !== undefined && isStandardCode(code) ? ` ${code}` : ''}`
}

/** An error that `read` threw for another cause is a response that could not be read. */
function outcomeOf(error: unknown): string {
  if (error instanceof UpstreamRefusal) return error.outcome
  return error instanceof UpstreamError ? error.reason : 'format'
}
