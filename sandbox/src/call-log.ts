// Which calls did the operator get? The last ones, with numbers masked, so that a test can see who asked what.

import type { FastifyRequest } from 'fastify'
import { masked, withNumbersMasked } from './phone-number.ts'

/** One call of anything but the admin surface. */
export interface Call {
  readonly sequence: number
  /** By the sandbox's clock. */
  readonly at: string
  readonly method: string
  /** Without query; numbers masked. */
  readonly path: string
  correlator: string | null
  /** null: not answered yet, or never (reset, half-open). */
  status: number | null
  client: string | null
  /** The OAuth grant that was asked for, or that the access token came from. */
  grant: 'client_credentials' | 'jwt-bearer' | null
  /** How the client proved who it is, at the token endpoint. */
  authentication: 'client_secret_basic' | 'private_key_jwt' | 'jwt-bearer' | null
  /** The number asked about, masked. */
  number: string | null
  /** The fault that was injected. */
  fault: string | null
}

export interface CallLog {
  begin(request: FastifyRequest, at: string, correlator: string | null): void
  /** The entry of a call that `begin` was told of. */
  of(request: FastifyRequest): Call | undefined
  /** Oldest first. */
  last(count: number): readonly Call[]
  clear(): void
}

export const callsKept = 1_000

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
      if (entries.length > callsKept) entries.shift()
      byRequest.set(request, call)
    },
    of: (request) => byRequest.get(request),
    last: (count) => entries.slice(Math.max(0, entries.length - count)),
    clear: () => {
      entries.length = 0
    },
  }
}

/** Notes the number, masked; also within the correlator, into which some callers write it. */
export function noteNumber(call: Call | undefined, digits: string): void {
  if (!call) return
  call.number = masked(digits)
  call.correlator = call.correlator?.replaceAll(digits, masked(digits)) ?? null
}
