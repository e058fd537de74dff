// Which row of the surface answers a path?

import type { IncomingHttpHeaders } from 'node:http'
import { parse } from 'node:querystring'
import type { ErrorFormat } from '@ringfence/contract'
import type { Settings } from '../core/config/settings.ts'
import { isInSession } from './credentials/admit-actor.ts'
import type { Progress } from './progress.ts'
import { isForm } from './request/form.ts'
import type { EndpointRow, Row } from './surface.ts'

export interface Rows {
  /** The rows of a path, one for each method. */
  at(path: string | undefined): readonly Row[]
  /** The parameters that the path of the row names. They are never decoded. */
  parametersOf(row: Row, path: string): Readonly<Record<string, string>>
  /** What was sent as body or query, with the parameters of the path. */
  withParameters(row: Row, path: string, given: unknown): unknown
  /**
   * The error format of a path. One that is not an endpoint has that of its neighbours: below the same version, else of the same API if
   * all of its endpoints have one format. Others have that of the telecom checks.
   */
  errorFormatAt(path: string | undefined): ErrorFormat
}

const none: readonly Row[] = []

/** `/v1/decisions/{decisionId}` contains a parameter. */
const parameter = /\{(\w+)\}/g

/** The path of a row as audit lines have it: `/v1/decisions/:decisionId`. */
export const auditedPath = ({ path }: Row) => path.replace(parameter, ':$1')

/** No id of ours needs other characters. */
const formOf = (path: string) => new RegExp(`^${path.replace(parameter, '(?<$1>[A-Za-z0-9_-]{1,64})')}$`)

/** Throws an Error when two rows have the same method and path. */
export function rowsOf(surface: readonly Row[]): Rows {
  const targets = surface.map(({ method, path }) => `${method} ${path}`)
  const twice = targets.find((target, at) => targets.indexOf(target) < at)
  if (twice !== undefined) throw new Error(`two rows of the surface answer ${twice}`)
  const byPath = Map.groupBy(surface, ({ path }) => path)
  const templates = [...byPath]
    .filter(([path]) => path.includes('{'))
    .map(([path, rows]) => ({ path, form: formOf(path), rows }))
  for (const { path } of templates) byPath.delete(path)
  const at = (path: string | undefined) => {
    if (path === undefined) return none
    return byPath.get(path) ?? templates.find(({ form }) => form.test(path))?.rows ?? none
  }
  const parametersOf = (row: Row, path: string) =>
    templates.find((template) => template.path === row.path)?.form.exec(path)?.groups ?? {}
  const formatsBelow = (head: string) =>
    new Set(surface.flatMap((row) => (row.kind === 'endpoint' && row.path.startsWith(head) ? [row.errorFormat] : [])))
  return {
    at,
    parametersOf,
    withParameters(row, path, given) {
      // A list, or null, is left to the schema, which refuses it.
      const isObject = typeof given === 'object' && given !== null && !Array.isArray(given)
      return row.path.includes('{') && isObject ? { ...given, ...parametersOf(row, path) } : given
    },
    errorFormatAt(path) {
      const [row] = at(path)
      if (row?.kind === 'endpoint') return row.errorFormat
      if (!path) return 'telecom'
      const parts = path.split('/')
      const [beside] = formatsBelow(`${parts.slice(0, 3).join('/')}/`)
      if (beside) return beside
      const ofApi = formatsBelow(`/${parts[1]}/`)
      return ofApi.size === 1 ? [...ofApi][0]! : 'telecom'
    },
  }
}

/** Whole numbers of the admin API's queries are numbers. Other queries repeat texts of the specification. */
export function queryOf(row: EndpointRow, { body, url, headers }: Progress): unknown {
  const query = body ?? parseQuery(url)
  if (row.caller !== 'admin') return query
  const fields = row.body.ofQuery(query)
  const lastEventId = headers['last-event-id']
  return row.isStream && lastEventId !== undefined ? { ...(fields as object), lastEventId } : fields
}

/** The fields of a query by name; a repeated field becomes a list. */
export function parseQuery(url: string): Record<string, unknown> {
  const at = url.indexOf('?')
  return at < 0 ? {} : parse(url.slice(at + 1))
}

/** Whether a person calls an endpoint of clients. */
export const isOfPerson = (row: EndpointRow, headers: IncomingHttpHeaders): boolean =>
  row.caller === 'client' && row.admission !== undefined && isInSession(headers)

/** Whether a request sends a form to a row that takes one. */
export const sendsForm = (row: EndpointRow, headers: IncomingHttpHeaders): boolean =>
  row.acceptsForm && isForm(headers['content-type'])

/** How many bytes of a body a row takes. */
export const bodyLimitOf = (row: Row, settings: Pick<Settings, 'bodyLimitBytes' | 'sdkBodyLimitBytes'>): number =>
  row.kind === 'endpoint' && row.hasFacts ? settings.sdkBodyLimitBytes : settings.bodyLimitBytes

/** Whether pages of other origins call it. */
export const isOfSdk = ({ caller }: Row): boolean => caller === 'app' || caller === 'session'
