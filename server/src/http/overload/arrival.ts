// What happens to a request before its first step? Its body is read, and it starts, waits or is refused.

import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Place } from '../../core/heavy-work/waiting-line.ts'
import { hasNoBody } from '../connections/bounds.ts'
import type { Arrival, Arriving } from '../progress.ts'
import { requestIds } from '../request/request-ids.ts'
import { pathOf } from '../request/request-target.ts'
import { clientClosedRequest } from '../request-record.ts'
import type { HttpNeeds } from '../room.ts'
import { bodyLimitOf, type Rows } from '../rows.ts'
import type { Row } from '../surface.ts'
import { arrivingBodies, emptyBody } from './arriving-bodies.ts'
import { overloadAnswer } from './overload-answer.ts'
import { readOn } from './rest-of-body.ts'
import type { Traffic } from './traffic.ts'

interface Resources {
  readonly needs: HttpNeeds
  readonly rows: Rows
  readonly traffic: Traffic
}

/** The requests of one server. */
export class Arrivals {
  readonly #resources: Resources
  readonly #start: (arrival: Arrival) => void
  readonly #readBody = arrivingBodies()
  /** Before Node finds that the request is late, and answers it a second time. */
  readonly #readOnMs: number

  constructor(resources: Resources, start: (arrival: Arrival) => void) {
    this.#resources = resources
    this.#start = start
    this.#readOnMs = 0.9 * resources.needs.settings.requestTimeoutMs
  }

  /** As soon as the head of a request was parsed. */
  receive(request: IncomingMessage, response: ServerResponse): void {
    const { rows, needs } = this.#resources
    const arriving = { request, response, arrivedAt: performance.now(), path: pathOf(request.url ?? '') }
    const rowsAt = rows.at(arriving.path)
    const row = rowsAt.find(({ method }) => method === request.method) ?? rowsAt[0]
    const isRead = row?.kind === 'endpoint' && row.takesLines !== undefined // by its handler, once the caller is known
    if (row?.method !== 'POST' || request.method !== 'POST' || isRead) {
      this.#enter(arriving, row, emptyBody)
      return
    }
    this.#readBody(request, bodyLimitOf(row, needs.settings), {
      done: (body) => this.#enter(arriving, row, body),
      refuse: () => {
        readOn(request, response, arriving.arrivedAt + this.#readOnMs)
        this.#refuse(arriving)
      },
    })
  }

  #enter(arriving: Arriving, row: Row | undefined, body: Buffer | undefined): void {
    const { request, response, arrivedAt } = arriving
    if (response.closed) return
    if (!request.complete && !hasNoBody(request)) readOn(request, response, arrivedAt + this.#readOnMs)
    if (isForOperations(row)) this.#start({ ...arriving, body, leave: () => undefined })
    else this.#wait(arriving, row, body)
  }

  #wait(arriving: Arriving, row: Row | undefined, body: Buffer | undefined): void {
    const { traffic, needs } = this.#resources
    const { overload } = needs.heavyWork
    const { request, response } = arriving
    let place: Place | undefined
    const gone = () => {
      overload.withdraw(place!)
      this.#record(arriving, clientClosedRequest)
    }
    const waiting = {
      start: () => {
        if (place) response.off('close', gone)
        this.#start({ ...arriving, body, leave: this.#leaveWithAnswer(response) })
      },
      refuse: () => {
        response.off('close', gone)
        this.#refuse(arriving)
      },
    }
    place = overload.arrive(waiting, () => traffic.flowOf(row, request))
    if (place) response.once('close', gone)
  }

  /** When the answer was made: a caller that does not read it must not hold a place. */
  #leaveWithAnswer(response: ServerResponse): () => void {
    const { overload } = this.#resources.needs.heavyWork
    let hasLeft = false
    const leave = () => {
      if (!hasLeft) overload.leave()
      hasLeft = true
    }
    response.on('prefinish', leave).on('close', leave)
    return leave
  }

  #refuse(arriving: Arriving): void {
    const { rows, needs } = this.#resources
    const { request, response, path } = arriving
    const { headers, body } = overloadAnswer(rows.errorFormatAt(path), requestIds(request.headers))
    if (needs.servers.leaving()) response.setHeader('connection', 'close')
    response.writeHead(503, headers).end(request.method === 'HEAD' ? undefined : body)
    needs.metrics.count('refusals', 'unavailable')
    this.#record(arriving, 503)
  }

  /** Without a log line: it would cost more than the refusal. */
  #record({ path, arrivedAt }: Arriving, status: number): void {
    const { rows, needs } = this.#resources
    const seconds = (performance.now() - arrivedAt) / 1000
    needs.metrics.observe('request', seconds, rows.at(path)[0]?.path ?? 'none', String(status))
  }
}

/** These never wait: load balancers and monitoring need them most under overload. */
const isForOperations = (row: Row | undefined) => row?.caller === 'probe' || row?.caller === 'operations'
