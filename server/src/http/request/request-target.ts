// Which host and path does a request name? A proxy in front must read the same, or its rules for a path could be evaded.

import type { IncomingMessage } from 'node:http'

/** RFC 9112, 3.2: a host of RFC 3986 and a port. A comma is left out, since some proxies join repeated headers with it. */
const hostValue = /^(?:[\w.~!$&'()*+;=%-]*|\[[\da-f:.]+\])(?::\d{0,5})?$/i

const absoluteForm = /^https?:\/\/([^/?#]*)/i

/**
 * Whether the request names exactly one host: one well-formed Host header, and the same host in a target of absolute form
 * (RFC 9112, 3.2 and 3.2.2). HTTP/1.0 needs no Host header.
 */
export function namesOneHost({ headers, httpVersion, rawHeaders, url = '' }: IncomingMessage): boolean {
  const { host, 'transfer-encoding': coding } = headers
  // Another coding, or one in HTTP/1.0, is what a proxy may read in another way (RFC 9112, 6.1 and 6.3).
  if (coding !== undefined && (httpVersion === '1.0' || coding.toLowerCase() !== 'chunked')) return false
  if (host === undefined) return httpVersion === '1.0'
  if (!hostValue.test(host) || countOf('host', rawHeaders) > 1) return false
  const authority = url.startsWith('/') ? undefined : absoluteForm.exec(url)?.[1]
  return authority === undefined || authority.toLowerCase() === host.toLowerCase()
}

/** The path as it was sent. It is never decoded or shortened: `/%6detrics` and `//metrics` are not `/metrics`. */
export function pathOf(url: string): string {
  const path = url.startsWith('/') ? url : url.replace(absoluteForm, '')
  return path.split('?', 1)[0]!
}

/** `rawHeaders` has names and values in turn. */
function countOf(name: string, rawHeaders: readonly string[]): number {
  let count = 0
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const candidate = rawHeaders[at]!
    if (candidate.length === name.length && candidate.toLowerCase() === name) count++
  }
  return count
}
