// What does a request get that is refused because of overload? Made before it is needed, as far as it can be.

import type { OutgoingHttpHeaders } from 'node:http'
import type { ErrorFormat } from '@ringfence/contract'
import { Refusal } from '../../core/errors.ts'
import type { RequestIds } from '../request/request-ids.ts'
import { retryAfterSeconds } from '../response/as-refusal.ts'
import { errorFormats, mediaTypeOfError } from '../response/error-formats.ts'

/** In place of the request id, which some formats have in the body. No id contains it. */
const idMark = '{id}'

const bodies = Object.fromEntries(
  Object.entries(errorFormats).map(([format, response]) => {
    const { body } = response(new Refusal('unavailable', { retryAfterSeconds }), idMark)
    return [format, JSON.stringify(body).split(idMark)]
  }),
) as Record<ErrorFormat, string[]>

export function overloadAnswer(
  format: ErrorFormat,
  { requestId, correlator }: RequestIds,
): { headers: OutgoingHttpHeaders; body: string } {
  const body = bodies[format].join(requestId)
  const headers = {
    'content-type': `${mediaTypeOfError(format)}; charset=utf-8`,
    'content-length': body.length,
    'retry-after': String(retryAfterSeconds),
    'x-request-id': requestId,
    'x-correlator': correlator,
    'x-content-type-options': 'nosniff',
    'cache-control': 'no-store',
  }
  return { headers, body }
}
