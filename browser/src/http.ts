// How does the SDK ask the service? One request, one answer, every failure a RingfenceError.

import { RingfenceError } from './error.ts'

export interface Answer<Body> {
  readonly body: Body
  readonly requestId: string | undefined
}

export type Ask = <Body>(
  path: string,
  headers: Readonly<Record<string, string>>,
  body?: object,
) => Promise<Answer<Body>>

/** Requests to the service at `baseUrl`; a body makes a POST. One that is not answered within `limitMs` has failed. */
export function http(baseUrl: string, limitMs: number): Ask {
  return async <Body>(path: string, headers: Readonly<Record<string, string>>, body?: object) => {
    const stop = new AbortController()
    const timer = setTimeout(() => stop.abort(), limitMs)
    try {
      const response = await fetch(baseUrl + path, {
        ...(body && { method: 'POST', body: JSON.stringify(body) }),
        headers: body ? { ...headers, 'content-type': 'application/json' } : headers,
        credentials: 'include', // the service keeps a cookie for the device
        cache: 'no-store',
        signal: stop.signal,
      })
      const requestId = response.headers.get('x-request-id') ?? undefined
      const told = (await response.json()) as unknown
      if (!response.ok) throw refusal(response, told, requestId)
      return { body: told as Body, requestId }
    } catch (cause) {
      if (cause instanceof RingfenceError) throw cause
      throw new RingfenceError('network', 'The service could not be reached', { cause })
    } finally {
      clearTimeout(timer)
    }
  }
}

/** The service words a refusal as `errorMessage`, or as `message` with `errorCode` and `description`. */
function refusal({ status, headers }: Response, told: unknown, requestId: string | undefined): RingfenceError {
  const fields = (told ?? {}) as Record<string, unknown>
  const text = (name: string) => (typeof fields[name] === 'string' && fields[name] !== '' ? fields[name] : undefined)
  const message = text('errorMessage') ?? text('description') ?? text('message') ?? `HTTP status ${status}`
  const wait = Number(headers.get('retry-after') ?? Number.NaN)
  return new RingfenceError('refused', message, {
    status,
    requestId: text('requestId') ?? requestId,
    errorCode: text('errorCode'),
    retryAfterSeconds: Number.isFinite(wait) ? wait : undefined,
  })
}
