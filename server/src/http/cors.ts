// May this page ask, and read the answer? Pages of the origins that apps list, and nobody else. (WHATWG Fetch, 3.2)

import type { FastifyReply, FastifyRequest } from 'fastify'
import { Refusal } from '../errors.ts'
import type { Platform } from '../platform.ts'

/** What a page may read beside the body. */
const exposed = 'x-request-id, retry-after'
const allowedHeaders = 'appid, authorization, content-type, x-request-id'
/** Browsers ask again after this long at the latest (Chromium's own limit). */
const rememberSeconds = 7200

/** Tells the browser that the page may read this answer, when an app lists its origin. Whether it may ask is the call's business. */
export async function allowReading(request: FastifyRequest, reply: FastifyReply, { apps }: Platform): Promise<void> {
  // The answer differs by origin, for whoever keeps copies of it.
  reply.header('vary', 'Origin')
  const { origin } = request.headers
  if (origin === undefined || !(await apps.isListedOrigin(origin))) return
  reply.header('access-control-allow-origin', origin)
  reply.header('access-control-allow-credentials', 'true') // the device's cookie
  reply.header('access-control-expose-headers', exposed)
}

/** What a browser asks before it sends a call to another origin. Refuses with `originUnlisted`; without an origin it is no such question. */
export async function answerPreflight(
  request: FastifyRequest,
  reply: FastifyReply,
  { method, platform }: { method: string; platform: Platform },
): Promise<FastifyReply> {
  if (request.headers.origin === undefined || request.headers['access-control-request-method'] === undefined) {
    throw new Refusal('methodNotAllowed', { allow: `${method}, OPTIONS` })
  }
  await allowReading(request, reply, platform)
  if (!reply.hasHeader('access-control-allow-origin')) throw new Refusal('originUnlisted')
  return reply
    .status(204)
    .header('access-control-allow-methods', method)
    .header('access-control-allow-headers', allowedHeaders)
    .header('access-control-max-age', rememberSeconds)
    .send()
}
