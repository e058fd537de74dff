// Which connections does a client of an upstream use? Those of all clients of the same origin, with the same TLS settings and proxy.

import { isDeepStrictEqual } from 'node:util'
import type { Dispatcher } from 'undici'

const maxResponseBytes = 64 * 1024

/** Where connections go, and how. */
export interface Way {
  readonly origin: string
  readonly connectTimeoutMs: number
  readonly tls?: TlsMaterial | undefined
  readonly egress?: EgressProxy | undefined
}

/** An HTTP proxy that all connections go through, by CONNECT (RFC 9110 section 9.3.6). */
export interface EgressProxy {
  url: string
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

/** Connections that are kept alive. Each exchange in flight has its own, so clients limit their calls. */
export interface Connections {
  readonly opening: Promise<Dispatcher>
  /** Once it is open. */
  readonly pool: Dispatcher | undefined
  /** For each client once. The last one closes them. */
  leave(): Promise<void>
}

const pools = new Set<SharedPool>()

/** Joins the clients that use the same connections, or opens new ones. */
export function connectionsTo(way: Way): Connections {
  const pool = [...pools].find((each) => isDeepStrictEqual(each.way, way)) ?? new SharedPool(way)
  pool.clients++
  return pool
}

class SharedPool implements Connections {
  readonly way: Way
  readonly opening: Promise<Dispatcher>
  pool: Dispatcher | undefined
  clients = 0

  constructor(way: Way) {
    this.way = way
    this.opening = open(way).then((pool) => {
      this.pool = pool
      return pool
    })
    pools.add(this)
  }

  async leave(): Promise<void> {
    if (--this.clients > 0) return
    pools.delete(this)
    await (await this.opening).destroy()
  }
}

/** A service without upstreams never loads undici. Bundled, a CommonJS package has only a default export. */
async function open({ origin, connectTimeoutMs, tls, egress }: Way): Promise<Dispatcher> {
  const { default: undici } = await import('undici')
  const options = {
    maxResponseSize: maxResponseBytes,
    connectTimeout: connectTimeoutMs,
    // Every attempt ends by its timer; undici's would only be a second, coarser set.
    headersTimeout: 0,
    bodyTimeout: 0,
    // Every operator's gateway speaks HTTP/1.1, where the number of connections is that of the concurrent calls.
    allowH2: false,
  }
  if (!egress) return new undici.Pool(origin, { ...options, ...(tls && { connect: { ...tls } }) })
  return new undici.ProxyAgent({
    ...options,
    uri: egress.url,
    proxyTunnel: true,
    ...(egress.authorization !== undefined && { token: egress.authorization }),
    ...(tls && { requestTls: { ...tls } }),
    // Its response to CONNECT is a part of connecting.
    clientFactory: (proxy, pool) => new undici.Pool(proxy, { ...pool, headersTimeout: connectTimeoutMs }),
  })
}
