// Does an answer have the shape that the OpenAPI document gives for its path and status?

import { ErrorBody, openApiDocument, Problem } from '@ringfence/contract'
import type { TSchema } from 'typebox'
import { Compile } from 'typebox/compile'

type Json = { readonly [key: string]: unknown }

/** Statuses of HTTP itself, which any path may return: malformed, not found, method, time-out, headers too large. */
const ofHttp = [400, 404, 405, 408, 431]

export interface AnswerShapes {
  /** What is wrong with this answer; undefined when it has the specified shape. */
  misfit(path: string, status: number, body: string, mediaType?: string): string | undefined
}

/** The shapes of every path of the document. */
export function answerShapes(): AnswerShapes {
  const document = openApiDocument() as { paths: Json; components: { schemas: Json } }
  const checks = new Map<string, ReturnType<typeof Compile>>()
  const types = new Map<string, string[]>()
  const empty = new Set<string>()
  for (const [path, operations] of Object.entries(document.paths)) {
    for (const operation of Object.values(operations as Json)) {
      const { responses } = operation as { responses: Record<string, { content?: Record<string, { schema: Json }> }> }
      for (const [status, { content }] of Object.entries(responses)) {
        if (!content) empty.add(`${path} ${status}`)
        types.set(`${path} ${status}`, Object.keys(content ?? {}))
        const { schema } = content?.['application/json'] ?? content?.['application/problem+json'] ?? {}
        if (schema) checks.set(`${path} ${status}`, Compile(resolved(schema, document.components.schemas) as TSchema))
      }
    }
  }
  const [error, problem] = [Compile(ErrorBody), Compile(Problem)]
  /** What is no HTTP has no path yet. */
  const ofAdmin = { Check: (value: unknown) => problem.Check(value) || error.Check(value) }
  /** For an unknown path, such as random bytes may contain: the shape of any family. */
  const ofAnyPath = [...checks].filter(([key]) => Number(key.split(' ')[1]) >= 400).map(([, check]) => check)
  const anyError = { Check: (value: unknown) => ofAnyPath.some((check) => check.Check(value)) }
  return {
    misfit(path, status, body, mediaType) {
      if (empty.has(`${path} ${status}`))
        return body === '' ? undefined : `status ${status} with a body: ${body.slice(0, 200)}`
      const specified = checks.get(`${path} ${status}`)
      const ofFamily = path.startsWith('/admin/') ? ofAdmin : error
      const general = path in document.paths ? (ofHttp.includes(status) ? ofFamily : undefined) : anyError
      if (!specified && !general) return `status ${status} is not specified for ${path}`
      let value: unknown
      try {
        value = JSON.parse(body)
      } catch {
        return `status ${status} with a body that is not JSON: ${body.slice(0, 200)}`
      }
      const listed = types.get(`${path} ${status}`)
      // What is no HTTP has no path yet, and gets plain JSON.
      const isPathless = ofHttp.includes(status) && mediaType === 'application/json' && error.Check(value)
      if (mediaType !== undefined && listed && !listed.includes(mediaType) && !isPathless)
        return `status ${status} as ${mediaType}, which is not specified for ${path}`
      return specified?.Check(value) || general?.Check(value)
        ? undefined
        : `status ${status} with a body of another shape: ${body.slice(0, 300)}`
    },
  }
}

/** The schema with every reference replaced by its target. */
export function resolved(schema: unknown, named: Json): unknown {
  if (Array.isArray(schema)) return schema.map((part) => resolved(part, named))
  if (typeof schema !== 'object' || schema === null) return schema
  const { $ref, ...rest } = schema as Json
  if (typeof $ref === 'string') return resolved(named[$ref.split('/').at(-1)!], named)
  return Object.fromEntries(Object.entries(rest).map(([key, part]) => [key, resolved(part, named)]))
}
