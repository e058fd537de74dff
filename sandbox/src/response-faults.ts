// Which faults change a response that is still being made? A wrong content type, and bytes that arrive one by one.

import { Readable } from 'node:stream'
import { setTimeout as wait } from 'node:timers/promises'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Fault } from './faults.ts'

/** Faults that change a response which still has to be made. */
export interface ResponseFaults {
  /** The response to this request will have the fault. */
  add(request: FastifyRequest, fault: Fault): void
  /** Changes headers and payload as the fault of the request requires. Returns the payload to send. */
  alter(request: FastifyRequest, reply: FastifyReply, payload: unknown): unknown
}

export function responseFaults(): ResponseFaults {
  const faults = new WeakMap<FastifyRequest, Fault>()
  return {
    add: (request, fault) => {
      faults.set(request, fault)
    },
    alter(request, reply, payload) {
      const fault = faults.get(request)
      if (fault?.kind === 'wrong-content-type') reply.header('content-type', 'text/html; charset=utf-8')
      if (fault?.kind !== 'drip' || typeof payload !== 'string') return payload
      reply.removeHeader('content-length')
      return Readable.from(singleBytes(payload, fault.everyMs, untilClosed(reply)), { objectMode: false })
    },
  }
}

/** Aborts when the connection closes: the client went away, or the sandbox stops. */
export function untilClosed({ raw }: FastifyReply): AbortSignal {
  const closed = new AbortController()
  if (raw.destroyed) closed.abort()
  else raw.once('close', () => closed.abort())
  return closed.signal
}

async function* singleBytes(text: string, everyMs: number, closed: AbortSignal): AsyncGenerator<Buffer> {
  for (const byte of Buffer.from(text)) {
    yield Buffer.of(byte)
    await wait(everyMs, undefined, { signal: closed }).catch(() => undefined)
  }
}
