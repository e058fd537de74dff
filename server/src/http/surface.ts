// What is a row of the HTTP surface? Two kinds: an endpoint of the contract, and a page for people and operations.

import type { Endpoint } from '@ringfence/contract'
import type { Static } from 'typebox'
import type { AnyCall, Call, CallOf } from '../call.ts'
import type { FailureName } from '../errors.ts'
import type { JsonText } from '../json/json-text.ts'
import type { Platform } from '../platform.ts'
import { type BodyReader, bodyReader, type ObjectSchema } from './body.ts'
import type { Page } from './page.ts'

/**
 * A handler reads like the section of the specification that it cites, and knows no HTTP. An answer that was stored as
 * JSON goes out as it was stored: parsing and serialising it again would cost more than all the rest.
 */
export type Handler<Body, Answer, Asked extends AnyCall = Call> = (
  body: Body,
  call: Asked,
  platform: Platform,
) => Promise<Answer | JsonText<Answer>>

export interface EndpointRow {
  readonly kind: 'endpoint'
  readonly method: Endpoint['method']
  readonly path: string
  readonly caller: Endpoint['caller']
  readonly errorFormat: Endpoint['errorFormat']
  readonly body: BodyReader<unknown>
  /** Its body may be larger than others. */
  readonly bringsFacts: boolean
  /** Its body may also be a form. */
  readonly takesForm: boolean
  readonly handler: Handler<unknown, unknown, AnyCall>
}

/**
 * A row for an endpoint of the contract. Path, caller and error format stand in the table for the reader; another one than the
 * contract's does not compile, nor does a handler that rests on another caller than the row's. `fieldFailures` names the refusal
 * of each field of the body (or of all), in the order of the checks.
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
  return {
    kind: 'endpoint',
    method: definition.method,
    path,
    caller,
    errorFormat,
    body: bodyReader<unknown>(schema, failureOfEach(schema, fieldFailures)),
    bringsFacts: Object.hasOwn(schema.properties, 'facts'),
    takesForm: definition.form !== undefined,
    handler: handler as Handler<unknown, unknown, AnyCall>,
  }
}

function failureOfEach({ properties }: { properties: Record<string, unknown> }, failures: FailureName | object) {
  if (typeof failures === 'object') return failures as Readonly<Record<string, FailureName>>
  return Object.fromEntries(Object.keys(properties).map((field) => [field, failures]))
}

export interface PageRow {
  readonly kind: 'page'
  readonly method: 'GET' | 'POST'
  readonly path: string
  /** `person`: anyone, within a rate for each address. `operations`: whoever bears the metrics token, anyone where none is set. */
  readonly caller: 'anyone' | 'person' | 'operations'
  readonly page: MakePage
}

/** `fields`: of the query; of a form, where one was sent. What stands in them was not checked. */
type MakePage = (platform: Platform, fields: URLSearchParams) => Page | Promise<Page>

export function page(path: string, caller: PageRow['caller'], make: PageRow['page']): PageRow {
  return { kind: 'page', method: 'GET', path, caller, page: make }
}

/** What a form of one of our pages is sent to. */
export function formPage(path: string, make: MakePage): PageRow {
  return { kind: 'page', method: 'POST', path, caller: 'person', page: make }
}

export type Row = EndpointRow | PageRow
