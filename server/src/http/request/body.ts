// Does a body match the schema of its endpoint? Unknown fields are ignored and named in a notice, or refused where the schema is closed.

import { isUtf8 } from 'node:buffer'
import type { FailureName } from '@ringfence/contract'
import type { TSchema } from 'typebox'
import { firstMistake } from '../../core/config/schema-errors.ts'
import { Refusal } from '../../core/errors.ts'
import { compileOnUse } from '../../core/json/compile-on-use.ts'
import { exceededBound, type JsonBounds } from '../../core/json/json-bounds.ts'
import { parseKeepingNumbers } from '../../core/json/numbers.ts'
import { boundsOf, ordinaryBounds } from './body-bounds.ts'

/** Whether the body is not compressed; compressed ones are refused (RFC 9110, 8.4). */
export const isPlain = (contentEncoding: string | undefined) =>
  contentEncoding === undefined || contentEncoding.toLowerCase() === 'identity'

/**
 * Parses JSON (RFC 8259) in UTF-8. Refuses with `fieldInvalid` what exceeds the bounds, before it is parsed, and with `invalidJson`;
 * the reason is only for the log.
 */
export function parseJson(
  bytes: Buffer,
  bounds: JsonBounds = ordinaryBounds,
  parse: (text: string) => unknown = JSON.parse,
): unknown {
  const exceeded = exceededBound(bytes, bounds)
  if (exceeded !== undefined) throw new Refusal('fieldInvalid', { mistake: `the body may ${exceeded}` })
  if (!isUtf8(bytes)) throw new Refusal('invalidJson')
  try {
    return parse(bytes.toString())
  } catch (cause) {
    throw new Refusal('invalidJson', { cause })
  }
}

export interface BodyReader<Body> {
  /** Parses JSON as `parseJson`. If the schema allows any other fields, numbers stay as they were written. */
  parse(bytes: Buffer): unknown
  /** The fields of a query, with whole numbers where the schema has integers. Other texts stay, and are refused by `read`. */
  ofQuery(query: unknown): unknown
  /** The body, if it matches the schema. Refuses with the failure of the first wrong field. No value is converted. */
  read(body: unknown): Body
  /** Those fields of a body that the schema knows: what is ignored must reach no handler. */
  known(body: Body): Body
  /** Names the fields that the schema does not know, and counts those whose names could be secrets; undefined when there are none. */
  notice(body: unknown): string | undefined
}

/** `fieldFailures` has the refusal of each field, in the order of the checks. */
export function bodyReader<Body>(
  schema: ObjectSchema,
  fieldFailures: Readonly<Record<string, FailureName>>,
): BodyReader<Body> {
  const compiled = compileOnUse(schema)
  const bounds = boundsOf(schema)
  const known = Object.keys(schema.properties)
  const takesMore = Reflect.get(schema, 'additionalProperties') === true
  const isClosed = Reflect.get(schema, 'additionalProperties') === false
  const failureOfField = Object.entries(fieldFailures)
  const unknownIn = (body: object) => Object.keys(body).filter((field) => !known.includes(field))
  return {
    parse: (bytes) => parseJson(bytes, bounds, takesMore ? parseKeepingNumbers : undefined),
    ofQuery(query) {
      const isInteger = (name: string) => Reflect.get(schema.properties[name] ?? {}, 'type') === 'integer'
      return Object.fromEntries(
        Object.entries(query as object).map(([name, value]) => [
          name,
          isInteger(name) && /^\d{1,9}$/.test(String(value)) ? Number(value) : value,
        ]),
      )
    },
    read(body) {
      if (compiled.Check(body)) return body as Body
      for (const [field, failure] of failureOfField) {
        const mistake = mistakeOf(field, body, schema)
        if (mistake !== undefined) throw new Refusal(failure, { mistake })
      }
      const [unknown] = isClosed && isObject(body) ? unknownIn(body) : []
      if (unknown !== undefined) throw new Refusal('fieldInvalid', { mistake: refusalOf(unknown, known) })
      const [first] = failureOfField
      if (!first) throw new Refusal('fieldInvalid', { mistake: 'the body must be an object, {}' })
      // A body that is not an object lacks its first field.
      const [field, failure] = first
      const lacks = schema.required?.includes(field) ? `: ${missing(field, schema.properties[field])}` : ''
      throw new Refusal(failure, { mistake: `the body must be a JSON object${lacks}` })
    },
    known: (body) =>
      Object.fromEntries(Object.entries(body as object).filter(([field]) => known.includes(field))) as Body,
    notice(body) {
      if (takesMore || isClosed || !isObject(body)) return undefined
      const unknown = unknownIn(body)
      if (unknown.length === 0) return undefined
      // First what is a known name in another spelling: that one is a mistake, and no secret.
      const isMeant = (field: string) => suggestion(field, known) !== ''
      const others = unknown.slice(0, readFields).filter((field) => !isMeant(field) && shownName(field) !== hiddenName)
      const named = [...unknown.filter(isMeant), ...others].slice(0, noticedFields)
      const more = unknown.length - named.length
      if (named.length === 0) return more === 1 ? 'an unknown field was ignored' : `${more} unknown fields were ignored`
      return named.map((field) => noticeOf(field, known)).join('; ') + (more > 0 ? `; and ${more} more` : '')
    },
  }
}

