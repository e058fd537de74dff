// What becomes of a body whose answer was sent before all of it arrived? It is read on for a while, or its sender would lose the answer.

import type { IncomingMessage, ServerResponse } from 'node:http'

/** A sender that reads no answer before it has sent everything sends this much at least. */
const mostBytes = 8 * 2 ** 20
const lookEveryMs = 100

/**
 * Discards what arrives after the answer, and closes the connection when that is too much or takes too long. Closing it at once would
 * make the kernel reset it, and the answer would not arrive (RFC 9112, 9.6).
 *
 * @param until when it takes too long, on the clock of performance.now()
 */
export function readOn(
  request: IncomingMessage,
  response: ServerResponse,
  until: number,
  most: number = mostBytes,
): void {
  response.once('finish', () => {
    const { socket } = request
    if (request.complete || socket.destroyed) return
    const before = socket.bytesRead
    const timer = setInterval(() => {
      if (socket.bytesRead - before > most || performance.now() > until) socket.destroy()
    }, lookEveryMs)
    const stop = () => {
      clearInterval(timer)
      socket.off('close', stop)
    }
    socket.once('close', stop)
    request.once('end', stop).resume()
  })
}
