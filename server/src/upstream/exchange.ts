// How does one HTTP exchange with an upstream work, within limits of time and size? Each failure becomes an UpstreamFault.

import { collected, type HttpResponse } from './collected.ts'
import { UpstreamFault } from './upstream-error.ts'

const maxResponseBytes = 64 * 1024

export interface HttpRequest {
  /** The name of the call in messages and metrics: `sim-swap/check`. */
  call: string
  method: 'GET' | 'POST' | 'DELETE'
  /** Below the base URL, with a leading slash. */
  path: string
  headers: Record<string, string>
  body?: string
}

export interface ExchangeOptions {
  baseUrl: URL
  connections: number
  connectTimeoutMs: number
  tls?: TlsMaterial
  egress?: EgressProxy
}

/** An HTTP proxy that all connections go through, by CONNECT (RFC 9110 section 9.3.6). */
export interface EgressProxy {
  url: URL
  /** The value of proxy-authorization. */
  authorization?: string
}

/** PEM texts. */
export interface TlsMaterial {
  /** Trusted authorities, in place of the well-known ones. */
  ca?: string
  /** Our client certificate (mutual TLS). */
  cert?: string
  key?: string
}

export interface Exchanges {
  /** One attempt; does not follow redirects. Throws an UpstreamFault, or the signal's reason after an abort. */
  exchange(request: HttpRequest, signal: AbortSignal, onSending?: () => void): Promise<HttpResponse>
  /** Aborts exchanges in flight and closes the connections. */
  close(): Promise<void>
}

/** Opens a pool of keep-alive connections to one upstream. */
export function exchangesWith({ baseUrl, connections, connectTimeoutMs, tls, egress }: ExchangeOptions): Exchanges {
  const options = {
    connections,
    maxResponseSize: maxResponseBytes,
    connectTimeout: connectTimeoutMs,
    // Every attempt ends by its signal; undici's timers would only be a second, coarser set.
    headersTimeout: 0,
    bodyTimeout: 0,
    // Every operator's gateway speaks HTTP/1.1, where the number of connections limits the concurrent calls.
    allowH2: false,
  }
  // A service without upstreams never loads it. Bundled, a CommonJS package has only a default export.
  const opening = import('undici').then(({ default: undici }) =>
    egress
      ? new undici.ProxyAgent({
          ...options,
          uri: egress.url.href,
          proxyTunnel: true,
          ...(egress.authorization !== undefined && { token: egress.authorization }),
          ...(tls && { requestTls: { ...tls } }),
        })
      : new undici.Pool(baseUrl.origin, { ...options, ...(tls && { connect: { ...tls } }) }),
  )
  const prefix = baseUrl.pathname.replace(/\/+$/, '')

  return {
    async exchange({ call, method, path, headers, body = null }, signal, onSending) {
      const pool = await opening
      signal.throwIfAborted()
      return collected(
        (handler) => pool.dispatch({ origin: baseUrl.origin, method, path: prefix + path, headers, body }, handler),
        signal,
        (error, hasResponse) => faultOf(call, error, hasResponse),
        onSending,
      )
    },
    close: async () => (await opening).destroy(),
  }
}

const brokenConnection = new Set(['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'UND_ERR_SOCKET'])
const unusableResponse = /^(HPE_|UND_ERR_(RES_EXCEEDED_MAX_SIZE|HEADERS_OVERFLOW|RES_CONTENT_LENGTH_MISMATCH)$)/

/** Drops the error as a cause: undici's errors carry parts of the request and of the response. */
function faultOf(
  call: string,
  { name, code = '', message }: NodeJS.ErrnoException,
  hasResponse: boolean,
): UpstreamFault {
  const explained = `${call}: ${message || 'failed'}${code && ` (${code})`}`
  if (code === 'UND_ERR_CONNECT_TIMEOUT') return new UpstreamFault('timeout', `${call}: no connection in time`)
  // Not all of the parser's errors have a code.
  if (name === 'HTTPParserError' || unusableResponse.test(code)) return new UpstreamFault('format', explained)
  return new UpstreamFault('unreachable', explained, { retryable: !hasResponse && brokenConnection.has(code) })
}
