// How is the client set up? Options are checked once, here, with errors that say what to do.

import { RingfenceError } from './error.ts'

/** The part of the Fetch API that the client uses; `globalThis.fetch` and undici's own both fit. */
export type Fetch = (
  url: string,
  init: { method: 'POST'; headers: Record<string, string>; body: string; redirect: 'manual'; signal: AbortSignal },
) => Promise<{ status: number; headers: { get(name: string): string | null }; text(): Promise<string> }>

export interface RingfenceOptions {
  /** Address of the service, `https://ringfence.example.com` for example; a path before `/v1` is kept. */
  readonly baseUrl: string
  /** Address of token verification; `baseUrl` unless it is served elsewhere. */
  readonly authUrl?: string | undefined
  readonly clientId: string
  /** Never in code that a browser or an app receives. */
  readonly clientSecret: string
  /** Longest duration of a whole call, with its repetitions, in milliseconds; 15,000 unless given. */
  readonly timeoutMs?: number | undefined
  /** Longest duration of one attempt in milliseconds; 6,000 unless given: the service answers within 5,000. */
  readonly attemptTimeoutMs?: number | undefined
  /** How often a call is repeated at most, where repeating is safe and may help; 2 unless given. */
  readonly retries?: number | undefined
  /** Used instead of `globalThis.fetch`: for a proxy, an own certificate authority, or tests. */
  readonly fetch?: Fetch | undefined
}

/** Options of one call; those of the client hold where one is not given. */
export interface CallOptions {
  /** Gives the call up; it then fails with the code `aborted`. */
  readonly signal?: AbortSignal | undefined
  /** The service answers within so many milliseconds (100 to 30,000), with or without the operator's answer. */
  readonly deadlineMs?: number | undefined
  /** Id of the request in the service's logs; a random one unless given. Repetitions keep it. */
  readonly requestId?: string | undefined
  /** CAMARA's `x-correlator`, passed on to the operator. */
  readonly correlator?: string | undefined
  readonly timeoutMs?: number | undefined
}

/** Options that were checked. Addresses end without a slash. */
export interface Settings {
  readonly baseUrl: string
  readonly authUrl: string
  readonly clientId: string
  readonly clientSecret: string
  readonly timeoutMs: number
  readonly attemptTimeoutMs: number
  readonly retries: number
  readonly fetch: Fetch
}

const optionNames = 'baseUrl authUrl clientId clientSecret timeoutMs attemptTimeoutMs retries fetch'.split(' ')
const callOptionNames = 'signal deadlineMs requestId correlator timeoutMs'.split(' ')
/** The longest time that setTimeout can wait; it would fire a longer one at once. */
const longestTimeoutMs = 2 ** 31 - 1

/** @throws RingfenceError invalid_argument, naming the option */
export function checkedSettings(options: RingfenceOptions): Settings {
  refuseUnknown(options, optionNames, 'new Ringfence')
  const { baseUrl, authUrl = baseUrl, clientId, clientSecret, fetch } = options
  const { timeoutMs = 15_000, attemptTimeoutMs = 6_000, retries = 2 } = options
  if (fetch !== undefined && typeof fetch !== 'function') throw invalid('fetch must be a function')
  return {
    baseUrl: checkedAddress('baseUrl', baseUrl),
    authUrl: checkedAddress('authUrl', authUrl),
    clientId: checkedCredential('clientId', clientId),
    clientSecret: checkedCredential('clientSecret', clientSecret),
    timeoutMs: checkedWhole('timeoutMs', timeoutMs, 1, longestTimeoutMs),
    attemptTimeoutMs: checkedWhole('attemptTimeoutMs', attemptTimeoutMs, 1, longestTimeoutMs),
    retries: checkedWhole('retries', retries, 0, 10),
    // Looked up at each call, so that tracing and test tools which replace the global one are seen.
    fetch: fetch ?? ((url, init) => globalThis.fetch(url, init)),
  }
}

/** The same settings with those of one call. What the service would refuse by itself is left to it. */
export function settingsOfCall(settings: Settings, options: CallOptions): Settings {
  refuseUnknown(options, callOptionNames, 'the options of a call')
  const timeoutMs = checkedWhole('timeoutMs', options.timeoutMs ?? settings.timeoutMs, 1, longestTimeoutMs)
  const deadlineMs = checkedWhole('deadlineMs', options.deadlineMs ?? 0, 0, longestTimeoutMs)
  if (deadlineMs >= timeoutMs) {
    throw invalid(
      `deadlineMs (${deadlineMs}) must be less than timeoutMs (${timeoutMs}), or no answer can come in time`,
    )
  }
  // The service drops an id that is not well-formed; it would then be looked for in vain.
  checkPattern('requestId', options.requestId, /^[A-Za-z0-9._:-]{1,128}$/, '1 to 128 letters, digits or . _ : -')
  checkPattern(
    'correlator',
    options.correlator,
    /^[a-zA-Z0-9\-_:;./<>{}]{1,256}$/,
    '1 to 256 letters, digits or - _ : ; . / < > { }',
  )
  if (options.signal !== undefined && typeof options.signal?.aborted !== 'boolean') {
    throw invalid('signal must be an AbortSignal')
  }
  // An attempt lasts as long as the service was allowed to take, and a second for the way.
  return { ...settings, timeoutMs, attemptTimeoutMs: Math.max(settings.attemptTimeoutMs, deadlineMs + 1_000) }
}

/** A misspelt name (`timeout`, `maxage`) would else be ignored without a word. */
export function refuseUnknown(given: unknown, names: readonly string[], where: string): asserts given is object {
  if (typeof given !== 'object' || given === null) throw invalid(`${where} takes an object of ${names.join(', ')}`)
  const unknown = Object.keys(given).find((name) => !names.includes(name))
  if (unknown !== undefined) throw invalid(`${where}: unknown ${unknown}; known are ${names.join(', ')}`)
}

function checkedAddress(name: string, address: unknown): string {
  const url = typeof address === 'string' && URL.canParse(address) ? new URL(address) : undefined
  if (!url || !/^https?:$/.test(url.protocol) || url.username || url.password || url.search || url.hash) {
    throw invalid(`${name} must be an address such as https://ringfence.example.com, without user, query or fragment`)
  }
  return url.href.replace(/\/+$/, '')
}

function checkedCredential(name: string, value: unknown): string {
  if (value === undefined || value === '') throw invalid(`${name} is missing`)
  // fetch would refuse such a header with an error that repeats it, and so put a secret into logs.
  if (typeof value !== 'string' || !/^[\x21-\x7e]+$/.test(value)) {
    throw invalid(`${name} must be a string of visible ASCII characters; is there a space or a line break at its end?`)
  }
  return value
}

function checkedWhole(name: string, value: unknown, minimum: number, maximum: number): number {
  if (Number.isInteger(value) && Number(value) >= minimum && Number(value) <= maximum) return Number(value)
  throw invalid(`${name} must be a whole number from ${minimum} to ${maximum}`)
}

function checkPattern(name: string, value: unknown, pattern: RegExp, words: string): void {
  if (value === undefined || (typeof value === 'string' && pattern.test(value))) return
  throw invalid(`${name} must be ${words}`)
}

const invalid = (message: string) => new RingfenceError('invalid_argument', message)
