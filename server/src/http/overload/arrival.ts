// What happens to a request before it is routed? Its body is read, and it starts, waits or is refused.

import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Place } from '../../heavy-work/waiting-line.ts'
import { hasNoBody } from '../connections/bounds.ts'
import { requestIds } from '../request-ids.ts'
import { clientClosedRequest } from '../request-record.ts'
import { pathOf } from '../request-target.ts'
import type { HttpNeeds } from '../room.ts'
import type { Rows } from '../rows.ts'
import type { Row } from '../surface.ts'
import { arrivingBodies, emptyBody } from './arriving-bodies.ts'
import { overloadAnswer } from './overload-answer.ts'
import { readOn } from './rest-of-body.ts'
import type { Traffic } from './traffic.ts'

const arrival = Symbol('arrival')

/** What is known of a request when it is routed. */
export interface Arrival {
  /** On the clock of performance.now(). */
  readonly arrivedAt: number
  /** Undefined when it is larger than its row allows. */
  readonly body: Buffer | undefined
  /** Gives back its place in flight before its answer was made. */
  leave(): void
}

export const arrivalOf = (request: IncomingMessage) => Reflect.get(request, arrival) as Arrival

type Route = (request: IncomingMessage, response: ServerResponse) => void

/** Wraps the router: what it returns gets each request as soon as its head was parsed. */
export function arrivals(needs: HttpNeeds, rows: Rows, traffic: Traffic, route: Route): Route {
  const {
    heavyWork: { overload },
    settings,
  } = needs
  const readBody = arrivingBodies()
  /** Before Node finds that the request is late, and answers it a second time. */
  const readOnMs = 0.9 * settings.requestTimeoutMs

  return (request, response) => {
    const arrivedAt = performance.now()
    const path = pathOf(request.url ?? '')
    const rowsAt = rows.at(path)
    const row = rowsAt.find(({ method }) => method === request.method) ?? rowsAt[0]

    function arrive(body: Buffer | undefined): void {
      if (response.closed) return
      if (!request.complete && !hasNoBody(request)) readOn(request, response, arrivedAt + readOnMs)
      const start = (leave: () => void) => {
        Object.assign(request, { [arrival]: { arrivedAt, body, leave } satisfies Arrival })
        route(request, response)
      }
      if (isForOperations(row)) {
        start(() => undefined)
        return
      }
      let place: Place | undefined
      const gone = () => {
        overload.withdraw(place!)
        record(path, clientClosedRequest, arrivedAt)
      }
      place = overload.arrive(
        {
          start() {
            if (place) response.off('close', gone)
            start(leaveWithAnswer(response))
          },
          refuse() {
            response.off('close', gone)
            refuse(request, response, path, arrivedAt)
          },
        },
        () => traffic.flowOf(row, request),
      )
      if (place) response.once('close', gone)
    }

    const isRead = row?.kind === 'endpoint' && row.takesLines !== undefined // by its handler, once the caller is known
    if (row?.method !== 'POST' || request.method !== 'POST' || isRead) {
      arrive(emptyBody)
      return
    }
    readBody(request, limitOf(row), {
      done: arrive,
      refuse() {
        readOn(request, response, arrivedAt + readOnMs)
        refuse(request, response, path, arrivedAt)
      },
    })
  }

  /** When the answer was made: a caller that does not read it must not hold a place. */
  function leaveWithAnswer(response: ServerResponse): () => void {
    let hasLeft = false
    const leave = () => {
      if (!hasLeft) overload.leave()
      hasLeft = true
    }
    response.once('prefinish', leave).once('close', leave)
    return leave
  }

  function limitOf(row: Row): number {
    return row.kind === 'endpoint' && row.hasFacts ? settings.sdkBodyLimitBytes : settings.bodyLimitBytes
  }

  function refuse(request: IncomingMessage, response: ServerResponse, path: string, arrivedAt: number): void {
    const { headers, body } = overloadAnswer(rows.errorFormatAt(path), requestIds(request.headers))
    if (needs.servers.draining()) response.setHeader('connection', 'close')
    response.writeHead(503, headers).end(request.method === 'HEAD' ? undefined : body)
    needs.metrics.count('refusals', 'unavailable')
    record(path, 503, arrivedAt)
  }

  /** Without a log line: it would cost more than the refusal. */
  function record(path: string, status: number, arrivedAt: number): void {
    const seconds = (performance.now() - arrivedAt) / 1000
    needs.metrics.observe('request', seconds, rows.at(path)[0]?.path ?? 'none', String(status))
  }
}

/** These never wait: load balancers and monitoring need them most under overload. */
const isForOperations = (row: Row | undefined) => row?.caller === 'probe' || row?.caller === 'operations'
