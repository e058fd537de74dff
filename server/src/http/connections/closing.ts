// Which connections does a stop wait for? Those whose request is being answered, or arrives within a second.

import type { IncomingMessage, ServerResponse } from 'node:http'
import type { FastifyInstance } from 'fastify'
import type { Overload } from '../../heavy-work/overload.ts'

/** A request whose body has begun to arrive may arrive completely. */
const restOfBodyMs = 1_000
const lookEveryMs = 50

/**
 * Closes all connections once the closing server has nothing left to answer. Node itself waits for ever for a client that
 * sends half a request, since a closing server no longer checks its time-outs. `longestMs`: for a client that does not read.
 */
export function closeUnfinished(
  server: FastifyInstance,
  { waiting }: Pick<Overload, 'waiting'>,
  longestMs: number,
): void {
  let begun = 0
  let complete = 0
  server.server.prependListener('request', (_request: IncomingMessage, response: ServerResponse) => {
    begun++
    response.once('close', () => begun--)
  })
  // A request is routed when its body has arrived and it has started.
  server.addHook('onRequest', (_request, reply, done) => {
    complete++
    reply.raw.once('close', () => complete--)
    done()
  })
  server.addHook('preClose', (done) => {
    const since = performance.now()
    const timer = setInterval(() => {
      const waitedMs = performance.now() - since
      const waits = waitedMs < restOfBodyMs ? begun > 0 : complete + waiting() > 0 && waitedMs < longestMs
      if (!waits) server.server.closeAllConnections()
    }, lookEveryMs)
    server.server.once('close', () => clearInterval(timer))
    done()
  })
}
