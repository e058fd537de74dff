// What does HTTP know about each row of the surface? What its endpoint says, and the handler with all that it needs.

import type { FailureName } from '@ringfence/contract'
import {
  type AdminEndpoint,
  type Admission,
  type AnyEndpoint,
  type Endpoint,
  Nothing,
  type Scope,
} from '@ringfence/contract'
import { asClientCall, withoutAuthor } from '../admin/as-client-call.ts'
import type { Change } from '../admin/audit/audited-call.ts'
import { change } from '../admin/changes/change.ts'
import { masking } from '../admin/masking/mask-answer.ts'
import type { AnyCall } from '../core/call.ts'
import type { Page } from '../core/pages/page.ts'
import type * as core from '../core/rows.ts'
import { type BodyReader, bodyReader, type ObjectSchema } from './request/body.ts'

export interface EndpointRow {
  readonly kind: 'endpoint'
  readonly method: Endpoint['method']
  readonly path: string
  readonly caller: Endpoint['caller']
  readonly errorFormat: Endpoint['errorFormat']
  /** What a restricted client needs; only for calls of clients. */
  readonly scope: Scope | undefined
  /** What a caller in a role needs; undefined for endpoints that only clients call. */
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
  readonly handler: (body: unknown, call: AnyCall) => Promise<unknown>
}

export interface PageRow extends Omit<core.PageRow<never>, 'page'> {
  /** As `MakePage` of core/rows.ts. */
  readonly page: (
    fields: URLSearchParams,
    ipAddress: string | undefined,
    parameters: Readonly<Record<string, string>>,
  ) => Page | Promise<Page>
}

export type Row = EndpointRow | PageRow

type Described = Omit<EndpointRow, 'handler'> | Omit<PageRow, 'page'>

/** What the rows say, without who answers. */
export const described = (rows: readonly core.Row<never>[]): Described[] =>
  rows.map((row) => (row.kind === 'endpoint' ? describe(row) : row))

/** The rows of features, each with what its handler needs. */
export const bind = <Needs>(rows: readonly core.Row<Needs>[], needs: Needs): Row[] =>
  rows.map((row) =>
    row.kind === 'endpoint' ? bindEndpoint(row, needs) : { ...row, page: (...visit) => row.page(needs, ...visit) },
  )

function bindEndpoint<Needs>(row: core.EndpointRow<Needs>, needs: Needs): EndpointRow {
  const { endpoint, handler } = row
  const ofActors = ofActorsIn(endpoint)
  const answered = (ofActors ? forActors(ofActors, handler as never) : handler) as typeof handler
  return { ...describe(row), handler: (body, call) => answered(body, call, needs) }
}

/** The endpoint, if people and clients with a role may call it. */
const ofActorsIn = (endpoint: Endpoint | AdminEndpoint): AdminEndpoint | undefined =>
  'permission' in endpoint && endpoint.permission !== undefined ? endpoint : undefined

function describe({ endpoint }: Pick<core.EndpointRow<never>, 'endpoint'>): Omit<EndpointRow, 'handler'> {
  const schema = endpoint.request as ObjectSchema
  const failures = failureOfEach(schema, endpoint.fieldFailures)
  const ofActors = ofActorsIn(endpoint)
  return {
    kind: 'endpoint',
    method: endpoint.method,
    path: endpoint.path,
    caller: endpoint.caller,
    errorFormat: endpoint.errorFormat,
    scope: 'scope' in endpoint ? endpoint.scope : undefined,
    admission: ofActors?.permission,
    ...('tokenScopes' in endpoint && endpoint.tokenScopes && { tokenScopes: endpoint.tokenScopes }),
    body: bodyReader<unknown>(schema, failures),
    fieldFailures: new Set(Object.values(failures)),
    hasFacts: Object.hasOwn(schema.properties, 'facts'),
    acceptsForm: endpoint.form !== undefined,
    takesLines: endpoint.sends,
    acceptsAssertion: fieldsOf(endpoint.form).includes('client_assertion'),
    answersNothing: endpoint.answer === Nothing,
    isStream: ofActors?.caller === 'admin' && ofActors.stream === true,
  }
}

/**
 * With what every call of somebody in a role has: the answer is masked for some roles, and a change has its audit line and happens
 * once for each Idempotency-Key. A client that calls by its scope has none of it.
 */
function forActors(definition: AdminEndpoint, handler: Change): Change {
  const isShared = definition.caller === 'client'
  const inRole = isShared ? asClientCall(handler) : handler
  const isChange = definition.effect === 'write' && definition.permission !== 'anyone'
  const answer = masking(definition, isChange ? change(definition, inRole) : inRole)
  if (!isShared) return answer
  return (body, call, needs) =>
    'actor' in call ? answer(withoutAuthor(body), call, needs) : handler(body, call, needs)
}

const fieldsOf = (schema: Endpoint['form']) => Object.keys((schema as ObjectSchema | undefined)?.properties ?? {})

/** In the order of the checks. */
const failureOfEach = ({ properties }: ObjectSchema, named: AnyEndpoint['fieldFailures'] = {}) =>
  ({
    ...named,
    ...Object.fromEntries(Object.keys(properties).map((field) => [field, named[field] ?? 'fieldInvalid'])),
  }) as Readonly<Record<string, FailureName>>
