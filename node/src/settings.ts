// Which options does the client have? Checks them, with errors that say what to do.

import { RingfenceError } from './error.ts'

/** The part of the Fetch API that the client uses. `globalThis.fetch` and undici's `fetch` both match. */
export type Fetch = (
  url: string,
  init: {
    method: 'GET' | 'POST'
    headers: Record<string, string>
    body?: string | ArrayBuffer
    redirect: 'manual'
    signal: AbortSignal
  },
) => Promise<{
  status: number
  headers: { get(name: string): string | null }
  /** For results of batches; without it, they are read as a whole. */
  body?: AsyncIterable<Uint8Array> | null
  text(): Promise<string>
}>

export interface RingfenceOptions {
  /** URL of the service, for example `https://ringfence.example.com`. It may have a path, which comes before `/v1`. */
  readonly baseUrl: string
  /** URL of token verification. Default: `baseUrl`. */
  readonly authUrl?: string | undefined
  readonly clientId: string
  /** Keep it on your server: never put it into code that a browser or an app receives. */
  readonly clientSecret: string
  /** Limit of a whole call with its retries, in milliseconds. Default: 15,000. */
  readonly timeoutMs?: number | undefined
  /** Limit of one attempt, in milliseconds. Default: 6,000, because the service responds within 5,000. */
  readonly attemptTimeoutMs?: number | undefined
  /** Maximum number of retries, 0 to 10. Default: 2. */
  readonly retries?: number | undefined
  /** Used instead of `globalThis.fetch`: for a proxy, your own certificate authority, or tests. */
  readonly fetch?: Fetch | undefined
}

/** Options of one call. */
export interface CallOptions {
  /** Aborts the call, which then throws `aborted`. */
  readonly signal?: AbortSignal | undefined
  /**
   * The service responds within this many milliseconds (100 to 30,000), with or without the operator's answer. For `decide` the same as
   * `deadlineMs` of the request.
   */
  readonly deadlineMs?: number | undefined
  /** Id of the request in the service's log. Default: a random UUID. Retries have the same id. */
  readonly requestId?: string | undefined
  /** CAMARA's `x-correlator`, which the service sends to the operator. */
  readonly correlator?: string | undefined
  /** For `decide`: a call that is repeated with the same key gets the same decision. Default: a random UUID for each call, with its retries. */
  readonly idempotencyKey?: string | undefined
  /** Limit of this call with its retries, in milliseconds. Default: `timeoutMs` of the client. */
  readonly timeoutMs?: number | undefined
}

/** Checked options. URLs have no trailing slash. */
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
const callOptionNames = 'signal deadlineMs requestId correlator idempotencyKey timeoutMs'.split(' ')
/** The longest time that setTimeout can wait. It fires a longer one at once. */
const longestTimeoutMs = 2 ** 31 - 1

/** @throws RingfenceError `invalid_argument`; the message names the option */
export function checkedSettings(options: RingfenceOptions): Settings {
  refuseUnknown(options, optionNames, 'new Ringfence')
  const { baseUrl, authUrl = baseUrl, clientId, clientSecret, fetch } = options
  const { timeoutMs = 15_000, attemptTimeoutMs = 6_000, retries = 2 } = options
  if (fetch !== undefined && typeof fetch !== 'function') throw invalid('fetch must be a function')
  return {
    baseUrl: checkedUrl('baseUrl', baseUrl),
    authUrl: checkedUrl('authUrl', authUrl),
    clientId: checkedCredential('clientId', clientId),
    clientSecret: checkedCredential('clientSecret', clientSecret),
    timeoutMs: checkedWhole('timeoutMs', timeoutMs, 1, longestTimeoutMs),
    attemptTimeoutMs: checkedWhole('attemptTimeoutMs', attemptTimeoutMs, 1, longestTimeoutMs),
    retries: checkedWhole('retries', retries, 0, 10),
    // Read at each call, because tracing and test tools replace the global fetch.
    fetch: fetch ?? ((url, init) => globalThis.fetch(url, init)),
  }
}

/** Adds the options of one call. Does not repeat checks that the service makes. */
export function settingsOfCall(settings: Settings, options: CallOptions): Settings {
  refuseUnknown(options, callOptionNames, 'the options of a call')
  const timeoutMs = checkedWhole('timeoutMs', options.timeoutMs ?? settings.timeoutMs, 1, longestTimeoutMs)
  const deadlineMs = checkedWhole('deadlineMs', options.deadlineMs ?? 0, 0, longestTimeoutMs)
  if (deadlineMs >= timeoutMs) {
    throw invalid(
      `deadlineMs (${deadlineMs}) must be less than timeoutMs (${timeoutMs}): otherwise the call times out before the service responds`,
    )
  }
  // The service replaces a malformed id, so nobody would find the id in its log.
  checkPattern('requestId', options.requestId, /^[A-Za-z0-9._:-]{1,128}$/, '1 to 128 letters, digits or . _ : -')
  checkPattern(
    'correlator',
    options.correlator,
    /^[a-zA-Z0-9\-_:;./<>{}]{1,256}$/,
    '1 to 256 letters, digits or - _ : ; . / < > { }',
  )
  checkPattern(
    'idempotencyKey',
    options.idempotencyKey,
    /^[A-Za-z0-9._:-]{1,255}$/,
    '1 to 255 letters, digits or . _ : -',
  )
  if (options.signal !== undefined && typeof options.signal?.aborted !== 'boolean') {
    throw invalid('signal must be an AbortSignal')
  }
  // An attempt may take as long as the service may, plus a second for the network.
  return { ...settings, timeoutMs, attemptTimeoutMs: Math.max(settings.attemptTimeoutMs, deadlineMs + 1_000) }
}

/** Refuses misspelt names (`timeout`, `maxage`), which the service would silently ignore. */
export function refuseUnknown(given: unknown, names: readonly string[], where: string): asserts given is object {
  if (typeof given !== 'object' || given === null) throw invalid(`${where} must be an object with ${names.join(', ')}`)
  const unknown = Object.keys(given).find((name) => !names.includes(name))
  if (unknown !== undefined) throw invalid(`${where}: ${unknown} is unknown; use ${names.join(', ')}`)
}

function checkedUrl(name: string, value: unknown): string {
  if (typeof value === 'string' && value !== '' && !value.includes('://') && !value.startsWith('/'))
    throw invalid(`${name} must begin with http:// or https://, such as http://127.0.0.1:8080`)
  const url = typeof value === 'string' && URL.canParse(value) ? new URL(value) : undefined
  if (!url || !/^https?:$/.test(url.protocol) || url.username || url.password || url.search || url.hash) {
    throw invalid(`${name} must be a URL such as https://ringfence.example.com, without user, query or fragment`)
  }
  return url.href.replace(/\/+$/, '')
}

function checkedCredential(name: string, value: unknown): string {
  if (value === undefined || value === '')
    throw invalid(`${name} is missing: set it to the value that ringfence init or ringfence clients create printed`)
  // fetch would throw an error that contains the header, and so the secret.
  if (typeof value !== 'string' || !/^[\x21-\x7e]+$/.test(value)) {
    throw invalid(`${name} must be a string of visible ASCII characters; remove spaces and line breaks`)
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

export const invalid = (message: string) => new RingfenceError('invalid_argument', message)
