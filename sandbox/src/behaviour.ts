// What do all responses of the sandbox share? Sandbox header, correlator, log, faults, and error format.

import { randomUUID } from 'node:crypto'
import { servedInstead } from '@ringfence/contract'
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

/** Marks the data of every response as made up. */
const sandboxHeader = ['x-ringfence-sandbox', 'true'] as const

export const serverOptions = {
  bodyLimit: 65_536,
  // Fastify's own log lines contain URLs with full phone numbers.
  logController: new LogController({ disableRequestLogging: true }),
  exposeHeadRoutes: false,
  // Some faults leave connections open.
  forceCloseConnections: true,
  routerOptions: { maxParamLength: 64 },
  frameworkErrors: (_error: Error, _request: FastifyRequest, reply: FastifyReply) => {
    reply.header(...sandboxHeader)
    reply.code(400).send(new Refusal('invalidArgument', 'The URL is malformed.').info)
  },
  clientErrorHandler: (_error: Error, socket) => {
    if (!socket.writable) return
    const body = JSON.stringify(new Refusal('invalidArgument', 'The request is not valid HTTP.').info)
    socket.end(
      `HTTP/1.1 400 Bad Request\r\n${sandboxHeader.join(': ')}\r\ncontent-type: application/json\r\n` +
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
    reply.header(...sandboxHeader)
    const correlator = correlatorOf(request)
    if (correlator !== null) reply.header('x-correlator', correlator)
    if (isAdmin(request)) return
    network.calls.begin(request, dateTime(network.clock.now()), correlator)
    const taken = network.faults.take(routeOf(request))
    if (taken && (await injectFault(taken.fault, request, reply, network, taken.off))) return reply
  })

  app.addHook('onSend', async (request, reply, payload) => {
    const call = network.calls.of(request)
    if (call) call.status = reply.statusCode
    return network.responseFaults.alter(request, reply, payload)
  })

  app.addHook('onResponse', async (request) => {
    const call = network.calls.of(request)
    if (call) request.log.info({ call }, 'call answered')
  })
}

/** The caller's correlator, or a new one when there is none. null: malformed, so the response does not repeat it. */
function correlatorOf(request: FastifyRequest): string | null {
  const given = request.headers['x-correlator'] ?? randomUUID()
  return typeof given === 'string' && isCorrelator(given) ? given : null
}

function isAdmin(request: FastifyRequest): boolean {
  return (request.routeOptions.url ?? request.url).startsWith('/sandbox/')
}

function routeOf(request: FastifyRequest): Route | undefined {
  const url = request.routeOptions.url?.replace(/:(\w+)/, '{$1}')
  return routes.find((route) => route === url)
}

/** Answers unknown paths with 404, and unknown methods of known paths with 405 and Allow. */
function answerUnknownRoutes(app: FastifyInstance): void {
  const known: { pattern: RegExp; methods: string }[] = []
  app.addHook('onRoute', ({ url, method }) => {
    known.push({ pattern: new RegExp(`^${url.replaceAll(/:\w+/g, '[^/]+')}$`), methods: String(method) })
  })
  app.setNotFoundHandler((request, reply) => {
    const path = request.url.split('?', 1)[0] ?? ''
    const allowed = known.filter(({ pattern }) => pattern.test(path)).map(({ methods }) => methods)
    if (allowed.length > 0) reply.header('allow', allowed.join(', '))
    if (allowed.length > 0) return reply.code(405).send(errorInfoFor(405))
    const instead = servedInstead(path)
    const info = errorInfoFor(404)
    return reply.code(404).send(instead === undefined ? info : { ...info, message: `${info.message} ${instead}` })
  })
}
