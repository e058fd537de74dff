// Which IP address does a client have when our proxies are in between? Only headers of trusted proxies count.

import type { IncomingHttpHeaders } from 'node:http'
import { type Address, type ConnectionAddress, parseConnectionAddress, unwrapped } from '../core/address/address.ts'
import { nat64Prefixes } from '../core/address/nat64-prefixes.ts'
import type { Settings } from '../core/config/settings.ts'
import { trustedBlocks } from './trusted-proxies.ts'

/** The sender of a request: the other end of the connection, and the headers. */
export interface Sender {
  /** `socket.remoteAddress`; undefined after the connection was closed. */
  readonly peer: string | undefined
  readonly headers: IncomingHttpHeaders
}

/** The IP address of a client, twice, so that no other one can be meant. */
export interface ClientAddress {
  /** For limits, places, lists and logs. */
  readonly address: Address
  /** For what the client may do because of its IP address. */
  readonly connection: ConnectionAddress
}

/** Undefined after the connection was closed. */
export type ClientAddresses = (sender: Sender) => ClientAddress | undefined

/**
 * Reads the header of the proxies from its end, where the nearest proxy wrote. The first IP address that is not a trusted proxy is
 * the client's. Everything before it may come from the client and is ignored. Empty elements of the list mean nothing (RFC 9110, 5.6.1).
 * An entry without an IP address (`unknown`, `_hidden`, malformed) stops the search, and the result is the last trusted proxy. Headers
 * of an untrusted peer are ignored.
 *
 * Reads one header only: a proxy writes its own and may forward the other one from the client unchanged.
 *
 * @throws ConfigurationError that names an invalid entry of TRUSTED_PROXIES or NAT64_PREFIXES
 */
export function clientAddressBehind(
  settings: Pick<Settings, 'trustedProxies' | 'forwardedHeader' | 'nat64Prefixes'>,
): ClientAddresses {
  const { forwardedHeader } = settings
  const trusted = trustedBlocks(settings)
  const nat64 = nat64Prefixes(settings)
  const entriesOf = forwardedHeader === 'forwarded' ? forwardedEntries : forwardedForEntries

  function connectionOf({ peer, headers }: Sender): ConnectionAddress | undefined {
    let reached = peer === undefined ? undefined : parseConnectionAddress(peer)
    if (!reached || !trusted.contains(reached)) return reached
    const header = headers[forwardedHeader]
    if (typeof header !== 'string') return reached
    for (const entry of entriesOf(header)) {
      const next = entry === undefined ? undefined : parseConnectionAddress(entry)
      if (!next) return reached
      reached = next
      if (!trusted.contains(reached)) return reached
    }
    return reached
  }

  return (sender) => {
    const connection = connectionOf(sender)
    return connection && { connection, address: unwrapped(connection, nat64) }
  }
}

/** X-Forwarded-For from its end: IP addresses, with a port from some load balancers. */
function forwardedForEntries(header: string): (string | undefined)[] {
  return header.split(',').reverse().filter(isWritten).map(withoutPort)
}

const isWritten = (element: string) => element.trim() !== ''

/** `for` of each element of Forwarded (RFC 7239), from its end. */
function forwardedEntries(header: string): (string | undefined)[] {
  return elementsFromEnd(header)
    .filter(isWritten)
    .map((element) => withoutPort(forOf(element) ?? ''))
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
