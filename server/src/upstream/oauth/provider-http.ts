// How is an authorization server of people called? With fetch over a separate connection pool, with limits of time and size.

import type { LookupFunction } from 'node:net'
import type { CustomFetchOptions } from 'openid-client'
import type { Limits } from '../guard.ts'

/** Discovery documents and key sets are a few kilobytes. */
const maxResponseBytes = 256 * 1024

/** A few of its bytes would become gigabytes of ours, which `maxResponseBytes` does not see. */
class Compressed extends Error {
  readonly code = 'COMPRESSED'
}

/** openid-client calls this instead of the global fetch. */
export type Fetch = (url: string, options: Partial<CustomFetchOptions>) => Promise<Response>

export interface ProviderHttp {
  /** A fetch that ends at the deadline at the latest. Follows no redirect, and unpacks nothing. */
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
      const headers = { ...options.headers, 'accept-encoding': 'identity' }
      const request = { ...options, headers, redirect: 'manual', signal, dispatcher: agent }
      const response = await fetch(url, request as import('undici').RequestInit)
      if (/[^\s,]/.test((response.headers.get('content-encoding') ?? '').replaceAll(/identity/gi, ''))) {
        await response.body?.cancel()
        throw new Compressed('an answer is compressed, although identity was asked for')
      }
      // The same class as Node's Response, but declared separately.
      return response as unknown as Response
    },
    close: async () => (await opening).agent.destroy(),
  }
}
