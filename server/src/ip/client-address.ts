// Which IP address does a client have when our proxies are in between? Only headers of trusted proxies count.

import type { IncomingHttpHeaders } from 'node:http'
import type { Settings } from '../config/settings.ts'
import { parseAddress } from './address.ts'
import { trustedBlocks } from './trusted-proxies.ts'

/** The sender of a request: the other end of the connection, and the headers. */
export interface Sender {
  /** `socket.remoteAddress`; undefined after the connection was closed. */
  readonly peer: string | undefined
  readonly headers: IncomingHttpHeaders
}

/** The IP address of the client in canonical form; undefined after the connection was closed. */
export type ClientAddress = (sender: Sender) => string | undefined

/**
 * Reads the header of the proxies from its end, where the nearest proxy wrote. The first IP address that is not a trusted proxy is
 * the client's. Everything before it may come from the client and is ignored. An entry without an IP address (`unknown`,
 * `_hidden`, malformed) stops the search, and the result is the last trusted proxy. Headers of an untrusted peer are ignored.
 *
 * Reads one header only: a proxy writes its own and may forward the other one from the client unchanged.
 *
 * @throws ConfigurationError that names an invalid entry of TRUSTED_PROXIES
 */
export function clientAddressBehind(settings: Pick<Settings, 'trustedProxies' | 'forwardedHeader'>): ClientAddress {
  const { forwardedHeader } = settings
  const trusted = trustedBlocks(settings)
  const entriesOf = forwardedHeader === 'forwarded' ? forwardedEntries : forwardedForEntries
  return ({ peer, headers }) => {
    let reached = peer === undefined ? undefined : parseAddress(peer)
    if (!reached || !trusted.contains(reached)) return reached?.text
    const header = headers[forwardedHeader]
    if (typeof header !== 'string') return reached.text
    for (const entry of entriesOf(header)) {
      const next = entry === undefined ? undefined : parseAddress(entry)
      if (!next) return reached.text
      reached = next
      if (!trusted.contains(reached)) return reached.text
    }
    return reached.text
  }
}

/** X-Forwarded-For from its end: IP addresses, with a port from some load balancers. */
function forwardedForEntries(header: string): (string | undefined)[] {
  return header.split(',').reverse().map(withoutPort)
}

/** `for` of each element of Forwarded (RFC 7239), from its end. */
function forwardedEntries(header: string): (string | undefined)[] {
  return elementsFromEnd(header).map((element) => withoutPort(forOf(element) ?? ''))
}

/** The value of the only `for` of an element. A `for` within a quoted value does not count: the client may have sent it. */
function forOf(element: string): string | undefined {
  const pair = /\s*([^=;"\s]+)=(?:"((?:[^"\\]|\\.)*)"|([^";,\s]*))\s*(?:;|$)/y
  let found: string | undefined
  while (pair.lastIndex < element.length) {
    const [, name, quoted, token] = pair.exec(element) ?? []
    if (name === undefined) return undefined
    if (name.toLowerCase() !== 'for') continue
    if (found !== undefined) return undefined
    found = quoted ?? token
  }
  return found
}

/**
 * Splits at commas outside of quotes, from the end: a quote that the client left open is before everything that proxies wrote,
 * and so cannot hide it.
 */
function elementsFromEnd(header: string): string[] {
  const elements: string[] = []
  let end = header.length
  let isQuoted = false
  for (let i = header.length - 1; i >= 0; i--) {
    if (header[i] === '"' && !isEscaped(header, i)) isQuoted = !isQuoted
    if (header[i] !== ',' || isQuoted) continue
    elements.push(header.slice(i + 1, end).trim())
    end = i
  }
  return [...elements, header.slice(0, end).trim()]
}

function isEscaped(text: string, at: number): boolean {
  let backslashes = 0
  while (text[at - 1 - backslashes] === '\\') backslashes++
  return backslashes % 2 === 1
}

/** Accepts `192.0.2.7:4711`, `[2001:db8::1]:4711`, `[2001:db8::1]`, and an IP address without a port. */
function withoutPort(entry: string): string | undefined {
  const text = entry.trim()
  const [, bracketed, dotted] = /^(?:\[([^\]]+)\]|([\d.]+))(?::\d{1,5})?$/.exec(text) ?? []
  return bracketed ?? dotted ?? (text.includes(':') ? text : undefined)
}
