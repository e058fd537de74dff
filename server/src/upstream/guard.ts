// What stands around each upstream, so that its trouble stays its own? Time-outs, one retry, a circuit, a limit of calls at once.

import { setTimeout as delay } from 'node:timers/promises'
import { BrokenCircuitError, BulkheadRejectedError, bulkhead, CountBreaker, type IBreaker } from 'cockatiel'
import { isJson } from '../json/content-type.ts'
import {
  CheckFailed,
  CheckUnsupported,
  type ConnectorResources,
  WindowUnsupported,
} from '../telecom/connectors/connector.ts'
import { circuit, type Verdict } from './circuit.ts'
import { Abandoned, before } from './deadline.ts'
import { exchangesWith, type HttpRequest, type HttpResponse, type TlsMaterial, UpstreamFault } from './exchange.ts'

export interface Question<T> extends HttpRequest {
  /** The access token is new, so that a 401 speaks against the upstream and not of a token that ended early. */
  tokenIsNew?: boolean
  /** Makes of the answer what was asked for, or throws what the answer means. */
  read(answer: Answer): T | Promise<T>
}

/** What the upstream said, when the exchange itself went well: 2xx, 501, or a 4xx other than 401 and 429. */
export interface Answer {
  status: number
  /** The parsed JSON; undefined where an error status came with something else. */
  body: unknown
}

export interface Guard {
  /** Throws a CheckFailed, at `deadline` at the latest, and whatever `read` throws. */
  ask<T>(question: Question<T>, deadline: AbortSignal): Promise<T>
  close(): Promise<void>
}

/** 401, to a token that is not new. */
export class Unauthenticated extends CheckFailed {}

/** What an upstream is allowed to take of our time and connections. */
export interface Limits {
  /** Of each attempt. */
  timeoutMs: number
  connectTimeoutMs: number
  /** How many questions are asked at once, and how many more may wait for their turn. */
  concurrentCalls: number
  waitingCalls: number
  tls?: TlsMaterial
}

export interface GuardOptions extends Limits {
  /** The upstream's name in metrics and in the log, and which of its services this is. */
  upstream: string
  service: string
  baseUrl: URL
  /** When the circuit opens; else when more than half of the last 20 attempts went ill, of 10 at least. */
  breaker?: IBreaker
  /** What an error says of the upstream, where another judgement than the usual is wanted. */
  judge?(error: unknown): Verdict
}

export function guard(options: GuardOptions, { clock, log, metrics }: Omit<ConnectorResources, 'readSecret'>): Guard {
  const { upstream, service, timeoutMs, concurrentCalls, waitingCalls } = options
  const exchanges = exchangesWith({ ...options, connections: concurrentCalls })
  const turns = bulkhead(concurrentCalls, waitingCalls)
  const line = circuit({
    clock,
    breaker: options.breaker ?? new CountBreaker({ threshold: 0.5, size: 20, minimumNumberOfCalls: 10 }),
    judge: options.judge ?? judge,
    onChange: (state) => log.warn({ upstream, service, circuit: state }, 'circuit changed'),
  })

  async function exchangeInTime(request: HttpRequest, deadline: AbortSignal): Promise<HttpResponse> {
    const { call } = request
    const attempt = new AbortController()
    const giveUp = () => attempt.abort(new Abandoned(call))
    const outOfTime = () => attempt.abort(new UpstreamFault('timeout', `${call}: no whole answer in ${timeoutMs} ms`))
    const timer = setTimeout(outOfTime, timeoutMs)
    deadline.addEventListener('abort', giveUp, { once: true })
    try {
      return await exchanges.exchange(request, attempt.signal)
    } finally {
      clearTimeout(timer)
      deadline.removeEventListener('abort', giveUp)
    }
  }

  async function attempt<T>(question: Question<T>, deadline: AbortSignal): Promise<T> {
    const { call } = question
    const startedAt = performance.now()
    const count = (outcome: Parameters<typeof metrics.upstreamCall>[2]) =>
      metrics.upstreamCall(upstream, call, outcome, (performance.now() - startedAt) / 1000)
    try {
      const answer = await line.run(async () =>
        question.read(answerOf(question, await exchangeInTime(question, deadline))),
      )
      count('ok')
      return answer
    } catch (error) {
      const failure =
        error instanceof BrokenCircuitError ? new CheckFailed('overloaded', `${call}: the circuit is open`) : error
      count(outcomeOf(failure))
      throw failure
    }
  }

  /** Every question is a read, so that asking twice changes nothing upstream. */
  async function attemptTwice<T>(question: Question<T>, deadline: AbortSignal): Promise<T> {
    try {
      return await attempt(question, deadline)
    } catch (error) {
      if (!(error instanceof UpstreamFault && error.retryable && line.closed)) throw error
      // A kept connection that was closed meanwhile is replaced at once; an upstream in trouble gets a moment.
      if (error.reason === 'status') await delay(20 + Math.random() * 80)
      if (deadline.aborted) throw error
      return attempt(question, deadline)
    }
  }

  return {
    async ask(question, deadline) {
      if (deadline.aborted) throw new Abandoned(question.call)
      try {
        const answer = turns.execute(() => attemptTwice(question, deadline), deadline)
        return await before(deadline, question.call, answer)
      } catch (error) {
        if (!(error instanceof BulkheadRejectedError)) throw error
        metrics.upstreamCall(upstream, question.call, 'overloaded', 0)
        throw new CheckFailed('overloaded', `${question.call}: ${concurrentCalls} calls under way already`)
      }
    },
    close: exchanges.close,
  }
}

