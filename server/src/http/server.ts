// How does a request become a response? The steps of every row of the surface, in their order.

import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify'
import { etagOf, versionOfAnswer } from '../admin/versions.ts'
import type { Caller } from '../clients/credentials.ts'
import type { Provenance } from '../core/call.ts'
import { StreamAnswer } from '../core/stream-answer.ts'
import { type FailureName, Refusal } from '../errors.ts'
import { isJson } from '../json/content-type.ts'
import { JsonText } from '../json/json-text.ts'
import { LinesAnswer } from '../json/lines-answer.ts'
import type { TracedRequest } from '../telemetry/tracing.ts'
import { admission, type CallerContext } from './admission.ts'
import { asRefusal } from './as-refusal.ts'
import { isPlain, withoutCompilers } from './body.ts'
import { brokenRequests } from './broken-request.ts'
import { callOf } from './call-of.ts'
import { boundConnections, hasNoBody, networksOfPeer, silentMs } from './connections/bounds.ts'
import { closeUnfinished } from './connections/closing.ts'
import { sendConsoleCookies } from './cookies/console-cookie.ts'
import { sendSdkCookies } from './cookies/sdk-cookies.ts'
import { allowReading, answerPreflight } from './cors.ts'
import { basicCredentials } from './credentials/basic-credentials.ts'
import { sentCredentials } from './credentials/sent-credentials.ts'
import { errorFormats, mediaTypeOfError, saysMistake, schemeFor } from './error-formats.ts'
import { isForm, refuseWide, takeAssertion, takeCredentials } from './form.ts'
import { addNotice } from './notice.ts'
import { arrivalOf, arrivals } from './overload/arrival.ts'
import { trafficOf } from './overload/traffic.ts'
import { dataHeaders, httpsOnly } from './pages/page-headers.ts'
import { fieldsOf, mayReadMetrics, sendPage } from './pages/send-page.ts'
import { readBody } from './parsed-body.ts'
import { Deadline, deadlineOf, dueAt } from './request-deadline.ts'
import { type RequestIds, requestIds } from './request-ids.ts'
import { recordRefusal, recordRequest, rowOf } from './request-record.ts'
import { namesOneHost, pathOf } from './request-target.ts'
import type { HttpNeeds } from './room.ts'
import { queryOf, routerPath, rowsOf, sendsForm } from './rows.ts'
import { openStreams, refuseOtherRole } from './streams/event-stream.ts'
import { lineAnswers, lineBodies } from './streams/lines.ts'
import type { EndpointRow, PageRow, Row } from './surface.ts'

/** What is known of a request in flight. */
interface Progress extends RequestIds {
  arrivedAt: number
  /** Who calls; absent until it is known. */
  caller?: CallerContext
  /** The client id of a form or a query, not yet verified. */
  formClientId?: string | undefined
  provenance?: Provenance
  deadline?: Deadline
  streamedAfterMs?: number // for an answer that does not end
  trace: TracedRequest
  /** Why it was refused. */
  failure?: FailureName | undefined
  /** Reason codes beside that of the failure, for audit lines. */
  reasons?: readonly string[] | undefined
}

declare module 'fastify' {
  interface FastifyRequest {
    progress: Progress
  }
}

