// What is kept of a request when it is over? One line in the log and one observation, however it ended.

import type { FastifyReply, FastifyRequest } from 'fastify'
import { isApiKey } from '../crypto/api-key.ts'
import type { Platform } from '../platform.ts'
import type { CallerContext } from './admission.ts'
import type { Row } from './surface.ts'

/** The caller has gone before the answer; no status was sent (the number that nginx gives it). */
const clientClosedRequest = 499

/** A row of the surface, or undefined for a path that has none. */
export const rowOf = (request: FastifyRequest) => (request.routeOptions?.config as { row?: Row } | undefined)?.row

/** Paths that are not ours are not told: they could be anything, numbers and secrets included. */
export function recordRequest(platform: Platform, request: FastifyRequest, reply: FastifyReply): void {
  const { requestId, asker, formClientId, arrivedAt, shed } = request.progress
  const row = rowOf(request)
  const path = row?.path ?? 'none'
  const status = reply.raw.writableFinished ? reply.statusCode : clientClosedRequest
  const seconds = (performance.now() - arrivedAt) / 1000
  platform.metrics.request(path, status, seconds)
  // Under overload a line for each refusal would cost more than the refusal.
  if (shed) return
  const ms = Math.round(seconds * 1e6) / 1000
  const line = {
    requestId,
    path,
    status,
    ms,
    ...idOf(asker, formClientId ?? request.headers.clientid),
  }
  if (row?.kind === 'page') platform.log.debug(line, 'request')
  else platform.log.info(line, 'request')
}

function idOf(
  asker: CallerContext | undefined,
  offered: unknown,
): { clientId?: string | undefined } | { appId: string } {
  if (asker && 'app' in asker) return { appId: asker.app.id }
  return { clientId: asker && 'caller' in asker ? asker.caller.clientId : offeredClientId(offered) }
}

/** The client id that was refused. Not anything else that stood in its place, as that may be the secret. */
function offeredClientId(clientId: unknown): string | undefined {
  return typeof clientId === 'string' && isApiKey(clientId, 'rfc') ? clientId : undefined
}
