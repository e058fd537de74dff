// Which request of a connection starts? One at a time: their answers are sent in this order anyway (RFC 9112, 9.3.2).

import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

/** Requests that a caller sends before it has the answers. Few do, and each costs memory before anybody knows who they are. */
const mostWaiting = 16

interface Line {
  readonly request: IncomingMessage
  readonly response: ServerResponse
  readonly waiting: Turn[]
  /** What follows cannot be read, or must not be. */
  isLast: boolean
  isAnswered: boolean
}

interface Turn {
  readonly request: IncomingMessage
  readonly response: ServerResponse
  readonly start: () => void
}

export class Turns {
  readonly #lines = new WeakMap<Socket, Line>()

  /**
   * Calls `start` at once, or when the answers before it were sent. Never after an answer that closes the connection. A connection that
   * sends too many at once is closed.
   */
  take(request: IncomingMessage, response: ServerResponse, start: () => void): void {
    const { socket } = request
    const line = this.#lines.get(socket)
    if (!line || line.isAnswered) this.#start(socket, { request, response, start }, [])
    else if (line.waiting.length < mostWaiting) line.waiting.push({ request, response, start })
    else socket.destroy()
  }

  /**
   * What follows on the connection could not be read. `answer` answers it, unless it lies behind a request whose answer is due: then the
   * connection closes after that one, whose caller would take any other bytes for a part of it.
   */
  breakOff(socket: Socket, answer: () => void): void {
    const line = this.#lines.get(socket)
    const isOver = !line || (line.isAnswered && line.request.complete)
    if (isOver || (!line.request.complete && !line.response.headersSent)) answer()
    else if (line.request.complete) line.isLast = true
    else socket.destroy()
  }

  #start(socket: Socket, { request, response, start }: Turn, waiting: Turn[]): void {
    if (!socket.writable) return
    const line: Line = { request, response, waiting, isLast: false, isAnswered: false }
    this.#lines.set(socket, line)
    response.on('close', () => {
      line.isAnswered = true
      // Its body may still arrive.
      if (request.complete) this.#lines.delete(socket)
      const next = waiting.shift()
      if (line.isLast) socket.destroySoon()
      else if (next) this.#start(socket, next, waiting)
    })
    start()
  }
}
