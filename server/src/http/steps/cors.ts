// Which web pages may call the service from a browser? Pages of the origins that apps list. (WHATWG Fetch, 3.2)

import { Refusal } from '../../core/errors.ts'
import type { Progress } from '../progress.ts'
import type { Serving } from './step.ts'

/** Response headers that a page may read. */
const exposed = 'x-request-id, retry-after'
const allowedHeaders = 'appid, authorization, content-type, x-request-id'
/** A browser caches a preflight for this long (the limit of Chromium). */
const preflightSeconds = 7200

/** Lets the page read the response if an app lists its origin. Whether the page may call is checked in each call. */
export async function letPageRead(progress: Progress, { needs }: Serving): Promise<void> {
  const { reply, headers } = progress
  // Caches must keep one response for each origin.
  reply.header('vary', 'Origin')
  const { origin } = headers
  if (origin === undefined || !(await progress.inTime(() => needs.apps.isListedOrigin(origin)))) return
  reply.header('access-control-allow-origin', origin)
  reply.header('access-control-allow-credentials', 'true') // the device's cookie
  reply.header('access-control-expose-headers', exposed)
}

/** Answers the preflight that a browser sends before a call to another origin. Refuses with `originUnlisted`, or `methodNotAllowed` for a request that is not a preflight. */
export async function answerPreflight(progress: Progress, serving: Serving): Promise<void> {
  const { reply, headers, row } = progress
  const { method } = row!
  if (headers.origin === undefined || headers['access-control-request-method'] === undefined)
    throw new Refusal('methodNotAllowed', { allow: `${method}, OPTIONS` })
  await letPageRead(progress, serving)
  if (reply.valueOf('access-control-allow-origin') === undefined) throw new Refusal('originUnlisted')
  reply
    .status(204)
    .header('access-control-allow-methods', method)
    .header('access-control-allow-headers', allowedHeaders)
    .header('access-control-max-age', preflightSeconds)
    .send()
}
