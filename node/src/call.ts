// How is a call made? One request, repeated where that is safe and may help, within its time.

import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Answer, readAnswer } from './answer.ts'
import { aborted, attemptOnce, type Sending } from './attempt.ts'
import { endpoints } from './endpoints.ts'
import { RingfenceError } from './error.ts'
import { type CallOptions, refuseUnknown, type Settings, settingsOfCall } from './settings.ts'
import type { Calls } from './types.ts'
import { version } from './version.ts'

/** What waiting needs; tests bring their own and need not wait. */
export interface World {
  /** Milliseconds on a clock that only goes forward. */
  now(): number
  /** From 0 to 1. */
  random(): number
  /** Rejects when the signal is aborted. */
  sleep(durationMs: number, signal: AbortSignal | undefined): Promise<void>
}

const realWorld: World = {
  now: () => performance.now(),
  random: Math.random,
  sleep: (durationMs, signal) => sleep(durationMs, undefined, { signal }),
}

const firstPauseMs = 250
const longestPauseMs = 4_000

/** @throws RingfenceError, and nothing else */
export async function call<Name extends keyof Calls>(
  name: Name,
  request: Calls[Name]['request'],
  options: CallOptions,
  clientSettings: Settings,
  world: World = realWorld,
): Promise<Answer<Calls[Name]['answer']>> {
  const settings = settingsOfCall(clientSettings, options)
  const sending = sendingOf(name, request, options, settings)
  const endsAt = world.now() + settings.timeoutMs
  for (let attempt = 1; ; attempt++) {
    try {
      const limitMs = Math.min(settings.attemptTimeoutMs, endsAt - world.now())
      const raw = await attemptOnce(sending, limitMs, settings.fetch)
      return readAnswer(name, raw, sending.headers['x-request-id'])
    } catch (error) {
      if (!(error instanceof RingfenceError) || attempt > settings.retries || !mayHelpToRepeat(error)) throw error
      const pauseMs = pauseBeforeRepeating(error, attempt, world.random())
      if (world.now() + pauseMs >= endsAt) throw error
      await world.sleep(pauseMs, sending.signal).catch(() => {
        throw aborted(sending)
      })
    }
  }
}

/** The request, the same for every attempt: the service's logs then show one id. */
function sendingOf<Name extends keyof Calls>(
  name: Name,
  request: Calls[Name]['request'],
  { requestId = randomUUID(), correlator, deadlineMs, signal }: CallOptions,
  settings: Settings,
): Sending {
  const { address, path, fields } = endpoints[name]
  refuseUnknown(request, fields, name)
  const headers = {
    accept: 'application/json',
    'content-type': 'application/json',
    'user-agent': `ringfence-node/${version}`,
    clientId: settings.clientId,
    clientSecret: settings.clientSecret,
    'x-request-id': requestId,
    ...(correlator !== undefined && { 'x-correlator': correlator }),
    ...(deadlineMs !== undefined && { 'x-ringfence-deadline-ms': String(deadlineMs) }),
  }
  return { url: settings[address] + path, headers, body: serialised(request), signal }
}

function serialised(request: object): string {
  try {
    return JSON.stringify(request)
  } catch (cause) {
    throw new RingfenceError('invalid_argument', 'The request cannot be written as JSON', { cause })
  }
}

/**
 * Repeating is safe: a check reads, a token issued twice is one that nobody knows and that expires, a token revoked twice is
 * revoked. It helps where the next attempt may find another state of things.
 */
function mayHelpToRepeat({ code, status }: RingfenceError): boolean {
  if (code === 'server') return status === 502 || status === 504
  return code === 'rate_limited' || code === 'overloaded' || code === 'connection' || code === 'timeout'
}

/** Never before the service asks for, and spread, so that clients which failed together do not come back together. */
function pauseBeforeRepeating({ retryAfterSeconds = 0 }: RingfenceError, attempt: number, random: number): number {
  const backOffMs = Math.min(firstPauseMs * 2 ** (attempt - 1), longestPauseMs)
  return retryAfterSeconds * 1_000 + backOffMs * (0.5 + random / 2)
}
