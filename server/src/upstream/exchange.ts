// How does one HTTP exchange with an upstream work, within limits of time and size? Each failure becomes an UpstreamFault.

import type { Dispatcher } from 'undici'
import { Collected, type HttpResponse, type Waiting } from './collected.ts'
import { connectionsTo, type Way } from './connections.ts'
import { DeadlinePassed, UpstreamFault } from './upstream-error.ts'

export interface HttpRequest {
  /** The name of the call in messages and metrics: `sim-swap/check`. */
  call: string
  method: 'GET' | 'POST' | 'DELETE'
  /** Below the base URL, with a leading slash. */
  path: string
  headers: Record<string, string>
  body?: string
}

export interface ExchangeOptions extends Omit<Way, 'origin'> {
  readonly baseUrl: URL
}

export interface Exchanges {
  /** One attempt; does not follow redirects. Throws an UpstreamFault, or DeadlinePassed. */
  exchange(request: HttpRequest, waiting: Waiting): Promise<HttpResponse>
  /** Aborts exchanges in flight and closes the connections that no other client uses. */
  close(): Promise<void>
}

/** Prepares exchanges with one upstream over connections that are kept alive. Callers limit how many are in flight. */
export function exchangesWith({ baseUrl, connectTimeoutMs, tls, egress }: ExchangeOptions): Exchanges {
  const { origin, pathname } = baseUrl
  const connections = connectionsTo({ origin, connectTimeoutMs, tls, egress })
  const prefix = pathname.replace(/\/+$/, '')
  const inFlight = new Set<Collected>()

  async function send(pool: Dispatcher, request: HttpRequest, waiting: Waiting): Promise<HttpResponse> {
    const { call, method, path, body = null } = request
    const headers = { ...request.headers, ...waiting.trace }
    if (waiting.deadline.aborted) throw new DeadlinePassed(call)
    const collected = new Collected(call, waiting, inFlight, faultOf)
    pool.dispatch({ origin, method, path: prefix + path, headers, body }, collected)
    return collected.response
  }

  return {
    exchange(request, waiting) {
      const { pool, opening } = connections
      return pool ? send(pool, request, waiting) : opening.then((opened) => send(opened, request, waiting))
    },
    async close() {
      for (const each of inFlight) each.end()
      await connections.leave()
    },
  }
}

// The second one is of a proxy that does not answer CONNECT: only there do headers have undici's time limit.
const noConnectionInTime = new Set(['UND_ERR_CONNECT_TIMEOUT', 'UND_ERR_HEADERS_TIMEOUT'])
const brokenConnection = new Set(['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'UND_ERR_SOCKET'])
const unusableResponse = /^(HPE_|UND_ERR_(RES_EXCEEDED_MAX_SIZE|HEADERS_OVERFLOW|RES_CONTENT_LENGTH_MISMATCH)$)/

/** Drops the error as a cause: undici's errors carry parts of the request and of the response. */
function faultOf(
  call: string,
  { name, code = '', message }: NodeJS.ErrnoException,
  hasResponse: boolean,
): UpstreamFault {
  const explained = `${call}: ${message || 'failed'}${code && ` (${code})`}`
  if (noConnectionInTime.has(code)) return new UpstreamFault('timeout', `${call}: no connection in time`)
  // Not all of the parser's errors have a code.
  if (name === 'HTTPParserError' || unusableResponse.test(code)) return new UpstreamFault('format', explained)
  return new UpstreamFault('unreachable', explained, { retryable: !hasResponse && brokenConnection.has(code) })
}
