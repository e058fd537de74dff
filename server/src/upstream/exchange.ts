// How does one HTTP exchange with an upstream go, within its limits of time and size? Whatever goes wrong gets its word.

import { Pool } from 'undici'
import { CheckFailed, type FailureReason } from '../telecom/connectors/connector.ts'

const maxResponseBytes = 64 * 1024

export interface HttpRequest {
  /** What messages and metrics call it: `sim-swap/check`. */
  call: string
  method: 'GET' | 'POST'
  /** Below the base URL, with its leading slash. */
  path: string
  headers: Record<string, string>
  body?: string
}

export interface HttpResponse {
  status: number
  headers: Readonly<Record<string, string | string[] | undefined>>
  text: string
}

export interface ExchangeOptions {
  baseUrl: URL
  connections: number
  connectTimeoutMs: number
  tls?: TlsMaterial
}

/** PEM texts. */
export interface TlsMaterial {
  /** The authorities that are trusted instead of the well-known ones. */
  ca?: string
  /** Shown to an upstream that asks for a client certificate. */
  cert?: string
  key?: string
}

/** The exchange itself failed: that speaks against the upstream, whatever it was asked. */
export class UpstreamFault extends CheckFailed {
  /** A second try may go well: nothing was answered, or that the upstream is unavailable for the moment. */
  readonly retryable: boolean
  constructor(reason: FailureReason, message: string, { retryable = false } = {}) {
    super(reason, message)
    this.retryable = retryable
  }
}

export interface Exchanges {
  /** One attempt; redirects are not followed. Throws an UpstreamFault, or the signal's reason once that is aborted. */
  exchange(request: HttpRequest, signal: AbortSignal): Promise<HttpResponse>
  /** Breaks off what is under way and closes the connections. */
  close(): Promise<void>
}

/** Exchanges with one upstream, over connections of its own that are kept alive. */
export function exchangesWith({ baseUrl, connections, connectTimeoutMs, tls }: ExchangeOptions): Exchanges {
  const pool = new Pool(baseUrl.origin, {
    connections,
    maxResponseSize: maxResponseBytes,
    connectTimeout: connectTimeoutMs,
    // Every attempt ends by its signal; undici's timers would only be a second, coarser set.
    headersTimeout: 0,
    bodyTimeout: 0,
    ...(tls && { connect: { ...tls } }),
    // Every operator's gateway speaks HTTP/1.1, and the number of connections then limits the calls at once.
    allowH2: false,
  })
  const prefix = baseUrl.pathname.replace(/\/+$/, '')

  return {
    async exchange({ call, method, path, headers, body = null }, signal) {
      let answered = false
      try {
        const response = await pool.request({ method, path: prefix + path, headers, body, signal })
        answered = true
        return { status: response.statusCode, headers: response.headers, text: await response.body.text() }
      } catch (error) {
        if (signal.aborted) throw signal.reason
        throw faultOf(call, error as NodeJS.ErrnoException, answered)
      }
    },
    close: () => pool.destroy(),
  }
}

const brokenConnection = new Set(['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'UND_ERR_SOCKET'])
const unusableAnswer = /^(HPE_|UND_ERR_(RES_EXCEEDED_MAX_SIZE|HEADERS_OVERFLOW|RES_CONTENT_LENGTH_MISMATCH)$)/

/** The error itself is not kept as a cause: undici's carry pieces of what was sent and received. */
function faultOf(call: string, { code = '', message }: NodeJS.ErrnoException, answered: boolean): UpstreamFault {
  const explained = `${call}: ${message || 'failed'}${code && ` (${code})`}`
  if (code === 'UND_ERR_CONNECT_TIMEOUT') return new UpstreamFault('timeout', `${call}: no connection in time`)
  if (unusableAnswer.test(code)) return new UpstreamFault('format', explained)
  return new UpstreamFault('unreachable', explained, { retryable: !answered && brokenConnection.has(code) })
}
