// How does a request become a response? By the steps of its row; steps/steps-of.ts has their lists.

import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import { processesOf } from '../core/servers/processes.ts'
import { brokenRequests } from './broken-request.ts'
import { Connections, networksOfPeer, silentMs } from './connections/bounds.ts'
import { Closing } from './connections/closing.ts'
import { Turns } from './connections/turns.ts'
import { Admission } from './credentials/admission.ts'
import { Arrivals } from './overload/arrival.ts'
import { trafficOf } from './overload/traffic.ts'
import { type Arrival, Progress } from './progress.ts'
import { recordRequest } from './request-record.ts'
import type { HttpNeeds } from './room.ts'
import { rowsOf } from './rows.ts'
import { refuse } from './steps/refuse.ts'
import { type Serving, take } from './steps/step.ts'
import { ofEveryRequest, ofPreflight, stepsOf } from './steps/steps-of.ts'
import { OpenStreams } from './streams/event-stream.ts'
import { Lines } from './streams/lines.ts'
import type { Row } from './surface.ts'

/** A connection waits for so long for its next request. Longer than the proxies in front of most services. */
const keepAliveMs = 72_000

class HttpServer {
  readonly server: Server
  readonly #serving: Serving
  readonly #steps: ReadonlyMap<Row, ReturnType<typeof stepsOf>>
  readonly #closing: Closing

  constructor(needs: HttpNeeds, surface: readonly Row[]) {
    const { settings, heavyWork } = needs
    const server = createServer({
      requestTimeout: settings.requestTimeoutMs,
      headersTimeout: settings.requestTimeoutMs,
      connectionsCheckingInterval: 500, // the default of Node is 30 s
      keepAliveTimeout: keepAliveMs,
      requireHostHeader: false, // Node would respond without a body; see nameOneHost
    }).setTimeout(silentMs)
    const [rows, traffic] = [rowsOf(surface), trafficOf(needs)]
    const arrivals = new Arrivals({ needs, rows, traffic }, (arrival) => void this.#answer(arrival))
    this.server = server
    this.#steps = new Map(surface.map((row) => [row, stepsOf(row)]))
    this.#closing = new Closing(server, heavyWork.overload, settings.requestTimeoutMs)
    this.#serving = {
      needs,
      rows,
      traffic,
      admission: new Admission(needs),
      connections: new Connections(server, {
        networksOf: networksOfPeer(settings),
        processes: processesOf(settings),
      }),
      streams: new OpenStreams(),
      lines: new Lines(),
    }
    const { connections } = this.#serving
    const turns = new Turns()
    server.on('request', (request, response) =>
      turns.take(request, response, () => {
        connections.brought(request, response)
        arrivals.receive(request, response)
      }),
    )
    // Unknown expectations may be ignored (RFC 9110, 10.1.1); Node would respond with 417 and no body.
    server.on('checkExpectation', (request, response) => server.emit('request', request, response))
    server.on('clientError', brokenRequests(needs, rows, turns))
  }

  async listen(where: { host: string; port: number; backlog?: number }): Promise<void> {
    this.server.listen(where)
    await once(this.server, 'listening')
  }

  /** Accepts no new connection, and waits for the requests in flight. */
  async close(): Promise<void> {
    this.#serving.streams.close()
    this.#closing.begin()
    const { promise, resolve } = Promise.withResolvers<void>()
    this.server.close(() => resolve())
    await promise
  }

  async #answer(arrival: Arrival): Promise<void> {
    const { needs } = this.#serving
    const { request, response } = arrival
    const progress = new Progress(arrival, needs)
    response.on('close', () => {
      if (!response.writableFinished) progress.deadline?.abandon()
      recordRequest(needs, progress)
    })
    this.#closing.starts(response)
    if (this.#closing.isClosing) progress.reply.header('connection', 'close')
    try {
      for (const step of ofEveryRequest) step(progress, this.#serving)
      const ofRow = request.method === 'OPTIONS' ? ofPreflight : this.#steps.get(progress.row!)!
      await take(ofRow, progress, this.#serving)
    } catch (error) {
      this.#refuse(error, progress)
    }
  }

  #refuse(cause: unknown, progress: Progress): void {
    try {
      refuse(cause, progress, this.#serving)
    } catch (error) {
      this.#serving.needs.log.error({ err: error, requestId: progress.requestId }, 'a refusal could not be sent')
      progress.reply.raw.destroy()
    }
  }
}

/** The HTTP server of a service; it does not listen yet. */
export const httpServer = (needs: HttpNeeds, surface: readonly Row[]): HttpServer => new HttpServer(needs, surface)
