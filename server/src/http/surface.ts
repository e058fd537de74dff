// What is a row of the HTTP surface? An endpoint of the contract, or a page for people and operations.

import {
  type AdminEndpoint,
  type Admission,
  type Endpoint,
  endpoints,
  Nothing,
  type Scope,
  scopeOfEndpoint,
} from '@ringfence/contract'
import type { Static } from 'typebox'
import { change } from '../admin/changes/change.ts'
import type { StreamAnswer } from '../admin/live/stream-answer.ts'
import { masking } from '../admin/masking/mask-answer.ts'
import type { ActorCall, AnyCall, Call, CallOf } from '../call.ts'
import type { FailureName } from '../errors.ts'
import type { JsonText } from '../json/json-text.ts'
import type { LinesAnswer } from '../json/lines-answer.ts'
import type { Page } from '../pages/page.ts'
import type { Platform } from '../platform.ts'
import { type BodyReader, bodyReader, type ObjectSchema } from './body.ts'

/**
 * A handler reads like the section of the specification that it cites, and knows no HTTP. A stored JSON answer is sent as it is:
 * parsing and serialising it would cost more than all other work.
 */
export type Handler<Body, Answer, Asked extends AnyCall = Call> = (
  body: Body,
  call: Asked,
  platform: Platform,
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

/**
 * A row for an endpoint of the contract. Path, caller and error format repeat the contract for the reader; a row that differs from it
 * does not compile, and neither does a handler for another caller. `fieldFailures` has the refusal of each field of the body, or of
 * all, in the order of the checks.
 */
export function endpoint<E extends Endpoint>(
  definition: E,
  path: E['path'],
  caller: E['caller'],
  errorFormat: E['errorFormat'],
  handler: Handler<Static<E['request']>, Static<E['answer']>, CallOf[E['caller']]>,
  fieldFailures: FailureName | { readonly [Field in keyof Static<E['request']>]-?: FailureName },
): EndpointRow {
  const schema = definition.request as ObjectSchema
  const failures = failureOfEach(schema, fieldFailures)
  return {
    kind: 'endpoint',
    method: definition.method,
    path,
    caller,
    errorFormat,
    scope: scopeOf(definition),
    admission: undefined,
    body: bodyReader<unknown>(schema, failures),
    fieldFailures: new Set(Object.values(failures)),
    hasFacts: Object.hasOwn(schema.properties, 'facts'),
    acceptsForm: definition.form !== undefined,
    takesLines: definition.sends,
    acceptsAssertion: fieldsOf(definition.form).includes('client_assertion'),
    answersNothing: definition.answer === Nothing,
    isStream: false,
    handler: handler as Handler<unknown, unknown, AnyCall>,
  }
}

/**
 * A row for an endpoint of the admin API. Path and permission repeat the contract for the reader. A handler gets the actor, unless
 * anyone may call.
 */
export function adminEndpoint<E extends AdminEndpoint>(
  definition: E,
  path: E['path'],
  permission: E['permission'],
  handler: Handler<
    Static<E['request']>,
    Static<E['answer']>,
    E['permission'] extends 'anyone' ? CallOf['admin'] : ActorCall
  >,
  fieldFailures: FailureName | { readonly [Field in keyof Static<E['request']>]-?: FailureName } = 'fieldInvalid',
): EndpointRow {
  const schema = definition.request as ObjectSchema
  const failures = failureOfEach(schema, fieldFailures)
  return {
    kind: 'endpoint',
    method: definition.method,
    path,
    caller: definition.caller,
    errorFormat: definition.errorFormat,
    scope: undefined,
    admission: permission,
    body: bodyReader<unknown>(schema, failures),
    fieldFailures: new Set(Object.values(failures)),
    hasFacts: false,
    acceptsForm: false,
    acceptsAssertion: false,
    isStream: definition.stream === true,
    handler: masking(
      definition,
      (definition.effect === 'write' && permission !== 'anyone'
        ? change(definition, handler as never)
        : handler) as never,
    ) as unknown as Handler<unknown, unknown, AnyCall>,
  }
}

const fieldsOf = (schema: Endpoint['form']) => Object.keys((schema as ObjectSchema | undefined)?.properties ?? {})

const scopeOf = (definition: Endpoint): Scope | undefined =>
  Object.entries(scopeOfEndpoint).find(([name]) => Reflect.get(endpoints, name) === definition)?.[1]

function failureOfEach({ properties }: { properties: Record<string, unknown> }, failures: FailureName | object) {
  if (typeof failures === 'object') return failures as Readonly<Record<string, FailureName>>
  return Object.fromEntries(Object.keys(properties).map((field) => [field, failures]))
}

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
  platform: Platform,
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
