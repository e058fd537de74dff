// How does a request become a response? The steps of every row of the surface, in their order.

import { deadlineMs, type ErrorFormat } from '@ringfence/contract'
import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify'
import type { AnyCall, Provenance } from '../call.ts'
import { failures, Refusal } from '../errors.ts'
import { isJson } from '../json/content-type.ts'
import { JsonText } from '../json/json-text.ts'
import type { Platform } from '../platform.ts'
import { admission, type CallerContext } from './admission.ts'
import { asRefusal, retryAfterSeconds } from './as-refusal.ts'
import { isPlain, parseJson } from './body.ts'
import { brokenRequests } from './broken-request.ts'
import { allowReading, answerPreflight } from './cors.ts'
import { writeDeviceCookie } from './device-cookie.ts'
import { deviceHeaders } from './device-headers.ts'
import { errorFormats } from './error-formats.ts'
import { isForm, parseForm, takeCredentials } from './form.ts'
import { addNotice } from './notice.ts'
import { Deadline } from './request-deadline.ts'
import { type RequestIds, requestIds } from './request-ids.ts'
import { recordRequest, rowOf } from './request-record.ts'
import { fieldsOf, hasBearerToken, sendPage } from './send-page.ts'
import type { EndpointRow, PageRow, Row } from './surface.ts'

/** What is known of a request in flight. */
interface Progress extends RequestIds {
  arrivedAt: number
  /** Who calls; absent until it is known. */
  caller?: CallerContext
  /** The client id of a form, not yet verified. */
  formClientId?: string | undefined
  provenance?: Provenance
  deadline?: Deadline
  /** It was accepted by `overload`, and has to leave. */
  entered?: boolean
  /** It was refused because of overload. */
  shed?: boolean
}

declare module 'fastify' {
  interface FastifyRequest {
    progress: Progress
  }
}

