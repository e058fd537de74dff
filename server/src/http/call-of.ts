// What does a handler get to know about a request?

import type { IncomingMessage } from 'node:http'
import type { FastifyRequest } from 'fastify'
import type { ActorCall } from '../admin/call.ts'
import { versionsIn } from '../admin/versions.ts'
import type { AnyCall, Provenance, SentLines } from '../core/call.ts'
import { mediaTypeOf } from '../json/content-type.ts'
import { signedRequest } from './credentials/signed-request.ts'
import { deviceHeaders } from './device-headers.ts'
import type { Deadline } from './request-deadline.ts'
import { idempotencyKeyOf } from './request-ids.ts'
import { ClientClosedRequest, rowOf } from './request-record.ts'
import type { HttpNeeds } from './room.ts'
import { wantedAgeOf } from './wanted-age.ts'

interface Resources {
  needs: HttpNeeds
  deadline: Deadline
  address: () => string | undefined
}

/** What was sent, and who sent it. */
export const callOf = (request: FastifyRequest, resources: Resources): AnyCall & Pick<ActorCall, 'ifMatch'> =>
  Object.assign(new HttpCall(request, resources), request.progress.caller)

/**
 * Parts that cost time are made when a handler reads them. A class: getters in an object literal are new functions, so V8 would give
 * each object its own hidden class, which survives many collections.
 */
class HttpCall implements AnyCall, Pick<ActorCall, 'ifMatch'> {
  readonly requestId: string
  readonly correlator: string
  readonly provenance: Provenance
  private readonly request: FastifyRequest
  private readonly resources: Resources

  constructor(request: FastifyRequest, resources: Resources) {
    const { requestId, correlator, provenance } = request.progress
    this.requestId = requestId
    this.correlator = correlator
    this.provenance = provenance!
    this.request = request
    this.resources = resources
  }

  get trace() {
    return this.request.progress.trace.headers
  }
  get signal() {
    return this.resources.deadline.signal
  }
  get maxAgeSeconds() {
    return wantedAgeOf(this.request.headers['cache-control'])
  }
  get address() {
    return this.resources.address()
  }
  get connection() {
    const { raw, headers } = this.request
    return this.resources.needs.ip.connectionFingerprint({ peer: raw.socket.remoteAddress, headers })
  }
  get signed() {
    return signedRequest(this.request, this.resources.needs)
  }
  get headers() {
    return deviceHeaders(this.request.headers)
  }
  get bearerToken() {
    return /^Bearer +([\w.~+/-]{1,4096}=*)$/i.exec(this.request.headers.authorization ?? '')?.[1]
  }
  get lines() {
    return sentLines(this.request)
  }
  get accepts() {
    return this.request.headers.accept
  }
  get idempotencyKey() {
    return idempotencyKeyOf(this.request.headers)
  }
  get ifMatch() {
    return versionsIn(this.request.headers['if-match'])
  }
}

/** Undefined where the body was read already. */
function sentLines(request: FastifyRequest): SentLines | undefined {
  const row = rowOf(request)
  if (row?.kind !== 'endpoint' || !row.takesLines) return undefined
  return { type: mediaTypeOf(request.headers['content-type']), bytes: unread(request.raw) }
}

/** Reading less than all of it must not close the connection: the refusal still has to be sent. */
const unread = (body: IncomingMessage): AsyncIterable<Uint8Array> => ({
  async *[Symbol.asyncIterator]() {
    try {
      yield* body.iterator({ destroyOnReturn: false })
    } catch (error) {
      throw body.complete ? error : new ClientClosedRequest('the body did not arrive', { cause: error })
    }
  },
})