/**
 * Ill: a time-out, no connection, a broken or unreadable answer, 3xx, 5xx but 501, 429 (it asks for a pause), 401 to a new token
 * (every question would fail, and fetch another token in vain). Well, as it may concern one number only: 400, 403 (the
 * subscriber may have objected), 404, 422, 501, and JSON that fails its schema. Unknown: 401 to an older token, of which a
 * hundred may come at once when it ends early; and the asker's deadline, lest one impatient client shuts the upstream for all.
 */
function judge(error: unknown): Verdict {
  if (error instanceof UpstreamFault) return 'ill'
  return error instanceof Abandoned || error instanceof Unauthenticated ? 'unknown' : 'well'
}

/** Judges the exchange, not what was said. */
function answerOf({ call, tokenIsNew }: Question<unknown>, { status, headers, text }: HttpResponse): Answer {
  const body = parseJson(text)
  const fault = inWords(call, { status, body })
  if (status === 401) throw new (tokenIsNew ? UpstreamFault : Unauthenticated)('rejected', fault)
  if (status === 429) throw new UpstreamFault('overloaded', fault)
  if (status < 200 || (status >= 300 && status < 400) || (status >= 500 && status !== 501)) {
    const unavailable = status === 502 || status === 503 || status === 504
    throw new UpstreamFault('status', fault, { retryable: unavailable && headers['retry-after'] === undefined })
  }
  if (status < 300 && (body === undefined || !isJson(headers['content-type']))) {
    throw new UpstreamFault('format', `${fault} without JSON`)
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

/** The code of an error body of CAMARA (`code`) or OAuth 2 (`error`). Nothing else of it is told: it may repeat the number. */
export function errorCodeOf(body: unknown): string | undefined {
  const { code, error } = (body ?? {}) as { code?: unknown; error?: unknown }
  const told = code ?? error
  return typeof told === 'string' && /^[A-Za-z_.-]{1,64}$/.test(told) ? told : undefined
}

/** "sim-swap/check: answered 404 IDENTIFIER_NOT_FOUND" */
export function inWords(call: string, { status, body }: Answer): string {
  return `${call}: answered ${[status, errorCodeOf(body)].filter(Boolean).join(' ')}`
}

function outcomeOf(error: unknown) {
  if (error instanceof CheckUnsupported) return 'unsupported'
  if (error instanceof WindowUnsupported) return 'window'
  return error instanceof CheckFailed ? error.reason : 'format'
}
