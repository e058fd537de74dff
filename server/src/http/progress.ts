// What is known of a request in flight? Each step adds what it found out.

import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http'
import type { FailureName } from '@ringfence/contract'
import type { Provenance } from '../core/call.ts'
import type { TracedRequest } from '../core/telemetry/tracing.ts'
import type { ClientAddress } from '../ip/client-address.ts'
import type { CallerContext } from './credentials/caller-context.ts'
import { type Deadline, dueAt } from './request/request-deadline.ts'
import { type RequestIds, requestIds } from './request/request-ids.ts'
import { Reply } from './response/reply.ts'
import type { HttpNeeds } from './room.ts'
import type { Row } from './surface.ts'

/** A request whose head was parsed. */
export interface Arriving {
  readonly request: IncomingMessage
  readonly response: ServerResponse
  /** On the clock of performance.now(). */
  readonly arrivedAt: number
  /** As it was sent, without the query. */
  readonly path: string
}

/** What is known of a request when it starts. */
export interface Arrival extends Arriving {
  /** Undefined when it is larger than its row allows. */
  readonly body: Buffer | undefined
  /** Gives back its place in flight before its answer was made. */
  leave(): void
}

type ProgressNeeds = Pick<HttpNeeds, 'telemetry' | 'ip' | 'database' | 'settings'>

/** One request from its arrival to its answer. */
export class Progress implements RequestIds {
  readonly request: IncomingMessage
  readonly reply: Reply
  readonly arrival: Arrival
  readonly requestId: string
  readonly correlator: string
  readonly trace: TracedRequest
  readonly #needs: ProgressNeeds
  #address: ClientAddress | undefined = undefined
  /** Which row of the surface answers it; undefined until it is found. */
  row: Row | undefined = undefined
  /** Who calls; undefined until it is known. */
  caller: CallerContext | undefined = undefined
  /** The client id of a form or a query, not yet verified. */
  formClientId: string | undefined = undefined
  /** What was sent: the parsed query or body, then what the schema says of it. */
  body: unknown = undefined
  deadline: Deadline | undefined = undefined
  provenance: Provenance | undefined = undefined
  /** What the handler returned. */
  answer: unknown = undefined
  /** For an answer that does not end: after how many milliseconds it began. */
  streamedAfterMs: number | undefined = undefined
  /** Why it was refused. */
  failure: FailureName | undefined = undefined
  /** What the caller can do about it, without anything that was sent. */
  hint: string | undefined = undefined
  /** Reason codes beside that of the failure, for audit lines. */
  reasons: readonly string[] | undefined = undefined

  constructor(arrival: Arrival, needs: ProgressNeeds) {
    const { requestId, correlator } = requestIds(arrival.request.headers)
    this.request = arrival.request
    this.reply = new Reply(arrival.response)
    this.arrival = arrival
    this.requestId = requestId
    this.correlator = correlator
    this.trace = needs.telemetry.tracing.request(arrival.request.headers)
    this.#needs = needs
  }

  get method(): string {
    return this.request.method!
  }
  /** The target of the request. */
  get url(): string {
    return this.request.url!
  }
  get headers(): IncomingHttpHeaders {
    return this.request.headers
  }

  /** Of the person or service that calls, behind trusted proxies; undefined when the connection was closed before anybody asked. */
  get address(): ClientAddress | undefined {
    const { socket, headers } = this.request
    this.#address ??= this.#needs.ip.clientAddress({ peer: socket.remoteAddress, headers })
    return this.#address
  }

  /** The calls of `work` to the store end when the response is due. `arrivalMs`: how long a body may arrive that `work` reads. */
  inTime<T>(work: () => T, arrivalMs = 0): T {
    const { database, settings } = this.#needs
    return database.within(dueAt(this, this.arrival.arrivedAt + arrivalMs, settings.deadlineMs), work)
  }
}
