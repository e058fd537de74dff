// Which row of the surface does a request mean? The answer gets its ids first, so that also a refusal has them.

import { servedInstead } from '@ringfence/contract'
import { Refusal } from '../../core/errors.ts'
import { httpsOnly } from '../pages/page-headers.ts'
import type { Progress } from '../progress.ts'
import { refuseWide } from '../request/form.ts'
import { namesOneHost } from '../request/request-target.ts'
import { isOfSdk } from '../rows.ts'
import type { Row } from '../surface.ts'
import type { Serving } from './step.ts'

/** The headers of every answer. */
export function identify({ reply, requestId, correlator }: Progress, { needs }: Serving): void {
  reply.header('x-request-id', requestId)
  reply.header('x-correlator', correlator)
  reply.header('x-content-type-options', 'nosniff')
  if (needs.settings.baseUrl?.startsWith('https:')) reply.headers(httpsOnly)
}

/** Refuses with `invalidHttp`, and closes the connection. */
export function nameOneHost({ request, reply }: Progress): void {
  if (namesOneHost(request)) return
  reply.header('connection', 'close')
  throw new Refusal('invalidHttp')
}

/** Refuses with `notFound`, `methodNotAllowed`, and `fieldInvalid` for a query of too many fields. */
export function findRow(progress: Progress, { rows }: Serving): void {
  const rowsAt = rows.at(progress.arrival.path)
  progress.row = rowsAt.find((row) => answers(row, progress.method))
  refuseWide('query', progress.url)
  if (progress.row) return
  if (rowsAt.length === 0) {
    const hint = servedInstead(progress.arrival.path ?? '')
    throw new Refusal('notFound', hint === undefined ? {} : { hint })
  }
  throw new Refusal('methodNotAllowed', { allow: rowsAt.map(({ method }) => method).join(', ') })
}

/** A page also answers HEAD, and an endpoint of the SDK the preflights of browsers. */
function answers(row: Row, method: string): boolean {
  if (row.method === method) return true
  return row.kind === 'page' ? method === 'HEAD' && row.method === 'GET' : method === 'OPTIONS' && isOfSdk(row)
}
