// Which web pages may call the service from a browser? Pages of the origins that apps list. (WHATWG Fetch, 3.2)

import type { FastifyReply, FastifyRequest } from 'fastify'
import { Refusal } from '../errors.ts'
import type { HttpNeeds } from './room.ts'

/** Response headers that a page may read. */
const exposed = 'x-request-id, retry-after'
const allowedHeaders = 'appid, authorization, content-type, x-request-id'
/** A browser caches a preflight for this long (the limit of Chromium). */
const preflightSeconds = 7200

/** Lets the page read the response if an app lists its origin. Whether the page may call is checked in each call. */
export async function allowReading(request: FastifyRequest, reply: FastifyReply, { apps }: HttpNeeds): Promise<void> {
  // Caches must keep one response for each origin.
  reply.header('vary', 'Origin')
  const { origin } = request.headers
  if (origin === undefined || !(await apps.isListedOrigin(origin))) return
  reply.header('access-control-allow-origin', origin)
  reply.header('access-control-allow-credentials', 'true') // the device's cookie
  reply.header('access-control-expose-headers', exposed)
}

/** Answers the preflight that a browser sends before a call to another origin. Refuses with `originUnlisted`, or `methodNotAllowed` for a request that is not a preflight. */
export async function answerPreflight(
  request: FastifyRequest,
  reply: FastifyReply,
  { method, needs }: { method: string; needs: HttpNeeds },
): Promise<FastifyReply> {
  if (request.headers.origin === undefined || request.headers['access-control-request-method'] === undefined) {
    throw new Refusal('methodNotAllowed', { allow: `${method}, OPTIONS` })
  }
  await allowReading(request, reply, needs)
  if (!reply.hasHeader('access-control-allow-origin')) throw new Refusal('originUnlisted')
  return reply
    .status(204)
    .header('access-control-allow-methods', method)
    .header('access-control-allow-headers', allowedHeaders)
    .header('access-control-max-age', preflightSeconds)
    .send()
}
