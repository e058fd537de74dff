// Which connections does a stop wait for? Those whose request is being answered, or arrives within a second.

import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Overload } from '../../core/heavy-work/overload.ts'

/** A request whose body has begun to arrive may arrive completely. */
const restOfBodyMs = 1_000
const lookEveryMs = 50

/**
 * Closes all connections once the closing server has nothing left to answer. Node itself waits for ever for a client that
 * sends half a request, since a closing server no longer checks its time-outs. `longestMs`: for a client that does not read.
 */
export class Closing {
  readonly #server: Server
  readonly #overload: Pick<Overload, 'waiting'>
  readonly #longestMs: number
  #begun = 0
  #complete = 0
  #isClosing = false

  constructor(server: Server, overload: Pick<Overload, 'waiting'>, longestMs: number) {
    this.#server = server
    this.#overload = overload
    this.#longestMs = longestMs
    server.prependListener('request', (_request: IncomingMessage, response: ServerResponse) => {
      this.#begun++
      response.on('close', () => this.#begun--)
    })
  }

  get isClosing(): boolean {
    return this.#isClosing
  }

  /** A request starts: its body has arrived. */
  starts(response: ServerResponse): void {
    this.#complete++
    response.on('close', () => this.#complete--)
  }

  /** The server stops to listen. */
  begin(): void {
    this.#isClosing = true
    const since = performance.now()
    const timer = setInterval(() => {
      if (!this.#waits(performance.now() - since)) this.#server.closeAllConnections()
    }, lookEveryMs)
    this.#server.once('close', () => clearInterval(timer))
  }

  #waits(waitedMs: number): boolean {
    if (waitedMs < restOfBodyMs) return this.#begun > 0
    return this.#complete + this.#overload.waiting() > 0 && waitedMs < this.#longestMs
  }
}
