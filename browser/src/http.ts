// How does the SDK call the service? One request, one response; every failure is a RingfenceError.

import { RingfenceError } from './error.ts'

export interface Answer<Body> {
  readonly body: Body
  readonly requestId: string | undefined
}

export type Send = <Body>(
  path: string,
  headers: Readonly<Record<string, string>>,
  body?: object,
  options?: SendOptions,
) => Promise<Answer<Body>>

export interface SendOptions {
  /** The request goes on when the person leaves the page. */
  readonly outlivesPage?: boolean
}

/** Browsers refuse more than 64 KiB in requests that outlive their page. */
const largestOutliving = 60 * 1024

/**
 * Sends requests to the service at `baseUrl`: POST with a body, else GET. A request without a
 * response after `limitMs` fails.
 */
export function http(baseUrl: string, limitMs: number): Send {
  return async <Body>(
    path: string,
    headers: Readonly<Record<string, string>>,
    body?: object,
    { outlivesPage = false }: SendOptions = {},
  ) => {
    const text = body && new TextEncoder().encode(JSON.stringify(body))
    const stop = new AbortController()
    const timer = setTimeout(() => stop.abort(), limitMs)
    try {
      const response = await fetch(baseUrl + path, {
        ...(text && { method: 'POST', body: text, keepalive: outlivesPage && text.length <= largestOutliving }),
        headers: text ? { ...headers, 'content-type': 'application/json' } : headers,
        credentials: 'include', // the service sets a cookie for the device
        cache: 'no-store',
        signal: stop.signal,
      })
      const requestId = response.headers.get('x-request-id') ?? undefined
      const parsed = (await response.json()) as unknown
      if (!response.ok) throw refusal(response, parsed, requestId)
      return { body: parsed as Body, requestId }
    } catch (cause) {
      if (cause instanceof RingfenceError) throw cause
      throw new RingfenceError('network', 'The service could not be reached', { cause })
    } finally {
      clearTimeout(timer)
    }
  }
}

/** Error bodies have `errorMessage`, or `message` with `errorCode` and `description`. */
function refusal({ status, headers }: Response, body: unknown, requestId: string | undefined): RingfenceError {
  const fields = (body ?? {}) as Record<string, unknown>
  const text = (name: string) => (typeof fields[name] === 'string' && fields[name] !== '' ? fields[name] : undefined)
  const message = text('errorMessage') ?? text('description') ?? text('message') ?? `HTTP status ${status}`
  const seconds = Number(headers.get('retry-after') ?? Number.NaN)
  return new RingfenceError('refused', message, {
    status,
    requestId: text('requestId') ?? requestId,
    errorCode: text('errorCode'),
    retryAfterSeconds: Number.isFinite(seconds) ? seconds : undefined,
  })
}