/** The schema of a body. */
export type ObjectSchema = TSchema & { properties: Record<string, TSchema>; required?: string[] }

/** What is wrong with one field of the body, in words; undefined when the field fits. */
function mistakeOf(field: string, body: unknown, { properties, required = [] }: ObjectSchema): string | undefined {
  if (!isObject(body)) return undefined
  if (Object.hasOwn(body, field)) {
    return firstMistake(properties[field]!, Reflect.get(body, field), { at: field, shownKey: shownName })
  }
  return required.includes(field) ? missing(field, properties[field]) : undefined
}

const isObject = (body: unknown): body is object => typeof body === 'object' && body !== null && !Array.isArray(body)

/** Names the allowed values when the schema lists them, else says to send what the schema describes. */
function missing(field: string, schema?: TSchema & { enum?: readonly string[]; description?: string }): string {
  return schema?.enum
    ? `${field} is missing; it must be one of ${schema.enum.join(', ')}`
    : `${field} is missing${schema?.description ? `: send ${withinSentence(schema.description)}` : ''}`
}

/** `The token` as `the token`; abbreviations such as `OTP` stay. */
const withinSentence = (text: string) => text.replace(/^[A-Z](?=[a-z]|\s)/, (first) => first.toLowerCase())

/** A notice names this many fields and counts the others. */
const noticedFields = 8
/** … and looks for them among so many. */
const readFields = 64

const noticeOf = (field: string, known: readonly string[]) =>
  `unknown field "${field}" was ignored${suggestion(field, known)}`

/** What a call creates may be wider than its caller means, so it ignores nothing. */
const refusalOf = (field: string, known: readonly string[]) =>
  `unknown field "${suggestion(field, known) ? field : shownName(field)}"${suggestion(field, known) || `: this call has ${known.join(', ')}`}`

function suggestion(field: string, known: readonly string[]): string {
  if (field.length > longestName) return ''
  const plain = field.toLowerCase().replaceAll(/[_-]/g, '')
  const meant = known.find((candidate) => candidate.toLowerCase() === plain)
  return meant ? `, did you mean "${meant}"?` : ''
}

/** What stands for a name that is not repeated. */
const hiddenName = '...'

const longestName = 32

/**
 * One to five words of letters: `maxage`, `phone_number`, `deviceType`, `MAX_AGE`. A name with a digit or another character may be a
 * token, a password, an email address or a phone number that was sent in the wrong place.
 */
const words = /^(?:[A-Za-z]?[a-z]{1,15}(?:[A-Z][a-z]{1,15}|[_-][a-z]{1,16}){0,4}|[A-Z]{1,16}(?:_[A-Z]{1,16}){0,4})$/

/** The name of a field as it is, or `...`. */
export function shownName(name: string): string {
  return name.length <= longestName && words.test(name) ? name : hiddenName
}
