// What is an endpoint of the contract? One row: its path, its caller, its request and response, and its errors.

import Type, { type TSchema } from 'typebox'
import type { Permission } from '../admin/permissions.ts'
import { ErrorBody, UnexpectedErrorBody } from '../errors.ts'
import type { Scope } from './scopes.ts'

/**
 * Who may call: a tenant's client with its secret, an app with its public id, an SDK session with its bearer token, a person who is
 * signed in to the console or a client with a role (`admin`), a client with an access token of our CAMARA API (`token`), or anyone
 * (health, documentation).
 */
export type Caller = 'client' | 'app' | 'session' | 'admin' | 'token' | 'anyone'

/** The error formats of the contract; see the server's errors.ts. */
export type ErrorFormat = 'telecom' | 'auth' | 'device' | 'legacy' | 'oauth' | 'problem' | 'camara'

export interface RefusalRow {
  readonly description: string
  readonly body: TSchema
  readonly samples: readonly string[]
}

/** The answer of an endpoint that answers nothing: 204 without a body. */
export const Nothing = Type.Null()

/** What every endpoint has, whoever calls it. */
export interface AnyEndpoint {
  readonly method: 'POST' | 'GET'
  /** A part in braces is a field of the request: `/v1/decisions/{decisionId}`. */
  readonly path: `/${string}`
  readonly errorFormat: ErrorFormat
  readonly tag: string
  readonly summary: string
  readonly description: string
  /** The body; for a GET, the query. */
  readonly request: TSchema
  /**
   * How wrong fields are refused, by the names of the server's errors.ts. These are checked first, in this order; then all others, in
   * the order of the request, with `fieldInvalid`.
   */
  readonly fieldFailures?: Readonly<Record<string, string>>
  /** The request with credentials among its fields, when the endpoint accepts that too: as a form, or as the query of a GET. */
  readonly form?: TSchema
  /** Whether it reads the header Idempotency-Key. */
  readonly idempotencyKey?: true
  readonly answer: TSchema
  /** The media types of a body of lines, which is read as it arrives. `request` is then the query. */
  readonly sends?: readonly string[]
  /** The media types of an answer of lines, the default first. `answer` is then one line of NDJSON. */
  readonly returns?: readonly string[]
  /** The samples of the answer that are its examples; all by default. */
  readonly answerSamples?: readonly string[]
  /** What a success means. */
  readonly accepted: string
  /** Errors by status, with the samples of their bodies. */
  readonly refusals: Readonly<Record<number, RefusalRow>>
}

/** What its caller needs: a client the scope, an access token one of the scopes. */
type Needed =
  | ({ readonly caller: 'client'; readonly scope: Scope; readonly tokenScopes?: never } & ForPeople)
  | { readonly caller: 'token'; readonly tokenScopes: readonly string[]; readonly scope?: never }
  | { readonly caller: Exclude<Caller, 'client' | 'token'>; readonly scope?: never; readonly tokenScopes?: never }

/** People of the console may call it too, with this permission: one that changes something then has its audit line. */
type ForPeople =
  | { readonly permission: Permission; readonly effect: 'read' | 'write' }
  | { readonly permission?: never; readonly effect?: never }

export type Endpoint = AnyEndpoint & Needed

/** The path with this text in place of each field, for an example. */
export const pathWith = (path: string, value: string): string => path.replace(/\{\w+\}/g, value)

/** The fields of the request that are in the path. */
export const pathFields = (path: string): string[] => [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name!)

export const refused = (description: string, ...samples: string[]): RefusalRow => ({
  description,
  body: ErrorBody,
  samples,
})

/** Of a call that checks a phone number: its tenant requires a purpose, or does not have this one. */
export const aboutConsent = ['consent-required', 'consent-not-allowed'] as const

/**
 * The failure that a sample shows: `invalid-json` is invalidJson. `-auth` marks a sample of the error format auth, for a failure
 * whose code differs between the formats.
 */
export const failureOfSample = (sample: string): string =>
  sample.replace(/-auth$/, '').replace(/-([a-z])/g, (_, letter: string) => letter.toUpperCase())

/** What a restricted client gets. */
export const restricted =
  'The client is restricted: it lacks the scope of this endpoint, or may not call from this IP address'

/** The errors of every call of a client, and of the sign-in. */
export const everyCall = {
  401: refused('Missing or invalid credentials', 'credentials-missing', 'credentials-invalid'),
  405: refused('Wrong method, use POST; see Allow', 'method-not-allowed'),
  408: refused('The request did not arrive completely in time', 'request-timeout'),
  413: refused('The body is larger than 64 KiB', 'body-too-large'),
  415: refused('The body is not JSON, or is compressed', 'media-type-unsupported'),
  429: refused('Rate limit exceeded; see Retry-After, RateLimit and RateLimit-Policy', 'rate-limited'),
  431: refused('The headers are larger than 16 KiB', 'headers-too-large'),
  500: { description: 'An unexpected failure', body: UnexpectedErrorBody, samples: ['ordinary'] },
  503: refused('The service is overloaded or stopping, or cannot reach its database; see Retry-After', 'unavailable'),
} as const

/** The errors of every call of a client. */
export const everyClientCall = { ...everyCall, 403: refused(restricted, 'client-restricted') } as const

/** The errors of every call that clients and people make. */
export const everyCallOfBoth = {
  ...everyCall,
  401: refused(
    'Missing or invalid credentials, or a session that has ended',
    'credentials-missing',
    'credentials-invalid',
    'not-signed-in',
  ),
  403: refused(
    `${restricted}. Of a person: the role lacks the permission, or another web page sent the request`,
    'client-restricted',
    'permission-missing',
    'request-forged',
    'sso-required',
  ),
  429: refused(
    'Rate limit exceeded, or too many searches of a role that sees masked values; see Retry-After, RateLimit and RateLimit-Policy',
    'rate-limited',
    'searches-used-up',
  ),
} as const
