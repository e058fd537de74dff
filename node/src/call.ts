// How is a call made? One request, with retries when they are safe and may help, within the time limit.

import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Answer, type RawAnswer, readAnswer } from './answer.ts'
import { aborted, attemptOnce, type Sending } from './attempt.ts'
import { endpoints } from './endpoints.ts'
import { RingfenceError } from './error.ts'
import { type CallOptions, invalid, refuseUnknown, type Settings, settingsOfCall } from './settings.ts'
import type { Calls } from './types.ts'
import { version } from './version.ts'

/** Clock, randomness and waiting. Tests replace them so that they do not wait. */
export interface Timing {
  /** Milliseconds of a monotonic clock. */
  now(): number
  /** From 0 to 1. */
  random(): number
  /** Rejects when the signal is aborted. */
  sleep(durationMs: number, signal: AbortSignal | undefined): Promise<void>
}

const systemTiming: Timing = {
  now: () => performance.now(),
  random: Math.random,
  sleep: (durationMs, signal) => sleep(durationMs, undefined, { signal }),
}

const firstPauseMs = 250
const longestPauseMs = 4_000

/** @throws only RingfenceError */
export async function call<Name extends keyof Calls>(
  name: Name,
  request: Calls[Name]['request'],
  options: CallOptions,
  clientSettings: Settings,
  timing: Timing = systemTiming,
): Promise<Answer<Calls[Name]['answer']>> {
  const { fields } = endpoints[name]
  const { sent, options: timed } = withOneDeadline(request, options, fields)
  const settings = settingsOfCall(clientSettings, timed)
  const sending = sendingOf(name, sent, timed, settings)
  return repeated(sending, settings, timing, (raw) => readAnswer(name, raw, sending.headers['x-request-id']))
}

/** An endpoint with a field for the deadline gets it there and not in the header; the client waits as long, wherever it was set. */
function withOneDeadline<Sent extends object>(
  request: Sent,
  options: CallOptions,
  fields: readonly string[],
): { sent: Sent; options: CallOptions } {
  const named = (request as { deadlineMs?: number } | null)?.deadlineMs
  const deadlineMs = named ?? options.deadlineMs
  if (deadlineMs === undefined || !fields.includes('deadlineMs')) return { sent: request, options }
  if (options.deadlineMs !== undefined && options.deadlineMs !== deadlineMs) {
    throw invalid(
      `deadlineMs of the request (${named}) and of the options (${options.deadlineMs}) are one value: set one`,
    )
  }
  return { sent: { ...request, deadlineMs }, options: { ...options, deadlineMs } }
}

async function repeated<Read>(
  sending: Sending,
  settings: Settings,
  timing: Timing,
  read: (raw: RawAnswer) => Read,
): Promise<Read> {
  const endsAt = timing.now() + settings.timeoutMs
  for (let attempt = 1; ; attempt++) {
    try {
      const limitMs = Math.min(settings.attemptTimeoutMs, endsAt - timing.now())
      const raw = await attemptOnce(sending, limitMs, settings.fetch)
      return read(raw)
    } catch (error) {
      if (!(error instanceof RingfenceError) || attempt > settings.retries || !isRetriable(error)) throw error
      const pauseMs = pauseBeforeRetry(error, attempt, timing.random())
      if (timing.now() + pauseMs >= endsAt) throw error
      await timing.sleep(pauseMs, sending.signal).catch(() => {
        throw aborted(sending)
      })
    }
  }
}

/** A call whose body is not JSON. */
export function callSending(
  { type, body, ...target }: { method: 'POST'; url: string; type: string; body: string | ArrayBuffer },
  options: CallOptions & { readonly isRepeatable: boolean },
  settings: Settings,
): <Read>(read: (raw: RawAnswer, requestId: string) => Read) => Promise<Read> {
  const sending: Sending = { ...target, headers: headersOf(type, options, settings), body, signal: options.signal }
  return (read) => repeated(sending, settings, systemTiming, (raw) => read(raw, sending.headers['x-request-id']))
}