/** The HTTP server of a platform; it does not listen yet. */
export function httpServer(platform: Platform, surface: readonly Row[]): FastifyInstance {
  const { settings } = platform
  const server = Fastify({
    logger: false,
    bodyLimit: settings.bodyLimitBytes,
    requestTimeout: settings.requestTimeoutMs,
    http: {
      headersTimeout: settings.requestTimeoutMs,
      connectionsCheckingInterval: 500, // the default of Node is 30 s
      requireHostHeader: false, // Node would respond without a body; see onRequest
    },
    forceCloseConnections: 'idle',
    return503OnClosing: false,
    clientErrorHandler: brokenRequests(platform),
    frameworkErrors: (_error, request, reply) => {
      request.progress = begin(request, reply)
      refuse(request, reply, new Refusal('notFound'))
    },
  })

  server.removeAllContentTypeParsers()
  // application/json is named as well, since Fastify would search its list of types at each request.
  server.addContentTypeParser(['application/json', '*'], { parseAs: 'buffer' }, (request, bytes, done) =>
    done(null, parsed(request, bytes as Buffer)),
  )
  server.addHook('onRequest', (request, reply, done) => {
    request.progress = begin(request, reply)
    if (request.headers.host === undefined && request.raw.httpVersion === '1.1') throw new Refusal('invalidHttp') // RFC 9112, 3.2
    // Not in Fastify's 404 handler, which would read the body first.
    if (request.is404) throw noSuchRow(request)
    done()
  })

  const admit = admission(platform)
  for (const row of surface) {
    if (row.kind === 'page') servePage(row)
    else serveEndpoint(row)
  }

  server.setErrorHandler((error, request, reply) =>
    refuse(request, reply, asRefusal(error, request.routeOptions.bodyLimit), error),
  )
  // Unknown expectations may be ignored (RFC 9110, 10.1.1); Node would respond with 417 and no body.
  server.server.on('checkExpectation', (request, response) => server.server.emit('request', request, response))
  return server

  function parsed(request: FastifyRequest, bytes: Buffer): unknown {
    if (isForm(request.headers['content-type'])) return parseForm(bytes)
    const row = rowOf(request)
    return row?.kind === 'endpoint' ? row.body.parse(bytes) : parseJson(bytes)
  }

  function begin(request: FastifyRequest, reply: FastifyReply): Progress {
    const progress: Progress = { ...requestIds(request.headers), arrivedAt: performance.now() }
    reply.header('x-request-id', progress.requestId)
    reply.header('x-correlator', progress.correlator)
    reply.header('x-content-type-options', 'nosniff')
    reply.raw.once('close', () => end(request, reply))
    return progress
  }

  function end(request: FastifyRequest, reply: FastifyReply): void {
    const { entered, deadline } = request.progress
    if (entered) platform.overload.leave()
    if (!reply.raw.writableFinished) deadline?.abandon()
    recordRequest(platform, request, reply)
  }

  function noSuchRow(request: FastifyRequest): Refusal {
    const rows = rowsAt(request)
    if (rows.length === 0) return new Refusal('notFound')
    return new Refusal('methodNotAllowed', { allow: rows.map(({ method }) => method).join(', ') })
  }

  function rowsAt(request: FastifyRequest): Row[] {
    const path = pathOf(request)
    return surface.filter((row) => row.path === path)
  }

  function serveEndpoint(row: EndpointRow): void {
    const isOfSdk = row.caller === 'app' || row.caller === 'session'
    server.route({
      method: row.method,
      url: row.path,
      exposeHeadRoute: false,
      bodyLimit: row.hasFacts ? settings.sdkBodyLimitBytes : settings.bodyLimitBytes,
      config: { row },
      onRequest: async (request, reply) => {
        const { progress, headers } = request
        enter(progress)
        reply.header('cache-control', 'no-store')
        if (isOfSdk) await allowReading(request, reply, platform)
        const sendsForm = row.acceptsForm && isForm(headers['content-type'])
        const caller = await callerOf(row, request, reply, sendsForm)
        if (caller) progress.caller = caller
        if (row.method === 'GET') return
        if (!(sendsForm || isJson(headers['content-type'])) || !isPlain(headers['content-encoding']))
          throw new Refusal('mediaTypeUnsupported')
      },
      // Only where it is needed, since an empty step costs time too.
      ...(row.acceptsForm && { preHandler: admitBySentForm }),
      handler: async (request, reply) => {
        const { progress } = request
        const given = row.method === 'GET' ? request.query : request.body
        const notice = row.body.notice(given)
        if (notice) addNotice(reply, notice)
        const body = row.body.read(given)
        const deadline = new Deadline(progress.arrivedAt + deadlineOf(request, settings.deadlineMs))
        progress.deadline = deadline
        progress.provenance = { sandbox: false }
        const call: AnyCall = {
          requestId: progress.requestId,
          correlator: progress.correlator,
          provenance: progress.provenance,
          get signal() {
            return deadline.signal
          },
          get address() {
            return addressOf(request)
          },
          get connection() {
            return platform.connectionFingerprint({ peer: request.raw.socket.remoteAddress, headers: request.headers })
          },
          get headers() {
            return deviceHeaders(request.headers)
          },
          ...progress.caller,
        }
        try {
          const answer = await row.handler(body, call, platform)
          sendDeviceToken(progress.caller, reply)
          return send(reply, 200, answer, progress.provenance)
        } finally {
          deadline.met()
        }
      },
    })
    if (!isOfSdk) return
    server.route({
      method: 'OPTIONS',
      url: row.path,
      config: { row },
      onRequest: async (request) => enter(request.progress),
      handler: (request, reply) => answerPreflight(request, reply, { method: row.method, platform }),
    })
  }

  function sendDeviceToken(caller: CallerContext | undefined, reply: FastifyReply): void {
    if (!caller || !('deviceCookie' in caller) || caller.deviceCookie.token === undefined) return
    const isHttps = settings.baseUrl?.startsWith('https:') === true
    writeDeviceCookie(reply, caller.app.tenantId, caller.deviceCookie.token, isHttps)
  }

  async function admitBySentForm(request: FastifyRequest, reply: FastifyReply): Promise<void> {
    const { progress } = request
    if (progress.caller) return
    const { clientId, clientSecret, fields } = takeCredentials(request.body as ReturnType<typeof parseForm>)
    progress.formClientId = clientId
    progress.caller = await admit.client(clientId, clientSecret, reply)
    request.body = fields
  }

  function enter(progress: Progress): void {
    progress.entered = platform.overload.enter()
    progress.shed = !progress.entered
    if (progress.shed) throw new Refusal('unavailable', { retryAfterSeconds })
  }

  /** Undefined when the form may contain the credentials: then the caller is known after the body was read. */
  async function callerOf(row: EndpointRow, request: FastifyRequest, reply: FastifyReply, sendsForm: boolean) {
    switch (row.caller) {
      case 'client': {
        const { clientid, clientsecret } = request.headers as Record<string, string | undefined>
        if (sendsForm && clientid === undefined && clientsecret === undefined) return undefined
        return admit.client(clientid, clientsecret, reply)
      }
      case 'app':
        return admit.app(request, reply, addressOf(request))
      case 'session':
        return admit.session(request, reply, addressOf(request))
      case 'anyone':
        return {}
    }
  }

  function addressOf({ raw, headers }: FastifyRequest): string | undefined {
    return platform.clientAddress({ peer: raw.socket.remoteAddress, headers })
  }

  function servePage(row: PageRow): void {
    server.route({
      method: row.method,
      url: row.path,
      config: { row },
      ...(row.caller === 'person' && { onRequest: (request, reply) => admitPerson(row, request, reply) }),
      handler: async (request, reply) => {
        const { metricsToken } = settings
        if (row.caller === 'operations' && metricsToken && !hasBearerToken(request, metricsToken)) {
          throw new Refusal('metricsTokenMissing')
        }
        const page = await row.page(platform, fieldsOf(request))
        closeWhenDraining(reply)
        return sendPage(page, request, reply)
      },
    })
  }

  async function admitPerson(row: PageRow, request: FastifyRequest, reply: FastifyReply): Promise<void> {
    enter(request.progress)
    reply.header('cache-control', 'no-store')
    await admit.person(reply, addressOf(request))
    if (row.method === 'GET') return
    const { headers } = request
    if (!isForm(headers['content-type']) || !isPlain(headers['content-encoding'])) {
      throw new Refusal('mediaTypeUnsupported')
    }
  }

  /** A path that is not an endpoint has the error format of its neighbours, or else of the telecom checks. */
  function errorFormatBeside(request: FastifyRequest): ErrorFormat {
    const head = `${pathOf(request)?.split('/', 3).join('/')}/`
    const beside = surface.find((row) => row.kind === 'endpoint' && row.path.startsWith(head))
    return beside?.kind === 'endpoint' ? beside.errorFormat : 'telecom'
  }

  function refuse(request: FastifyRequest, reply: FastifyReply, refusal: Refusal | undefined, cause?: unknown): void {
    const row = rowOf(request) ?? rowsAt(request)[0]
    const { requestId, provenance } = request.progress
    const errorFormat = row?.kind === 'endpoint' ? row.errorFormat : errorFormatBeside(request)
    const { status, body } = errorFormats[errorFormat](refusal, requestId)
    if (!refusal) platform.log.error({ err: cause, requestId, path: row?.path }, 'request failed unexpectedly')
    if (refusal?.details.retryAfterSeconds !== undefined) reply.header('retry-after', refusal.details.retryAfterSeconds)
    if (refusal?.details.allow) reply.header('allow', refusal.details.allow)
    if (refusal?.details.mistake && !saysMistake(refusal)) addNotice(reply, refusal.details.mistake)
    send(reply, status, body, provenance)
  }

  function send(reply: FastifyReply, status: number, body: unknown, provenance?: Provenance): FastifyReply {
    if (provenance?.sandbox) reply.header('x-ringfence-sandbox', 'true')
    if (provenance?.ageSeconds !== undefined) reply.header('age', provenance.ageSeconds)
    closeWhenDraining(reply)
    // Text, since Fastify would search a serialiser for an object.
    const text = body instanceof JsonText ? body.text : JSON.stringify(body)
    return reply.status(status).header('content-type', 'application/json; charset=utf-8').send(text)
  }

  /** Checked when the response is sent, since the service may have started to stop meanwhile. */
  function closeWhenDraining(reply: FastifyReply): void {
    if (platform.draining()) reply.header('connection', 'close')
  }
}

/** The path as the router decodes it; undefined when it cannot be decoded. */
function pathOf({ url }: FastifyRequest): string | undefined {
  try {
    return decodeURI(url.split('?', 1)[0] ?? '')
  } catch {
    return undefined
  }
}

/** Milliseconds within which the caller wants the response (x-ringfence-deadline-ms). */
function deadlineOf(request: FastifyRequest, defaultMs: number): number {
  const text = request.headers['x-ringfence-deadline-ms']
  if (text === undefined) return defaultMs
  const value = typeof text === 'string' && /^\d{1,6}$/.test(text) ? Number(text) : Number.NaN
  if (!(value >= deadlineMs.minimum && value <= deadlineMs.maximum)) throw new Refusal('invalidDeadline')
  return value
}

/** Whether the body of the response names the mistake. Texts of the specification do not. */
const saysMistake = ({ failure }: Refusal) => failures[failure].description.includes('{mistake}')
