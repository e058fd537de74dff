// Is the body what the endpoint takes? JSON, of the schema, with a notice of fields that nobody reads.

import { isUtf8 } from 'node:buffer'
import type { TSchema } from 'typebox'
import { Compile } from 'typebox/compile'
import type { TLocalizedValidationError } from 'typebox/error'
import { type FailureName, Refusal } from '../errors.ts'
import { parseKeepingNumbers } from '../json/numbers.ts'

/** Whether a body arrives as it is; a compressed one is not taken (RFC 9110, 8.4). */
export const isPlain = (contentEncoding: string | undefined) =>
  contentEncoding === undefined || contentEncoding.toLowerCase() === 'identity'

/** Parses JSON (RFC 8259) in UTF-8, by another parser where one is given. Refuses with `invalidJson`, the reason kept for the log only. */
export function parseJson(bytes: Buffer, parse: (text: string) => unknown = JSON.parse): unknown {
  if (!isUtf8(bytes)) throw new Refusal('invalidJson')
  try {
    return parse(bytes.toString())
  } catch (cause) {
    throw new Refusal('invalidJson', { cause })
  }
}

export interface BodyReader<Body> {
  /** Reads JSON; refuses as `parseJson`. Of a body that takes fields of the caller's own, numbers stay as they were written. */
  parse(bytes: Buffer): unknown
  /** The body, when it fits the schema; refuses with the failure of its first field that does not. Nothing is coerced. */
  read(body: unknown): Body
  /** Names the fields of a body that the schema does not know and does not ask for either, or nothing. */
  notice(body: unknown): string | undefined
}

/** `fieldFailures` names the refusal for each field of the schema, the first field that is wrong decides. */
export function bodyReader<Body>(
  schema: TSchema & { properties: Record<string, unknown> },
  fieldFailures: Readonly<Record<string, FailureName>>,
): BodyReader<Body> {
  const compiled = Compile(schema)
  const known = Object.keys(schema.properties)
  const takesMore = Reflect.get(schema, 'additionalProperties') === true
  const failureOfField = Object.entries(fieldFailures)
  return {
    parse: (bytes) => parseJson(bytes, takesMore ? parseKeepingNumbers : undefined),
    read(body) {
      if (compiled.Check(body)) return body as Body
      const mistakes = compiled.Errors(body).flatMap(pathsOf)
      // A body that is no object at all lacks its first field.
      const [field, failure] =
        failureOfField.find(([name]) => mistakes.some(([at]) => at === name)) ?? failureOfField[0]!
      const [deepest = [field]] = mistakes.filter(([at]) => at === field).sort((a, b) => b.length - a.length)
      throw new Refusal(failure, { field: deepest.join('.').slice(0, longestPath) })
    },
    notice(body) {
      if (takesMore || typeof body !== 'object' || body === null || Array.isArray(body)) return undefined
      const unknown = Object.keys(body).filter((field) => !known.includes(field))
      if (unknown.length === 0) return undefined
      const more = unknown.length > noticedFields ? `; and ${unknown.length - noticedFields} more` : ''
      const named = unknown
        .slice(0, noticedFields)
        .map((field) => noticeOf(field, known))
        .join('; ')
      return named + more
    },
  }
}

const longestPath = 128

/** Where in the body the mistake is, `labels.7.outcome`; what lacks within a field is a mistake of that field. */
function pathsOf({ instancePath, keyword, params }: TLocalizedValidationError): string[][] {
  // Said of a key that is not known, beside what says so of the object.
  if (keyword === 'boolean') return []
  if (instancePath !== '') return [instancePath.split('/').slice(1)]
  return keyword === 'required' ? params.requiredProperties.map((name) => [name]) : []
}

/** How many are named; the rest is counted. */
const noticedFields = 8

function noticeOf(field: string, known: readonly string[]): string {
  const meant = known.find((candidate) => candidate.toLowerCase() === field.toLowerCase().replaceAll(/[_-]/g, ''))
  // A header value is printable ASCII (RFC 9110, 5.5); anything else is written as JSON writes it.
  const name = JSON.stringify(field.slice(0, 64)).replaceAll(
    /[^ -~]/g,
    (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
  return `unknown field ${name} was ignored${meant ? `, did you mean "${meant}"?` : ''}`
}
