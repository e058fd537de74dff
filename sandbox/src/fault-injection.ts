// How does a fault strike? On the wire, so that a client meets the real thing.

import { Readable } from 'node:stream'
import { setTimeout as wait } from 'node:timers/promises'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { errorInfoFor } from './camara/errors.ts'
import type { Fault } from './faults.ts'
import type { Network } from './network.ts'

/** Faults of the answer that is being made: they are kept here until it goes out. */
export interface PendingFaults {
  later(request: FastifyRequest, fault: Fault): void
  /** What goes out instead of this payload. */
  applyTo(request: FastifyRequest, reply: FastifyReply, payload: unknown): unknown
}

export function pendingFaults(): PendingFaults {
  const pending = new WeakMap<FastifyRequest, Fault>()
  return {
    later: (request, fault) => {
      pending.set(request, fault)
    },
    applyTo(request, reply, payload) {
      const fault = pending.get(request)
      if (fault?.kind === 'wrong-content-type') reply.header('content-type', 'text/html; charset=utf-8')
      if (fault?.kind !== 'drip' || typeof payload !== 'string') return payload
      reply.removeHeader('content-length')
      return Readable.from(drops(payload, fault.everyMs, untilClosed(reply)), { objectMode: false })
    },
  }
}

/**
 * Lets a fault strike a call.
 * @returns true when the call is thereby over; false when the right answer still has to be made.
 */
export async function injectFault(
  fault: Fault,
  request: FastifyRequest,
  reply: FastifyReply,
  network: Pick<Network, 'calls' | 'pendingFaults' | 'issuer'>,
): Promise<boolean> {
  const call = network.calls.of(request)
  if (call) call.fault = fault.kind
  request.log.info({ fault: fault.kind, call: call?.sequence }, 'fault strikes')
  switch (fault.kind) {
    case 'slow':
      // Real time, not the sandbox's clock: what is tested is the patience of whoever waits.
      return await wait(fault.delayMs, false, { signal: untilClosed(reply) }).catch(() => abandon(reply))
    case 'drip':
    case 'wrong-content-type':
      network.pendingFaults.later(request, fault)
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
      reply.code(fault.status).send(errorBody(request, fault.status))
      return true
  }
}

function errorBody(request: FastifyRequest, status: number) {
  if (request.routeOptions.url !== '/oauth2/token') return errorInfoFor(status)
  const error = status >= 500 ? 'temporarily_unavailable' : 'invalid_request'
  return { error, error_description: `Fault switched on: ${status}` }
}

/** Fastify is told that nobody will answer. */
function abandon(reply: FastifyReply): true {
  reply.hijack()
  return true
}

/** Aborted when nobody can hear the answer any more: the client went away, or the sandbox stops. */
function untilClosed({ raw }: FastifyReply): AbortSignal {
  const closed = new AbortController()
  if (raw.destroyed) closed.abort()
  else raw.once('close', () => closed.abort())
  return closed.signal
}

async function* drops(text: string, everyMs: number, closed: AbortSignal): AsyncGenerator<Buffer> {
  for (const byte of Buffer.from(text)) {
    yield Buffer.of(byte)
    await wait(everyMs, undefined, { signal: closed }).catch(() => undefined)
  }
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
