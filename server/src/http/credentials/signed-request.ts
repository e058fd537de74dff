// What did a client sign? The request under its public URL: a signature for another service must not count here.

import type { IncomingHttpHeaders } from 'node:http'
import type { SignedRequest } from '../../core/call.ts'
import type { HttpNeeds } from '../room.ts'

interface Sent {
  readonly method: string
  /** The target of the request. */
  readonly url: string
  readonly headers: IncomingHttpHeaders
}

/**
 * Undefined for a request without a signature (RFC 9421). The host is that of BASE_URL, or the one of PUBLIC_HOSTS that the request
 * names. Any other Host header is ignored: a site could send us what an agent signed for it.
 */
export function signedRequest(
  { method, url, headers }: Sent,
  { settings, addresses }: Pick<HttpNeeds, 'settings' | 'addresses'>,
): SignedRequest | undefined {
  if (headers['signature-input'] === undefined) return undefined
  const hosts = settings.publicHosts?.toLowerCase().split(/[\s,]+/) ?? []
  const host = headers.host?.toLowerCase()
  const origin = host !== undefined && hosts.includes(host) ? `https://${host}` : addresses.base()
  const texts = Object.entries(headers).filter((entry): entry is [string, string] => typeof entry[1] === 'string')
  return { method, targetUri: `${origin}${url.startsWith('/') ? url : '/'}`, headers: Object.fromEntries(texts) }
}
