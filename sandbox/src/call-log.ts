// Which calls did the operator receive? The latest ones, with masked numbers, so that a test can check them.

import type { FastifyRequest } from 'fastify'
import { masked, withNumbersMasked } from './phone-number.ts'

/** A call of any route except the admin API. */
export interface Call {
  readonly sequence: number
  /** RFC 3339, by the sandbox's clock. */
  readonly at: string
  readonly method: string
  /** Without the query; numbers are masked. */
  readonly path: string
  correlator: string | null
  /** null: the call has no response yet, or never gets one (reset, half-open). */
  status: number | null
  client: string | null
  /** The OAuth grant of the token request, or of the access token. */
  grant: 'client_credentials' | 'jwt-bearer' | 'ciba' | 'authorization_code' | null
  /** How the client authenticated at the token endpoint. */
  authentication: 'client_secret_basic' | 'private_key_jwt' | 'jwt-bearer' | null
  /** The number that the call is about, masked. */
  number: string | null
  /** The injected fault. */
  fault: string | null
}

export interface CallLog {
  begin(request: FastifyRequest, at: string, correlator: string | null): void
  /** The entry that `begin` made for this request. */
  of(request: FastifyRequest): Call | undefined
  /** The latest calls, oldest first. */
  last(count: number): readonly Call[]
  clear(): void
}

export const callLogLength = 1_000

export function callLog(): CallLog {
  const entries: Call[] = []
  const byRequest = new WeakMap<FastifyRequest, Call>()
  let sequence = 0
  return {
    begin(request, at, correlator) {
      sequence += 1
      const path = withNumbersMasked(request.url.split('?', 1)[0] ?? '').slice(0, 200)
      const call: Call = {
        sequence,
        at,
        method: request.method,
        path,
        correlator,
        status: null,
        client: null,
        grant: null,
        authentication: null,
        number: null,
        fault: null,
      }
      entries.push(call)
      if (entries.length > callLogLength) entries.shift()
      byRequest.set(request, call)
    },
    of: (request) => byRequest.get(request),
    last: (count) => entries.slice(Math.max(0, entries.length - count)),
    clear: () => {
      entries.length = 0
    },
  }
}

/** Logs the number, masked. Masks it in the correlator too, because some callers use the number there. */
export function logNumber(call: Call | undefined, digits: string): void {
  if (!call) return
  call.number = masked(digits)
  call.correlator = call.correlator?.replaceAll(digits, masked(digits)) ?? null
}
