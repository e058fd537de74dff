// Which address does a person come from, when proxies of ours stand in between? What trusted proxies say counts, nothing else.

import type { IncomingHttpHeaders } from 'node:http'
import type { Settings } from '../config/settings.ts'
import { parseAddress } from './address.ts'
import { trustedBlocks } from './trusted-proxies.ts'

/** Who sent a request: the other end of the connection, and the headers. */
export interface Sender {
  /** `socket.remoteAddress`; undefined once the connection is gone. */
  readonly peer: string | undefined
  readonly headers: IncomingHttpHeaders
}

/** The address of the person, in its one spelling; undefined when the connection is gone. */
export type ClientAddress = (sender: Sender) => string | undefined

/**
 * Reads the proxies' header from its end, where the nearest proxy wrote, for as long as the writer is trusted: the first address
 * that is no trusted proxy is the person's. What stands before it was written by the person and is not looked at. An entry that
 * names no address (`unknown`, `_hidden`, anything malformed) ends the walk as an untrusted one would; the answer then is the last
 * proxy that was reached. Headers of a peer that is no trusted proxy are ignored.
 *
 * One header only is read: a proxy writes its own and may pass on, unseen, what a person put into the other one.
 * Throws a ConfigurationError that names the entry of TRUSTED_PROXIES that is no CIDR.
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

/** X-Forwarded-For from its end: addresses, perhaps with a port, as some balancers add it. */
function forwardedForEntries(header: string): (string | undefined)[] {
  return header.split(',').reverse().map(withoutPort)
}

/** `for` of each element of Forwarded (RFC 7239), from its end. */
function forwardedEntries(header: string): (string | undefined)[] {
  return elementsFromEnd(header).map((element) => withoutPort(forOf(element) ?? ''))
}

/** The value of the only `for` among the pairs of an element; a `for` within a quoted value, which a person may have sent, is none. */
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
 * Splits at commas outside of quotes, reading backwards: a quote that a person left open stands before all that proxies wrote
 * and so cannot swallow it.
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

/** `192.0.2.7:4711`, `[2001:db8::1]:4711`, `[2001:db8::1]`, or an address as it is. */
function withoutPort(entry: string): string | undefined {
  const text = entry.trim()
  const [, bracketed, dotted] = /^(?:\[([^\]]+)\]|([\d.]+))(?::\d{1,5})?$/.exec(text) ?? []
  return bracketed ?? dotted ?? (text.includes(':') ? text : undefined)
}
