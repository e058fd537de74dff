// How does a fault happen? On the wire, so that a client meets the real thing.

import { Readable } from 'node:stream'
import { setTimeout as wait } from 'node:timers/promises'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { errorInfoFor } from './camara/errors.ts'
import type { Fault } from './faults.ts'
import type { Network } from './network.ts'
import { untilClosed } from './response-faults.ts'

/**
 * Injects a fault into a call. `off`: aborts when the fault is switched off, if it can be.
 * @returns true when the fault ended the call; false when the correct response still has to be made.
 */
export async function injectFault(
  fault: Fault,
  request: FastifyRequest,
  reply: FastifyReply,
  network: Pick<Network, 'calls' | 'responseFaults' | 'issuer'>,
  off?: AbortSignal,
): Promise<boolean> {
  const call = network.calls.of(request)
  if (call) call.fault = fault.kind
  request.log.info({ fault: fault.kind, call: call?.sequence }, 'fault injected')
  switch (fault.kind) {
    case 'slow':
      // Real time, not the sandbox's clock: the fault tests how long the client waits.
      await wait(fault.delayMs, undefined, {
        signal: AbortSignal.any([untilClosed(reply), ...(off ? [off] : [])]),
      }).catch(() => {})
      return reply.raw.destroyed && abandon(reply)
    case 'drip':
    case 'wrong-content-type':
      network.responseFaults.add(request, fault)
      return false
    case 'reset':
      request.raw.socket.resetAndDestroy()
      return abandon(reply)
    case 'half-open':
      return abandon(reply)
    case 'garbage':
      reply.type('application/json').send(Buffer.from('{"swapped":\u0000\ufffd]}<', 'utf8'))
      return true
    case 'huge-body':
      reply.type('application/json').send(Readable.from(hugeJson(fault.bytes), { objectMode: false }))
      return true
    case 'redirect':
      reply.redirect(fault.location ?? `${network.issuer()}/redirected`, 307)
      return true
    case 'status':
      if (fault.retryAfterSeconds !== undefined) reply.header('retry-after', fault.retryAfterSeconds)
      reply.code(fault.status).send(errorBody(request, fault))
      return true
  }
}

function errorBody(request: FastifyRequest, { status, code }: Extract<Fault, { kind: 'status' }>) {
  if (!request.routeOptions.url?.startsWith('/oauth2/')) return { ...errorInfoFor(status), ...(code && { code }) }
  const error = status >= 500 ? 'temporarily_unavailable' : 'invalid_request'
  return { error, error_description: `Fault switched on: ${status}` }
}

/** Stops Fastify from sending a response. */
function abandon(reply: FastifyReply): true {
  reply.hijack()
  return true
}

function* hugeJson(bytes: number): Generator<Buffer> {
  const [opening, closing] = ['{"swapped":false,"active":false,"padding":"', '"}']
  yield Buffer.from(opening)
  const piece = Buffer.alloc(65_536, 'a')
  for (let left = bytes - opening.length - closing.length; left > 0; left -= piece.length) {
    yield left >= piece.length ? piece : piece.subarray(0, left)
  }
  yield Buffer.from(closing)
}
