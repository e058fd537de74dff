// How does a test send what no HTTP client would send? As bytes on a socket.

import { connect } from 'node:net'

/** Sends `chunks` on a new connection, and returns everything received until the other side closes it. */
export async function exchangeRaw(url: string, ...chunks: readonly string[]): Promise<string> {
  const { hostname, port } = new URL(url)
  const socket = connect(Number(port), hostname)
  const { promise, resolve, reject } = Promise.withResolvers<string>()
  let received = ''
  socket.setEncoding('utf8')
  socket.on('data', (text) => {
    received += text
  })
  socket.on('close', () => resolve(received))
  socket.on('error', (error: NodeJS.ErrnoException) => {
    // A server may close while the rest of a refused body is still sent; the response before that counts.
    if (error.code !== 'ECONNRESET' && error.code !== 'EPIPE') reject(error)
  })
  for (const chunk of chunks) socket.write(chunk)
  return promise
}

/** The status and JSON body of a raw response. */
export function parseRaw(answer: string): { status: number; body: unknown } {
  const [head = '', ...rest] = answer.split('\r\n\r\n')
  return { status: Number(head.split(' ')[1]), body: JSON.parse(rest.join('\r\n\r\n')) }
}
