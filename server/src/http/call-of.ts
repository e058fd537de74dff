// What does a handler get to know about a request?

import type { IncomingMessage } from 'node:http'
import type { FastifyRequest } from 'fastify'
import { versionsIn } from '../admin/versions.ts'
import type { ActorCall, AnyCall, SentLines } from '../call.ts'
import { mediaTypeOf } from '../json/content-type.ts'
import type { Platform } from '../platform.ts'
import { signedRequest } from './credentials/signed-request.ts'
import { deviceHeaders } from './device-headers.ts'
import type { Deadline } from './request-deadline.ts'
import { idempotencyKeyOf } from './request-ids.ts'
import { ClientClosedRequest, rowOf } from './request-record.ts'
import { wantedAgeOf } from './wanted-age.ts'

interface Resources {
  platform: Platform
  deadline: Deadline
  address: () => string | undefined
}

/** Parts that cost time are made when a handler reads them. */
export function callOf(
  request: FastifyRequest,
  { platform, deadline, address }: Resources,
): AnyCall & Pick<ActorCall, 'ifMatch'> {
  const { progress } = request
  return {
    requestId: progress.requestId,
    correlator: progress.correlator,
    get trace() {
      return progress.trace.headers
    },
    provenance: progress.provenance!,
    get signal() {
      return deadline.signal
    },
    get maxAgeSeconds() {
      return wantedAgeOf(request.headers['cache-control'])
    },
    get address() {
      return address()
    },
    get connection() {
      return platform.connectionFingerprint({ peer: request.raw.socket.remoteAddress, headers: request.headers })
    },
    get signed() {
      return signedRequest(request, platform)
    },
    get headers() {
      return deviceHeaders(request.headers)
    },
    get bearerToken() {
      return /^Bearer +([\w.~+/-]{1,4096}=*)$/i.exec(request.headers.authorization ?? '')?.[1]
    },
    get lines() {
      return sentLines(request)
    },
    get accepts() {
      return request.headers.accept
    },
    get idempotencyKey() {
      return idempotencyKeyOf(request.headers)
    },
    get ifMatch() {
      return versionsIn(request.headers['if-match'])
    },
    ...progress.caller,
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
