// What does the console call? Endpoints of the admin API, and those of clients that people may call too; each with its permission.

import type { AnyEndpoint, Endpoint, RefusalRow } from '../endpoints/endpoint.ts'
import type { Permission } from './permissions.ts'
import { problem } from './problem.ts'

/** The permission that a call needs; `signedIn`: any role; `anyone`: before sign-in. */
export type Admission = Permission | 'signedIn' | 'anyone'

/** An endpoint of the admin API alone. */
interface OwnEndpoint extends AnyEndpoint {
  /** A part in braces is a field of the request. */
  readonly path: `/admin/v1/${string}`
  readonly caller: 'admin'
  readonly errorFormat: 'problem'
  readonly permission: Admission
  /** It answers with server-sent events that do not end; each one's data is an `answer`. */
  readonly stream?: true
  /** Whether it changes anything. A POST that only searches does not. */
  readonly effect: 'read' | 'write'
  /** Whether a change needs If-Match: the version of the record that the caller has read. */
  readonly ifMatch?: true
}

/** An endpoint of clients that people may call too. */
type SharedEndpoint = Extract<Endpoint, { permission: Permission }> & {
  readonly stream?: never
  readonly ifMatch?: never
}

export type AdminEndpoint = OwnEndpoint | SharedEndpoint

const everyAdminCall = {
  400: problem('A field is missing or wrong', 'field-invalid', 'invalid-json'),
  401: problem('Nobody is signed in, or the credentials are wrong', 'not-signed-in', 'credentials-invalid'),
  405: problem('Wrong method; see Allow', 'method-not-allowed'),
  408: problem('The request did not arrive completely in time', 'request-timeout'),
  413: problem('The body is larger than 64 KiB', 'body-too-large'),
  415: problem('The body is not JSON, or is compressed', 'media-type-unsupported'),
  429: problem(
    'Too many requests, or searches of a role that sees masked values; see Retry-After',
    'rate-limited',
    'searches-used-up',
  ),
  431: problem('The headers are larger than 16 KiB', 'headers-too-large'),
  500: problem('An unexpected failure'),
  503: problem('The service is overloaded or stopping, or cannot reach its database; see Retry-After', 'unavailable'),
} as const

const refusedByRole = problem(
  'The role lacks the permission, or another web page sent the request',
  'permission-missing',
  'request-forged',
  'client-restricted',
  'sso-required',
)

const refusalsOfRepeats = {
  409: problem(
    'The first request with this Idempotency-Key had another body, or is in progress',
    'idempotency-key-reused',
    'idempotency-key-in-use',
  ),
} as const

const refusalsOfVersions = {
  412: problem('Somebody else has changed it; `version` is the present one', 'version-changed'),
  428: problem('If-Match is missing', 'version-missing'),
} as const

type Declared = Pick<
  OwnEndpoint,
  | 'method'
  | 'path'
  | 'tag'
  | 'summary'
  | 'description'
  | 'request'
  | 'fieldFailures'
  | 'answer'
  | 'permission'
  | 'ifMatch'
  | 'stream'
> & { readonly effect?: 'read'; readonly refusals?: Readonly<Record<number, RefusalRow>> }

/**
 * Declares an endpoint. One without a permission does not compile. A GET reads; a POST writes, unless it says `effect: 'read'`. Each
 * change that needs a permission can be repeated with an Idempotency-Key; one with `ifMatch` needs the version of the record too.
 */
export function admin<const E extends Declared>(
  endpoint: E,
): Omit<E, 'refusals' | 'effect'> &
  Pick<OwnEndpoint, 'caller' | 'errorFormat' | 'accepted' | 'effect' | 'refusals' | 'idempotencyKey'> {
  const { refusals, effect = endpoint.method === 'GET' ? 'read' : 'write', ...declared } = endpoint
  const isRepeatable = effect === 'write' && endpoint.permission !== 'anyone' && endpoint.permission !== 'signedIn'
  return {
    ...declared,
    caller: 'admin',
    errorFormat: 'problem',
    accepted: 'Done',
    effect,
    ...(isRepeatable && { idempotencyKey: true }),
    refusals: merged(
      everyAdminCall,
      { 403: refusedByRole },
      isRepeatable ? refusalsOfRepeats : {},
      endpoint.ifMatch ? refusalsOfVersions : {},
      refusals ?? {},
    ),
  }
}

/** The last description of a status comes first; those of the mechanisms are added to it. */
function merged(...all: Readonly<Record<number, RefusalRow>>[]): Readonly<Record<number, RefusalRow>> {
  const statuses = new Set(all.flatMap((rows) => Object.keys(rows).map(Number)))
  const rowOf = (status: number): RefusalRow => {
    const found = all.flatMap((rows) => rows[status] ?? [])
    const own = found.at(-1)!
    if (status !== 409 || found.length === 1) return own
    return {
      description: found
        .toReversed()
        .map(({ description }) => description)
        .join('. '),
      body: own.body,
      samples: found.toReversed().flatMap(({ samples }) => samples),
    }
  }
  return Object.fromEntries([...statuses].map((status) => [status, rowOf(status)]))
}
