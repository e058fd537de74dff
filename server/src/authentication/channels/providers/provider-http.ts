// How is an identity provider asked? By fetch over connections of our own, within limits of time and size.

import { Agent, fetch } from 'undici'
import type { Limits } from '../../../upstream/guard.ts'

/** Discovery documents and key sets have a few kilobytes. */
const maxResponseBytes = 256 * 1024

/** What openid-client calls instead of fetch. */
export type Fetch = (url: string, options: object) => Promise<Response>

export interface ProviderHttp {
  /** A fetch of which nothing outlives the deadline. Redirects are not followed. */
  until(deadline: AbortSignal): Fetch
  close(): Promise<void>
}

export function providerHttp({
  timeoutMs,
  connectTimeoutMs,
  tls,
}: Pick<Limits, 'timeoutMs' | 'connectTimeoutMs' | 'tls'>): ProviderHttp {
  const agent = new Agent({
    connect: { timeout: connectTimeoutMs, ...tls },
    maxResponseSize: maxResponseBytes,
    // Every exchange ends by its signal.
    headersTimeout: 0,
    bodyTimeout: 0,
  })
  return {
    until: (deadline) => (url, options) => {
      const signal = AbortSignal.any([deadline, AbortSignal.timeout(timeoutMs)])
      // undici's own Response is the one of Node by another declaration.
      return fetch(url, { ...options, redirect: 'manual', signal, dispatcher: agent }) as unknown as Promise<Response>
    },
    close: () => agent.destroy(),
  }
}
