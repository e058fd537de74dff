// Which ids does a request have in the logs of caller, service and operator? The caller's ids are used if they are well-formed.

import { randomUUID } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import { correlatorPattern, requestIdPattern } from '@ringfence/contract'

export interface RequestIds {
  requestId: string
  correlator: string
}

/** x-request-id and CAMARA's x-correlator. Without a correlator, the request id is used. */
export function requestIds(headers: IncomingHttpHeaders): RequestIds {
  const requestId = wellFormed(headers['x-request-id'], requestIdPattern) ?? randomUUID()
  return { requestId, correlator: wellFormed(headers['x-correlator'], correlatorPattern) ?? requestId }
}

function wellFormed(value: string | string[] | undefined, pattern: RegExp): string | undefined {
  return typeof value === 'string' && pattern.test(value) ? value : undefined
}
