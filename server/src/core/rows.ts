// What is a row of the surface? An endpoint of the contract with its handler, or a page for people and operations.

import type { AdminEndpoint, Endpoint, FailureName } from '@ringfence/contract'
import type { Static } from 'typebox'
import type { AnyCall, CallOf } from './call.ts'
import type { JsonText } from './json/json-text.ts'
import type { LinesAnswer } from './json/lines-answer.ts'
import type { Page } from './pages/page.ts'
import type { StreamAnswer } from './stream-answer.ts'

/**
 * A handler reads like the section of the specification that it cites, and knows no HTTP. A stored JSON answer is sent as it is:
 * parsing and serialising it would cost more than all other work. `needs`: what the `room.ts` of its folder lists.
 */
export type Handler<Body, Answer, Asked extends AnyCall, Needs> = (
  body: Body,
  call: Asked,
  needs: Needs,
) => Promise<Answer | JsonText<Answer> | StreamAnswer | LinesAnswer>

type SomeEndpoint = Endpoint | AdminEndpoint

export interface EndpointRow<Needs> {
  readonly kind: 'endpoint'
  readonly endpoint: SomeEndpoint
  readonly handler: Handler<unknown, unknown, AnyCall, Needs>
}

/**
 * The call that the handler of an endpoint gets. One of the admin API gets the actor, unless anyone may call. One of clients gets a
 * client, also while a person calls.
 */
type CallFor<E extends SomeEndpoint> = E extends { caller: 'admin'; permission: infer Needed }
  ? Needed extends 'anyone'
    ? CallNamed<'admin'>
    : CallNamed<'actor'>
  : CallNamed<E['caller']>

type CallNamed<Name> = Name extends keyof CallOf ? CallOf[Name] : never

/** Its wrong fields are refused with failures that exist, and it has these fields. */
type NamesFailures<E extends SomeEndpoint> = E extends { fieldFailures: infer Failures }
  ? { fieldFailures: { [Field in keyof Failures]: Field extends keyof Static<E['request']> ? FailureName : never } }
  : unknown

/** Binds an endpoint of the contract to its handler. One for another caller, request or answer does not compile. */
export function handle<E extends SomeEndpoint, Needs>(
  endpoint: E & NamesFailures<E>,
  handler: Handler<Static<E['request']>, Static<E['answer']>, CallFor<E>, Needs>,
): EndpointRow<Needs> {
  return { kind: 'endpoint', endpoint, handler: handler as Handler<unknown, unknown, AnyCall, Needs> }
}

/**
 * `anyone`: with a generous rate limit for each IP address. `person`: with that of the SDK calls. `probe`: without a limit.
 * `operations`: requests with the metrics token, or of this machine if none is set, without a limit.
 */
type Visitor = 'anyone' | 'person' | 'probe' | 'operations'

export interface PageRow<Needs> {
  readonly kind: 'page'
  readonly method: 'GET' | 'POST'
  readonly path: string
  readonly caller: Visitor
  readonly page: MakePage<Needs>
}

/**
 * `fields`: of the query, or of the form of a POST; they were not checked. `ipAddress`: of who opened it, where it is known.
 * `parameters`: of the path.
 */
type MakePage<Needs> = (
  needs: Needs,
  fields: URLSearchParams,
  ipAddress: string | undefined,
  parameters: Readonly<Record<string, string>>,
) => Page | Promise<Page>

export function page<Needs>(path: string, caller: Visitor, make: MakePage<Needs>): PageRow<Needs> {
  return { kind: 'page', method: 'GET', path, caller, page: make }
}

/** The target of a form on one of the pages. */
export function formPage<Needs>(path: string, make: MakePage<Needs>): PageRow<Needs> {
  return { kind: 'page', method: 'POST', path, caller: 'person', page: make }
}

export type Row<Needs> = EndpointRow<Needs> | PageRow<Needs>
