// How is an authorization server of people called? With fetch over a separate connection pool, with limits of time and size.

import type { LookupFunction } from 'node:net'
import type { CustomFetchOptions } from 'openid-client'
import type { Limits } from '../upstream/guard.ts'

/** Discovery documents and key sets are a few kilobytes. */
const maxResponseBytes = 256 * 1024

/** openid-client calls this instead of the global fetch. */
export type Fetch = (url: string, options: Partial<CustomFetchOptions>) => Promise<Response>

export interface ProviderHttp {
  /** A fetch that ends at the deadline at the latest. Does not follow redirects. */
  until(deadline: AbortSignal): Fetch
  close(): Promise<void>
}

export function providerHttp({
  timeoutMs,
  connectTimeoutMs,
  tls,
  lookup,
}: Pick<Limits, 'timeoutMs' | 'connectTimeoutMs'> & {
  readonly tls?: Limits['tls']
  /** Where a name may lead; default: anywhere. */
  readonly lookup?: LookupFunction
}): ProviderHttp {
  // A service without identity providers never loads it.
  const opening = import('undici').then(({ default: undici }) => ({
    fetch: undici.fetch,
    agent: new undici.Agent({
      connect: { timeout: connectTimeoutMs, ...tls, ...(lookup && { lookup }) },
      maxResponseSize: maxResponseBytes,
      // The signal ends every exchange.
      headersTimeout: 0,
      bodyTimeout: 0,
    }),
  }))
  return {
    until: (deadline) => async (url, options) => {
      const { fetch, agent } = await opening
      const signal = AbortSignal.any([deadline, AbortSignal.timeout(timeoutMs)])
      // The same class as Node's Response, but declared separately.
      const request = { ...options, redirect: 'manual', signal, dispatcher: agent } as import('undici').RequestInit
      return fetch(url, request) as unknown as Promise<Response>
    },
    close: async () => (await opening).agent.destroy(),
  }
}
