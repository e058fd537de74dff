// Under which ids do caller, service and operator speak of a request? Well-formed ones of the caller are kept.

import { randomUUID } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import { correlatorPattern, requestIdPattern } from '@ringfence/contract'

export interface RequestIds {
  requestId: string
  correlator: string
}

/** x-request-id and CAMARA's x-correlator; the latter is the request id where the caller sent none. */
export function requestIds(headers: IncomingHttpHeaders): RequestIds {
  const requestId = wellFormed(headers['x-request-id'], requestIdPattern) ?? randomUUID()
  return { requestId, correlator: wellFormed(headers['x-correlator'], correlatorPattern) ?? requestId }
}

function wellFormed(value: string | string[] | undefined, pattern: RegExp): string | undefined {
  return typeof value === 'string' && pattern.test(value) ? value : undefined
}
