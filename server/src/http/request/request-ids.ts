// Which ids does a request have in the logs of caller, service and operator? The caller's ids are used if they are well-formed.

import { randomUUID } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import { correlatorPattern, idempotencyKeyPattern, requestIdPattern } from '@ringfence/contract'
import { Refusal } from '../../core/errors.ts'

export interface RequestIds {
  requestId: string
  correlator: string
}

/** x-request-id and CAMARA's x-correlator. Without a correlator, the request id is used. */
export function requestIds(headers: IncomingHttpHeaders): RequestIds {
  const requestId = wellFormed(headers['x-request-id'], requestIdPattern) ?? randomUUID()
  return { requestId, correlator: wellFormed(headers['x-correlator'], correlatorPattern) ?? requestId }
}

/**
 * Idempotency-Key: a request that is sent again has the same (draft-ietf-httpapi-idempotency-key-header). Undefined without the header.
 * Refuses a malformed key, since the request would be made twice.
 */
export function idempotencyKeyOf(headers: IncomingHttpHeaders): string | undefined {
  const key = headers['idempotency-key']
  if (key === undefined) return undefined
  const found = wellFormed(key, idempotencyKeyPattern)
  if (found === undefined)
    throw new Refusal('fieldInvalid', { mistake: 'Idempotency-Key must be 1 to 255 letters, digits or ._:-' })
  return found
}

function wellFormed(value: string | string[] | undefined, pattern: RegExp): string | undefined {
  return typeof value === 'string' && pattern.test(value) ? value : undefined
}
