// What did a publisher send? The text of a response that may be endless, and why a download failed.

import { createReadStream } from 'node:fs'
import { readPublishedUrl } from '../address/called-url.ts'

export interface PublishedOptions extends Pick<RequestInit, 'headers'> {
  fetch?: typeof globalThis.fetch | undefined
  timeoutMs: number
  /** How many redirects are followed. */
  mostRedirects?: number
}

export interface Published {
  readonly body: AsyncIterable<Uint8Array>
  /** Absent for a file, and when the publisher does not say. */
  readonly lastModifiedMs?: number
}

/** The publisher has nothing at the URL. */
export class NotPublished extends Error {}

/** What is at a URL of https or file. Rejects with the reason why it cannot be had. */
export async function published(
  text: string,
  { fetch = globalThis.fetch, ...options }: PublishedOptions,
): Promise<Published> {
  const url = readPublishedUrl('its URL', text)
  if (url.protocol === 'file:') return { body: createReadStream(url) }
  const { status, body, headers } = await responseOf(url, fetch, options)
  // Any other status has a part, or something else.
  if (status !== 200 || !body) throw new (status === 404 ? NotPublished : Error)(`HTTP ${status}`)
  const lastModifiedMs = Date.parse(headers.get('last-modified') ?? '')
  return { body, ...(!Number.isNaN(lastModifiedMs) && { lastModifiedMs }) }
}

const usualRedirects = 5

/** fetch itself would follow a redirect to a URL without TLS. */
async function responseOf(
  first: URL,
  fetch: typeof globalThis.fetch,
  { timeoutMs, mostRedirects = usualRedirects, headers }: PublishedOptions,
): Promise<Response> {
  const init = { redirect: 'manual', signal: AbortSignal.timeout(timeoutMs), ...(headers && { headers }) } as const
  let url = first
  for (let followed = 0; ; followed++) {
    const response = await fetch(url, init)
    const location = response.status >= 300 && response.status < 400 && response.headers.get('location')
    if (!location || followed === mostRedirects) return response
    await response.body?.cancel()
    const next = URL.parse(location, url)
    if (next?.protocol !== 'https:' && next?.origin !== first.origin)
      throw new Error('it redirects to a URL that does not begin with https://')
    url = next
  }
}

/** The text at a URL of https or file, whole. Rejects with the reason why it cannot be had. */
export async function publishedText(
  url: string,
  { largestBytes, ...options }: PublishedOptions & { largestBytes: number },
): Promise<string> {
  return textWithin(await published(url, options), largestBytes)
}

/** Throws when the body has more bytes. */
export async function textWithin(
  { body }: { readonly body: AsyncIterable<Uint8Array> | null },
  largestBytes: number,
): Promise<string> {
  const chunks: Uint8Array[] = []
  let bytes = 0
  for await (const chunk of body ?? []) {
    bytes += chunk.length
    if (bytes > largestBytes) throw new Error(`it has more than ${largestBytes} bytes`)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString()
}

/** fetch says only in its cause why a server cannot be reached. */
export function failureText(error: unknown): string {
  const { message, cause } = error as Error
  return cause instanceof Error ? `${message}: ${cause.message}` : message
}
