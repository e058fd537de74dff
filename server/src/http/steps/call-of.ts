// What does a handler get to know about a request?

import type { IncomingMessage } from 'node:http'
import type { ActorCall } from '../../admin/call.ts'
import { versionsIn } from '../../admin/versions.ts'
import type { AnyCall, Provenance, SentLines } from '../../core/call.ts'
import { mediaTypeOf } from '../../core/json/content-type.ts'
import { signedRequest } from '../credentials/signed-request.ts'
import type { Progress } from '../progress.ts'
import { deviceHeaders } from '../request/device-headers.ts'
import { waitsOf } from '../request/request-deadline.ts'
import { idempotencyKeyOf } from '../request/request-ids.ts'
import { wantedAgeOf } from '../request/wanted-age.ts'
import { ClientClosedRequest } from '../request-record.ts'
import type { HttpNeeds } from '../room.ts'

/** What was sent, and who sent it. */
export const callOf = (progress: Progress, needs: HttpNeeds): AnyCall & Pick<ActorCall, 'ifMatch'> =>
  Object.assign(new HttpCall(progress, needs), progress.caller)

/**
 * Parts that cost time are made when a handler reads them. A class: getters in an object literal are new functions, so V8 would give
 * each object its own hidden class, which survives many collections.
 */
class HttpCall implements AnyCall, Pick<ActorCall, 'ifMatch'> {
  readonly requestId: string
  readonly correlator: string
  readonly provenance: Provenance
  private readonly progress: Progress
  private readonly needs: HttpNeeds

  constructor(progress: Progress, needs: HttpNeeds) {
    const { requestId, correlator, provenance } = progress
    this.requestId = requestId
    this.correlator = correlator
    this.provenance = provenance!
    this.progress = progress
    this.needs = needs
  }

  get trace() {
    return this.progress.trace.headers
  }
  get signal() {
    return this.progress.deadline!.signal
  }
  get waitMs() {
    return waitsOf(this.progress.headers)
  }
  get maxAgeSeconds() {
    return wantedAgeOf(this.progress.headers['cache-control'])
  }
  get address() {
    return this.progress.address?.address.text
  }
  get connection() {
    const { socket, headers } = this.progress.request
    return this.needs.ip.connectionFingerprint({ peer: socket.remoteAddress, headers })
  }
  get signed() {
    return signedRequest(this.progress, this.needs)
  }
  get headers() {
    return deviceHeaders(this.progress.headers)
  }
  get bearerToken() {
    return /^Bearer +([\w.~+/-]{1,4096}=*)$/i.exec(this.progress.headers.authorization ?? '')?.[1]
  }
  get lines() {
    return sentLines(this.progress)
  }
  get accepts() {
    return this.progress.headers.accept
  }
  get idempotencyKey() {
    return idempotencyKeyOf(this.progress.headers)
  }
  get ifMatch() {
    return versionsIn(this.progress.headers['if-match'])
  }
}

/** Undefined where the body was read already. */
function sentLines({ row, headers, request }: Progress): SentLines | undefined {
  if (row?.kind !== 'endpoint' || !row.takesLines) return undefined
  return { type: mediaTypeOf(headers['content-type']), bytes: unread(request) }
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
