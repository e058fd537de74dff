// What did a publisher send? The text of a response that may be endless, and why a download failed.

/** Throws when the body has more bytes. */
export async function textWithin(response: Response, largestBytes: number): Promise<string> {
  const chunks: Uint8Array[] = []
  let bytes = 0
  for await (const chunk of response.body ?? []) {
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
