// What did a publisher send? The text of a response that may be endless, and why a download failed.

import { createReadStream } from 'node:fs'

/** The text at a URL of http, https or file, whole. Rejects with the reason why it cannot be had. */
export async function publishedText(
  url: string,
  {
    fetch = globalThis.fetch,
    timeoutMs,
    largestBytes,
    ...init
  }: Pick<RequestInit, 'headers' | 'redirect'> & {
    fetch?: typeof globalThis.fetch | undefined
    timeoutMs: number
    largestBytes: number
  },
): Promise<string> {
  if (url.startsWith('file:')) return textWithin({ body: createReadStream(new URL(url)) }, largestBytes)
  const response = await fetch(url, { ...init, signal: AbortSignal.timeout(timeoutMs) })
  // Any other status has a part, or something else.
  if (response.status !== 200) throw new Error(`HTTP ${response.status}`)
  return textWithin(response, largestBytes)
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