/** The HTTP server of a service; it does not listen yet. */
export function httpServer(needs: HttpNeeds, surface: readonly Row[]): FastifyInstance {
  const { settings } = needs
  const rows = rowsOf(surface)
  const traffic = trafficOf(needs)
  const server = Fastify({
    logger: false,
    bodyLimit: settings.bodyLimitBytes,
    requestTimeout: settings.requestTimeoutMs,
    connectionTimeout: silentMs,
    http: {
      headersTimeout: settings.requestTimeoutMs,
      connectionsCheckingInterval: 500, // the default of Node is 30 s
      requireHostHeader: false, // Node would respond without a body; see onRequest
    },
    forceCloseConnections: 'idle',
    return503OnClosing: false,
    clientErrorHandler: brokenRequests(needs, rows),
    schemaController: withoutCompilers,
    frameworkErrors: (_error, request, reply) => {
      request.progress = begin(request, reply)
      refuse(request, reply, new Refusal('notFound'))
    },
  })

  const [route] = server.server.listeners('request') as Parameters<typeof arrivals>[3][]
  server.server.off('request', route!).on('request', arrivals(needs, rows, traffic, route!))
  server.removeAllContentTypeParsers()
  // application/json is named as well, since Fastify would search its list of types at each request.
  server.addContentTypeParser(['application/json', '*'], (_request, _body, done) => done(null, undefined))
  server.addHook('onRequest', (request, reply, done) => {
    request.progress = begin(request, reply)
    if (!namesOneHost(request.raw)) {
      reply.header('connection', 'close')
      throw new Refusal('invalidHttp')
    }
    // Not in Fastify's 404 handler, which would read the body first. The router decodes a path before it looks for its row.
    const row = rowOf(request)
    refuseWide('query', request.url)
    if (request.is404 || !row || !rows.at(pathOf(request.url)).includes(row)) throw noSuchRow(request)
    done()
  })
  const takeLines = lineBodies()
  const sendLines = lineAnswers()
  const streams = openStreams(server)
  closeUnfinished(server, needs.heavyWork.overload, settings.requestTimeoutMs)
  const admit = admission(needs)
  for (const row of surface) {
    if (row.kind === 'page') servePage(row)
    else serveEndpoint(row)
  }

  server.setErrorHandler((error, request, reply) => refuse(request, reply, asRefusal(error), error))
  const connections = boundConnections(server.server, { networksOf: networksOfPeer(settings) })
  // Unknown expectations may be ignored (RFC 9110, 10.1.1); Node would respond with 417 and no body.
  server.server.on('checkExpectation', (request, response) => server.server.emit('request', request, response))
  return server

  function begin(request: FastifyRequest, reply: FastifyReply): Progress {
    const trace = needs.telemetry.tracing.request(request.headers)
    const progress: Progress = { ...requestIds(request.headers), trace, arrivedAt: arrivalOf(request.raw).arrivedAt }
    reply.header('x-request-id', progress.requestId)
    reply.header('x-correlator', progress.correlator)
    reply.header('x-content-type-options', 'nosniff')
    if (settings.baseUrl?.startsWith('https:')) reply.headers(httpsOnly)
    reply.raw.once('close', () => end(request, reply))
    return progress
  }

  function end(request: FastifyRequest, reply: FastifyReply): void {
    if (!reply.raw.writableFinished) request.progress.deadline?.abandon()
    recordRequest(needs, request, reply)
  }

  function noSuchRow(request: FastifyRequest): Refusal {
    const rowsAt = rows.at(pathOf(request.url))
    if (rowsAt.length === 0) return new Refusal('notFound')
    return new Refusal('methodNotAllowed', { allow: rowsAt.map(({ method }) => method).join(', ') })
  }

  function serveEndpoint(row: EndpointRow): void {
    const isOfSdk = row.caller === 'app' || row.caller === 'session'
    server.route({
      method: row.method,
      url: routerPath(row),
      exposeHeadRoute: false,
      bodyLimit: row.hasFacts ? settings.sdkBodyLimitBytes : settings.bodyLimitBytes,
      config: { row },
      onRequest: async (request, reply) => {
        const { headers } = request
        reply.header('cache-control', 'no-store')
        if (row.caller === 'admin') reply.headers(dataHeaders)
        if (row.method === 'GET' && row.acceptsForm) reply.header('referrer-policy', 'no-referrer')
        if (isOfSdk) await inTime(request, () => allowReading(request, reply, needs))
        const isSentForm = sendsForm(row, request)
        const caller = await inTime(request, () => callerOf(row, request, reply, isSentForm))
        if (caller) knownAs(request, caller)
        if (row.method === 'GET') return
        if (row.takesLines) return takeLines(row.takesLines, request, reply)
        if (!(isSentForm || isJson(headers['content-type'])) || !isPlain(headers['content-encoding']))
          throw new Refusal('mediaTypeUnsupported')
      },
      preValidation: traffic.charged(row.method === 'GET' ? (_request, _reply, done) => done() : readBody),
      // Only where it is needed, since an empty step costs time too.
      ...(row.acceptsForm &&
        row.method !== 'GET' && {
          preHandler: (request: FastifyRequest, reply: FastifyReply) => admitBySentForm(row, request, reply),
        }),
      handler: async (request, reply) => {
        const { progress } = request
        const sent = row.method === 'GET' || row.takesLines ? queryOf(row, request) : request.body
        const given = rows.withParameters(row, pathOf(request.url), sent)
        const notice = row.body.notice(given)
        if (notice) addNotice(reply, notice)
        const body = row.body.read(given)
        const arrivalMs = row.takesLines ? settings.requestTimeoutMs : 0
        const deadline = new Deadline(progress.arrivedAt + arrivalMs + deadlineOf(request.headers, settings.deadlineMs))
        progress.deadline = deadline
        progress.provenance = { sandbox: false }
        const call = callOf(request, { needs, deadline, address: () => addressOf(request)?.address.text })
        try {
          const answer = await inTime(request, () => row.handler(body, call), arrivalMs)
          sendSdkCookies(progress.caller, reply, settings.baseUrl)
          sendConsoleCookies(progress.caller, reply)
          const version = versionOfAnswer(progress.caller)
          if (version !== undefined) reply.header('etag', etagOf(version))
          if (row.answersNothing) return headed(reply, progress.provenance).status(204).send()
          if (answer instanceof LinesAnswer) return sendLines(request, headed(reply, progress.provenance), answer)
          if (!(answer instanceof StreamAnswer)) return send(reply, 200, answer, progress.provenance)
          progress.streamedAfterMs = performance.now() - progress.arrivedAt
          const mayStill = async () => refuseOtherRole(progress.caller, await callerOf(row, request, reply, false))
          const check = () => needs.database.within(performance.now() + settings.deadlineMs, mayStill)
          void streams.send(answer, reply, check)
          return reply
        } finally {
          deadline.met()
        }
      },
    })
    if (!isOfSdk) return
    server.route({
      method: 'OPTIONS',
      url: routerPath(row),
      config: { row },
      onRequest: async (request, reply) => {
        if (hasNoBody(request.raw)) return admitAnyone(request, reply)
        throw new Refusal('bodyTooLarge', { limitBytes: 0 })
      },
      handler: (request, reply) =>
        inTime(request, () => answerPreflight(request, reply, { method: row.method, needs })),
    })
  }

  async function admitBySentForm(row: EndpointRow, request: FastifyRequest, reply: FastifyReply): Promise<void> {
    const { progress } = request
    if (progress.caller && !basicCredentials(request.headers.authorization)) return
    const { clientId, clientSecret, fields } = takeCredentials(request.body)
    const assertion = row.acceptsAssertion ? takeAssertion(fields, clientSecret) : undefined
    if (progress.caller) {
      if (clientSecret !== undefined || assertion !== undefined)
        throw new Refusal('fieldInvalid', { mistake: 'send client credentials only once' })
      request.body = fields
      return
    }
    progress.formClientId = clientId
    const sent = { clientId, clientSecret, assertion, address: () => addressOf(request) }
    knownAs(request, await inTime(request, () => admit.client(sent, row.scope!, reply)))
    request.body = fields
  }

  /** Only clients have a secret, and only actors a session. */
  function knownAs({ raw, progress }: FastifyRequest, context: CallerContext): void {
    progress.caller = context
    if ('actor' in context && context.actor) traffic.prove(raw, context.actor.tenantId)
    if (!('caller' in context)) return
    const caller = context.caller as Caller
    traffic.prove(raw, caller.tenantId, caller.clientId)
    connections.prove(raw.socket)
    progress.trace.trust()
  }

  /** The calls of `work` to the store end when the response is due. */
  function inTime<T>({ headers, progress }: FastifyRequest, work: () => T, arrivalMs = 0): T {
    return needs.database.within(dueAt(headers, progress.arrivedAt + arrivalMs, settings.deadlineMs), work)
  }

  /** Undefined when the form may contain the credentials: then the caller is known after the body was read. */
  async function callerOf(row: EndpointRow, request: FastifyRequest, reply: FastifyReply, sendsForm: boolean) {
    switch (row.caller) {
      case 'client': {
        const sent = sentCredentials(row, request, sendsForm)
        if (!sent) return undefined
        request.progress.formClientId = sent.queryClientId
        return admit.client({ ...sent, address: () => addressOf(request) }, row.scope!, reply)
      }
      case 'admin':
        return admit.actor(row.admission!, request, reply, () => addressOf(request))
      case 'token':
        return admit.token(row.tokenScopes!, request, reply, () => addressOf(request))
      case 'app':
        return admit.app(request, reply, addressOf(request))
      case 'session':
        return admit.session(request, reply, addressOf(request))
      case 'anyone':
        return admit.anyone(reply, addressOf(request))
    }
  }

  function addressOf({ raw, headers }: FastifyRequest) {
    return needs.ip.clientAddress({ peer: raw.socket.remoteAddress, headers })
  }

  function servePage(row: PageRow): void {
    server.route({
      method: row.method,
      url: routerPath(row),
      config: { row },
      ...(row.method !== 'GET' && { preValidation: traffic.charged(readBody) }),
      ...(row.caller === 'anyone' && { onRequest: admitAnyone }),
      ...(row.caller === 'person' && { onRequest: (request, reply) => admitPerson(row, request, reply) }),
      handler: async (request, reply) => {
        if (row.caller === 'operations' && !mayReadMetrics(request, settings.metricsToken))
          throw new Refusal('metricsTokenMissing')
        const [from, parameters] = [addressOf(request)?.address.text, rows.parametersOf(row, pathOf(request.url))]
        const page = await inTime(request, () => row.page(fieldsOf(request), from, parameters))
        closeWhenDraining(reply)
        return sendPage(page, request, reply)
      },
    })
  }

  async function admitAnyone(request: FastifyRequest, reply: FastifyReply): Promise<void> {
    await inTime(request, () => admit.anyone(reply, addressOf(request)))
  }

  async function admitPerson(row: PageRow, request: FastifyRequest, reply: FastifyReply): Promise<void> {
    reply.header('cache-control', 'no-store')
    await inTime(request, () => admit.person(reply, addressOf(request)))
    if (row.method === 'GET') return
    const { headers } = request
    if (!isForm(headers['content-type']) || !isPlain(headers['content-encoding']))
      throw new Refusal('mediaTypeUnsupported')
  }

  function refuse(request: FastifyRequest, reply: FastifyReply, refusal: Refusal | undefined, cause?: unknown): void {
    const { requestId, provenance } = request.progress
    const errorFormat = rows.errorFormatAt(pathOf(request.url))
    const { status, body } = errorFormats[errorFormat](refusal, requestId)
    recordRefusal(needs, request, refusal, cause)
    if (refusal?.details.retryAfterSeconds !== undefined) reply.header('retry-after', refusal.details.retryAfterSeconds)
    const scheme = schemeFor(errorFormat, request.headers)
    if (scheme && status === 401) reply.header('www-authenticate', `${scheme} realm="Ringfence"`)
    if (refusal?.details.version !== undefined) reply.header('etag', etagOf(refusal.details.version))
    if (refusal?.details.allow) reply.header('allow', refusal.details.allow)
    if (refusal?.details.mistake && !saysMistake(refusal)) addNotice(reply, refusal.details.mistake)
    send(reply, status, body, provenance, mediaTypeOfError(errorFormat))
  }

  function send(
    reply: FastifyReply,
    status: number,
    body: unknown,
    provenance?: Provenance,
    type = json,
  ): FastifyReply {
    headed(reply, provenance)
    // Text, since Fastify would search a serialiser for an object.
    const text = body instanceof JsonText ? body.text : JSON.stringify(body)
    return reply.status(status).header('content-type', `${type}; charset=utf-8`).send(text)
  }

  function headed(reply: FastifyReply, provenance?: Provenance): FastifyReply {
    if (provenance?.sandbox) reply.header('x-ringfence-sandbox', 'true')
    if (provenance?.ageSeconds !== undefined) reply.header('age', provenance.ageSeconds)
    closeWhenDraining(reply)
    return reply
  }

  /** Checked when the response is sent, since the service may have started to stop meanwhile. */
  function closeWhenDraining(reply: FastifyReply): void {
    if (needs.servers.draining()) reply.header('connection', 'close')
  }
}

const json = 'application/json'
