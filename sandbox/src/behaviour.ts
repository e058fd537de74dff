// What does every answer of the sandbox have in common? The mark, the correlator, the log, the faults, and how failures look.

import { randomUUID } from 'node:crypto'
import {
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  type FastifyServerOptions,
  LogController,
} from 'fastify'
import type { TSchema } from 'typebox'
import { accessDecorator } from './access.ts'
import { answerErrorsAsErrorInfo, isCorrelator } from './camara/error-info.ts'
import { errorInfoFor, Refusal } from './camara/errors.ts'
import { lineDecorator } from './camara/subject.ts'
import { injectFault } from './fault-injection.ts'
import { type Route, routes } from './faults.ts'
import { dateTime } from './lines.ts'
import type { Network } from './network.ts'
import { inputCheck } from './schema-check.ts'

/** Says of every answer that its data are made up. */
const mark = ['x-ringfence-sandbox', 'true'] as const

export const serverOptions = {
  bodyLimit: 65_536,
  // Fastify's own lines would carry addresses with full numbers.
  logController: new LogController({ disableRequestLogging: true }),
  exposeHeadRoutes: false,
  // Faults leave connections open on purpose.
  forceCloseConnections: true,
  routerOptions: { maxParamLength: 64 },
  frameworkErrors: (_error: Error, _request: FastifyRequest, reply: FastifyReply) => {
    reply.header(...mark)
    reply.code(400).send(new Refusal('invalidArgument', 'The address is malformed.').info)
  },
  clientErrorHandler: (_error: Error, socket) => {
    if (!socket.writable) return
    const body = JSON.stringify(new Refusal('invalidArgument', 'This is not HTTP as it should be.').info)
    socket.end(
      `HTTP/1.1 400 Bad Request\r\n${mark.join(': ')}\r\ncontent-type: application/json\r\n` +
        `content-length: ${Buffer.byteLength(body)}\r\nconnection: close\r\n\r\n${body}`,
    )
  },
} satisfies FastifyServerOptions

export function addBehaviour(app: FastifyInstance, network: Network): void {
  app.removeContentTypeParser('text/plain')
  app.setValidatorCompiler<TSchema>(({ schema }) => inputCheck(schema))
  app.decorateRequest(accessDecorator, null)
  app.decorateRequest(lineDecorator, null)
  answerErrorsAsErrorInfo(app)
  answerUnknownRoutes(app)

  app.addHook('onRequest', async (request, reply) => {
    reply.header(...mark)
    const correlator = correlatorOf(request)
    if (correlator !== null) reply.header('x-correlator', correlator)
    if (isAdmin(request)) return
    network.calls.begin(request, dateTime(network.clock.now()), correlator)
    const fault = network.faults.strike(routeOf(request))
    if (fault && (await injectFault(fault, request, reply, network))) return reply
  })

  app.addHook('onSend', async (request, reply, payload) => {
    const call = network.calls.of(request)
    if (call) call.status = reply.statusCode
    return network.pendingFaults.applyTo(request, reply, payload)
  })

  app.addHook('onResponse', async (request) => {
    const call = network.calls.of(request)
    if (call) request.log.info({ call }, 'call answered')
  })
}

/** The caller's, or one of our own where there is none; null: malformed, and so not echoed. */
function correlatorOf(request: FastifyRequest): string | null {
  const given = request.headers['x-correlator'] ?? randomUUID()
  return typeof given === 'string' && isCorrelator(given) ? given : null
}

function isAdmin(request: FastifyRequest): boolean {
  return (request.routeOptions.url ?? request.url).startsWith('/sandbox/')
}

function routeOf(request: FastifyRequest): Route | undefined {
  const url = request.routeOptions.url?.replace(':digits', '{digits}')
  return routes.find((route) => route === url)
}

/** 404 for unknown paths, 405 with Allow for known ones. */
function answerUnknownRoutes(app: FastifyInstance): void {
  const known: { pattern: RegExp; methods: string }[] = []
  app.addHook('onRoute', ({ url, method }) => {
    known.push({ pattern: new RegExp(`^${url.replaceAll(/:\w+/g, '[^/]+')}$`), methods: String(method) })
  })
  app.setNotFoundHandler((request, reply) => {
    const path = request.url.split('?', 1)[0] ?? ''
    const allowed = known.filter(({ pattern }) => pattern.test(path)).map(({ methods }) => methods)
    if (allowed.length > 0) reply.header('allow', allowed.join(', '))
    const status = allowed.length > 0 ? 405 : 404
    return reply.code(status).send(errorInfoFor(status))
  })
}
