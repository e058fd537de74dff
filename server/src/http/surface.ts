// What is a row of the HTTP surface? An endpoint of the contract with its handler, or a page for people and operations.

import {
  type AdminEndpoint,
  type Admission,
  type AnyEndpoint,
  type Endpoint,
  Nothing,
  type Scope,
} from '@ringfence/contract'
import type { Static } from 'typebox'
import type { Change } from '../admin/audit/audited-call.ts'
import { change } from '../admin/changes/change.ts'
import type { StreamAnswer } from '../admin/live/stream-answer.ts'
import { masking } from '../admin/masking/mask-answer.ts'
import type { ActorCall, AnyCall, Call, CallOf } from '../call.ts'
import type { FailureName } from '../errors.ts'
import type { JsonText } from '../json/json-text.ts'
import type { LinesAnswer } from '../json/lines-answer.ts'
import type { Page } from '../pages/page.ts'
import type { Parts } from '../parts.ts'
import { type BodyReader, bodyReader, type ObjectSchema } from './body.ts'

/**
 * A handler reads like the section of the specification that it cites, and knows no HTTP. A stored JSON answer is sent as it is:
 * parsing and serialising it would cost more than all other work.
 */
export type Handler<Body, Answer, Asked extends AnyCall = Call> = (
  body: Body,
  call: Asked,
  needs: Parts,
) => Promise<Answer | JsonText<Answer> | StreamAnswer | LinesAnswer>

export interface EndpointRow {
  readonly kind: 'endpoint'
  readonly method: Endpoint['method']
  readonly path: string
  readonly caller: Endpoint['caller']
  readonly errorFormat: Endpoint['errorFormat']
  /** What a restricted client needs; only for calls of clients. */
  readonly scope: Scope | undefined
  /** What a caller of the admin API needs; undefined for other endpoints. */
  readonly admission: Admission | undefined
  /** An access token must have one of them; undefined for other callers than `token`. */
  readonly tokenScopes?: readonly string[]
  readonly body: BodyReader<unknown>
  /** The refusals of wrong fields. */
  readonly fieldFailures: ReadonlySet<FailureName>
  /** The body contains facts of a device, and may be larger. */
  readonly hasFacts: boolean
  /** Credentials may be among the fields of a form, or of the query of a GET. */
  readonly acceptsForm: boolean
  /** Its body is lines of one of these media types, which the handler reads as they arrive; undefined for JSON. */
  readonly takesLines?: readonly string[] | undefined
  /** The form may have a client assertion (RFC 7521) in place of a secret. */
  readonly acceptsAssertion: boolean
  /** It answers 204. */
  readonly answersNothing?: boolean
  /** It answers with server-sent events that do not end. */
  readonly isStream: boolean
  readonly handler: Handler<unknown, unknown, AnyCall>
}

/** The call that the handler of an endpoint gets. One of the admin API gets the actor, unless anyone may call. */
type CallFor<E extends Endpoint | AdminEndpoint> = E extends { permission: infer Needed }
  ? Needed extends 'anyone'
    ? CallOf['admin']
    : ActorCall
  : CallOf[E['caller']]

/** Its wrong fields are refused with failures that exist, and it has these fields. */
type NamesFailures<E extends Endpoint | AdminEndpoint> = E extends { fieldFailures: infer Failures }
  ? { fieldFailures: { [Field in keyof Failures]: Field extends keyof Static<E['request']> ? FailureName : never } }
  : unknown

/** Binds an endpoint of the contract to its handler. One for another caller, request or answer does not compile. */
export function handle<E extends Endpoint | AdminEndpoint>(
  definition: E & NamesFailures<E>,
  handler: Handler<Static<E['request']>, Static<E['answer']>, CallFor<E>>,
): EndpointRow {
  const endpoint: Endpoint | AdminEndpoint = definition
  const schema = endpoint.request as ObjectSchema
  const failures = failureOfEach(schema, endpoint.fieldFailures)
  const ofAdmin = endpoint.caller === 'admin' && 'permission' in endpoint ? endpoint : undefined
  return {
    kind: 'endpoint',
    method: endpoint.method,
    path: endpoint.path,
    caller: endpoint.caller,
    errorFormat: endpoint.errorFormat,
    scope: 'scope' in endpoint ? endpoint.scope : undefined,
    admission: ofAdmin?.permission,
    ...('tokenScopes' in endpoint && endpoint.tokenScopes && { tokenScopes: endpoint.tokenScopes }),
    body: bodyReader<unknown>(schema, failures),
    fieldFailures: new Set(Object.values(failures)),
    hasFacts: Object.hasOwn(schema.properties, 'facts'),
    acceptsForm: endpoint.form !== undefined,
    takesLines: endpoint.sends,
    acceptsAssertion: fieldsOf(endpoint.form).includes('client_assertion'),
    answersNothing: endpoint.answer === Nothing,
    isStream: ofAdmin?.stream === true,
    handler: (ofAdmin ? ofActor(ofAdmin, handler as never) : handler) as Handler<unknown, unknown, AnyCall>,
  }
}

/** With what every call of the admin API has: its answer is masked for some roles, and a change has its audit line. */
function ofActor(definition: AdminEndpoint, handler: Change) {
  const isChange = definition.effect === 'write' && definition.permission !== 'anyone'
  return masking(definition, isChange ? change(definition, handler) : handler)
}

const fieldsOf = (schema: Endpoint['form']) => Object.keys((schema as ObjectSchema | undefined)?.properties ?? {})

/** In the order of the checks. */
const failureOfEach = ({ properties }: ObjectSchema, named: AnyEndpoint['fieldFailures'] = {}) =>
  ({
    ...named,
    ...Object.fromEntries(Object.keys(properties).map((field) => [field, named[field] ?? 'fieldInvalid'])),
  }) as Readonly<Record<string, FailureName>>

export interface PageRow {
  readonly kind: 'page'
  readonly method: 'GET' | 'POST'
  readonly path: string
  /**
   * `anyone`: with a generous rate limit for each IP address. `person`: with that of the SDK calls. `probe`: without a limit.
   * `operations`: requests with the metrics token, or of this machine if none is set, without a limit.
   */
  readonly caller: 'anyone' | 'person' | 'probe' | 'operations'
  readonly page: MakePage
}

/**
 * `fields`: of the query, or of the form of a POST; they were not checked. `ipAddress`: of who opened it, where it is known.
 * `parameters`: of the path.
 */
type MakePage = (
  needs: Parts,
  fields: URLSearchParams,
  ipAddress: string | undefined,
  parameters: Readonly<Record<string, string>>,
) => Page | Promise<Page>

export function page(path: string, caller: PageRow['caller'], make: PageRow['page']): PageRow {
  return { kind: 'page', method: 'GET', path, caller, page: make }
}

/** The target of a form on one of the pages. */
export function formPage(path: string, make: MakePage): PageRow {
  return { kind: 'page', method: 'POST', path, caller: 'person', page: make }
}

export type Row = EndpointRow | PageRow