/** The request. It is the same for every attempt, so that the service's log shows one id. */
function sendingOf<Name extends keyof Calls>(
  name: Name,
  request: Calls[Name]['request'],
  options: CallOptions,
  settings: Settings,
): Sending {
  const { signal } = options
  const { address, method, path, fields, idempotencyKey: isRepeatable } = endpoints[name]
  refuseUnknown(request, fields, name)
  const headers = headersOf(
    'application/json',
    { ...options, isRepeatable, hasDeadlineField: fields.includes('deadlineMs') },
    settings,
  )
  const { target, rest } = targetOf(path, request)
  if (method === 'POST') return { method, url: settings[address] + target, headers, body: serialised(rest), signal }
  const query = new URLSearchParams(
    Object.entries(rest).flatMap(([field, value]) => (value === undefined ? [] : [[field, String(value)]])),
  )
  return {
    method,
    url: `${settings[address]}${target}${query.size > 0 ? `?${query}` : ''}`,
    headers,
    body: undefined,
    signal,
  }
}

function headersOf(
  type: string,
  {
    requestId = randomUUID(),
    correlator,
    deadlineMs,
    idempotencyKey = randomUUID(),
    isRepeatable,
    hasDeadlineField = false,
  }: CallOptions & { readonly isRepeatable: boolean; readonly hasDeadlineField?: boolean },
  { clientId, clientSecret }: Settings,
): Sending['headers'] {
  return {
    accept: 'application/json',
    'content-type': type,
    'user-agent': `ringfence-node/${version}`,
    clientId,
    clientSecret,
    'x-request-id': requestId,
    ...(correlator !== undefined && { 'x-correlator': correlator }),
    ...(deadlineMs !== undefined && !hasDeadlineField && { 'x-ringfence-deadline-ms': String(deadlineMs) }),
    ...(isRepeatable && { 'idempotency-key': idempotencyKey }),
  }
}

/** The path with the fields that it names, and the other fields. */
function targetOf(path: string, request: object): { target: string; rest: object } {
  const rest: Record<string, unknown> = { ...request }
  const target = path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = rest[name]
    if (typeof value !== 'string' || value === '') {
      throw new RingfenceError('invalid_argument', `The request needs ${name}, a text that is not empty`)
    }
    delete rest[name]
    return encodeURIComponent(value)
  })
  return { target, rest }
}

/** JSON would say null, and every rule about the number would be silent. */
function finite(key: string, value: unknown): unknown {
  if (typeof value !== 'number' || Number.isFinite(value)) return value
  throw new RingfenceError('invalid_argument', `${key} is ${value}: send a number, or leave it out`)
}

function serialised(request: object): string {
  try {
    return JSON.stringify(request, finite)
  } catch (cause) {
    if (cause instanceof RingfenceError) throw cause
    throw new RingfenceError('invalid_argument', 'The request must be an object that JSON.stringify accepts', { cause })
  }
}

/**
 * Retries are safe for every call: checks only read, a token issued by a lost attempt is unknown and expires, a token
 * revoked twice is revoked, and a decision has an Idempotency-Key. They help when the next attempt can have another result.
 */
function isRetriable({ code, status }: RingfenceError): boolean {
  if (code === 'server') return status === 502 || status === 504
  return code === 'rate_limited' || code === 'overloaded' || code === 'connection' || code === 'timeout'
}

/** Never shorter than Retry-After. Random, so that clients that failed together do not retry together. */
function pauseBeforeRetry({ retryAfterSeconds = 0 }: RingfenceError, attempt: number, random: number): number {
  const backOffMs = Math.min(firstPauseMs * 2 ** (attempt - 1), longestPauseMs)
  return retryAfterSeconds * 1_000 + backOffMs * (0.5 + random / 2)
}
