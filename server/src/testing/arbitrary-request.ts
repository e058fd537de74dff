// What does a test send that knows the contract and breaks it? Requests of a schema, with some fields that do not fit.

import fc, { type Arbitrary } from 'fast-check'
import type { TSchema } from 'typebox'

/** Values by field name that mean something to the service, such as ids of what exists. */
export type KnownValues = Readonly<Record<string, readonly unknown[]>>

interface Part {
  type?: string
  enum?: unknown[]
  const?: unknown
  anyOf?: Part[]
  allOf?: Part[]
  pattern?: string
  format?: string
  minLength?: number
  maxLength?: number
  minimum?: number
  maximum?: number
  items?: Part
  maxItems?: number
  properties?: Record<string, Part>
  required?: string[]
}

const longestText = 400
const mostItems = 4

const times = fc.oneof(
  fc.date({ noInvalidDate: true, min: new Date(0), max: new Date('9999-12-31') }).map((date) => date.toISOString()),
  fc.constantFrom('2016-12-31T23:59:60Z', '2030-01-01T00:00:00+23:59[Asia/Kolkata]', '0000-01-01t00:00:00z'),
)

const deepList: unknown = JSON.parse(`${'['.repeat(500)}${']'.repeat(500)}`)

/** Anything that JSON can say, with names that objects of JavaScript have. */
const anyJson = fc.oneof(
  { weight: 3, arbitrary: fc.jsonValue({ maxDepth: 3 }) },
  fc.constantFrom<unknown>('__proto__', 'constructor', '\u0000', '\ud800', 'x'.repeat(20_000), 1e308, -0, deepList),
  fc
    .dictionary(fc.constantFrom('__proto__', 'constructor', 'prototype', 'toString', 'then', 'amount'), fc.jsonValue())
    .map((entries): unknown => JSON.parse(JSON.stringify(entries))),
)

/** A body that often fits the schema, and often not in one or two fields. As JSON text. */
export function arbitraryBody(schema: TSchema, known: KnownValues): Arbitrary<string> {
  return fc.oneof(
    { weight: 12, arbitrary: partOf(schema as Part, known).map((body) => JSON.stringify(body) ?? '') },
    anyJson.map((body) => JSON.stringify(body) ?? ''),
    fc.string({ unit: 'binary', maxLength: 50 }),
  )
}

function partOf(part: Part, known: KnownValues): Arbitrary<unknown> {
  if (part.anyOf) return fc.oneof(...part.anyOf.map((each) => partOf(each, known)))
  if (part.enum) return fc.constantFrom(...part.enum)
  if (part.const !== undefined) return fc.constant(part.const)
  switch (part.type) {
    case 'object':
      return part.properties ? recordOf(part, known) : fc.dictionary(fc.string(), anyJson, { maxKeys: 5 })
    case 'array':
      return fc.array(partOf(part.items ?? {}, known), { maxLength: mostItems })
    case 'string':
      return textOf(part)
    case 'integer':
    case 'number':
      return fc.integer({ min: part.minimum ?? 0, max: part.maximum ?? 2 ** 31 })
    case 'boolean':
      return fc.boolean()
    default:
      return anyJson
  }
}

function recordOf({ properties = {}, required = [] }: Part, known: KnownValues): Arbitrary<unknown> {
  const names = Object.keys(properties)
  const fields = Object.fromEntries(
    names.map((name) => [
      name,
      known[name] ? fc.constantFrom<unknown>(...known[name]) : partOf(properties[name]!, known),
    ]),
  )
  const broken = Object.fromEntries(
    names.map((name) => [name, fc.oneof({ weight: 5, arbitrary: fields[name]! }, anyJson)]),
  )
  const someOf = (record: Arbitrary<Record<string, unknown>>, always: readonly string[]) =>
    fc
      .tuple(record, fc.subarray(names))
      .map(([all, some]) => Object.fromEntries([...always, ...some].map((name) => [name, all[name]])))
  return fc.oneof({ weight: 3, arbitrary: someOf(fc.record(fields), required) }, someOf(fc.record(broken), []))
}

function textOf({ pattern, format, minLength = 0, maxLength = longestText }: Part): Arbitrary<string> {
  if (format === 'date-time') return times
  if (pattern !== undefined) return fc.stringMatching(new RegExp(pattern), { maxLength: longestText })
  return fc.string({ unit: 'binary', minLength, maxLength: Math.min(maxLength, longestText) })
}
