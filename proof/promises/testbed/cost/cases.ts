// Which requests could be expensive? For every endpoint of the contract: wide, deep, long and many-keyed ones, and each list and map full.

import { type Endpoint, everyEndpoint as every, pathFields, pathWith, readSamples } from '@ringfence/contract'
import fc from 'fast-check'
import type { ObjectSchema } from '../../../../server/src/http/request/body.ts'
import { boundsOf } from '../../../../server/src/http/request/body-bounds.ts'

/** What is sent, without credentials. */
export interface CostCase {
  readonly endpoint: Endpoint
  /** How the request is built. */
  readonly shape: string
  readonly path: string
  readonly type: string
  /** Undefined for a GET. */
  readonly body: string | undefined
}

interface Part {
  readonly type?: string
  readonly enum?: readonly unknown[]
  readonly const?: unknown
  readonly anyOf?: readonly Part[]
  readonly examples?: readonly unknown[]
  readonly pattern?: string
  readonly format?: string
  readonly minLength?: number
  readonly minimum?: number
  readonly properties?: Readonly<Record<string, Part>>
  readonly required?: readonly string[]
  readonly patternProperties?: Readonly<Record<string, Part>>
  readonly additionalProperties?: Part | boolean
  readonly items?: Part
  readonly minItems?: number
}

type Json = Readonly<Record<string, unknown>>

/** Every endpoint of the contract; a new one joins automatically. The admin API's streams do not end. */
export const everyEndpoint: readonly Endpoint[] = every.filter((each) => !('stream' in each))

/** Just under the smallest limit of a body. */
const mostBytes = 65_000
const json = 'application/json'
const form = 'application/x-www-form-urlencoded'
const samples = readSamples()

export function casesOf(endpoint: Endpoint): CostCase[] {
  const path = pathWith(endpoint.path, 'x')
  const request = endpoint.request as ObjectSchema
  if (endpoint.method === 'GET') return queriesOf(endpoint, path)
  if (endpoint.sends) return linesOf(endpoint, path)
  const ordinary = ordinaryBody(request, pathFields(endpoint.path))
  const { members } = boundsOf(request)
  const shapes: [shape: string, body: string][] = [
    ['ordinary', JSON.stringify(ordinary)],
    ['wide', JSON.stringify({ ...ordinary, ...flat(mostOf(members - 200)) })],
    ['too wide', JSON.stringify({ ...ordinary, ...flat(20_000) }).slice(0, mostBytes)],
    ['deep', JSON.stringify({ ...ordinary, x: JSON.parse(nested(14)) })],
    ['too deep', nested(10_000)],
    ['long', JSON.stringify({ ...ordinary, x: 'x'.repeat(60_000) })],
    ['many-keyed', JSON.stringify({ ...ordinary, ...flat(120, 500) })],
  ]
  for (const [name, part] of Object.entries(request.properties as Record<string, Part>)) {
    for (const [how, value] of filled(part, members)) {
      // Objects that cut at the limit are no JSON, and are refused before a schema.
      const body = JSON.stringify({ ...ordinary, [name]: value })
      if (body.length <= mostBytes) shapes.push([`${name} ${how}`, body])
    }
  }
  const cases = shapes.map(([shape, body]) => ({ endpoint, shape, path, type: json, body }))
  if (!endpoint.form) return cases
  const fields = Array.from({ length: 12_000 }, (_, at) => `k${at}`)
  return [
    ...cases,
    { endpoint, shape: 'wide form', path, type: form, body: fields.slice(0, 60).join('&') },
    { endpoint, shape: 'too wide form', path, type: form, body: fields.join('&') },
    { endpoint, shape: 'long form', path, type: form, body: `a=${'%41'.repeat(20_000)}` },
  ]
}

function queriesOf(endpoint: Endpoint, path: string): CostCase[] {
  const query = new URLSearchParams(
    Object.entries(ordinaryBody(endpoint.request as ObjectSchema, pathFields(endpoint.path))).map(([name, value]) => [
      name,
      String(value),
    ]),
  )
  const target = query.size > 0 ? `${path}?${query}&` : `${path}?`
  const names = Array.from({ length: 3000 }, (_, at) => `k${at}`)
  return [
    ['ordinary', target.slice(0, -1)],
    ['wide', target + names.slice(0, 50).join('&')],
    ['too wide', (target + names.join('&')).slice(0, 15_000)],
    ['long', `${target}x=${'%41'.repeat(4_500)}`],
  ].map(([shape, at]) => ({ endpoint, shape: shape!, path: at!, type: json, body: undefined }))
}

function linesOf(endpoint: Endpoint, path: string): CostCase[] {
  const query = '?checks=simSwap'
  const line = (at: number, more: object) => `${JSON.stringify({ phoneNumber: `9170201${42_000 + at}`, ...more })}\n`
  const lines = (count: number, more: object) => Array.from({ length: count }, (_, at) => line(at, more)).join('')
  return [
    ['ordinary', lines(20, {})],
    ['many lines', lines(2000, {})],
    ['wide lines', lines(100, flat(150))],
    ['deep lines', lines(100, { x: JSON.parse(nested(150)) })],
    ['long lines', lines(30, { x: 'x'.repeat(1900) })],
  ].map(([shape, body]) => ({
    endpoint,
    shape: shape!,
    path: path + query,
    type: 'application/x-ndjson',
    body: body!,
  }))
}

/** So many members of ten bytes fit into a body. */
const mostOf = (members: number) => Math.min(members, 6000)
const flat = (members: number, nameLength = 0): Json =>
  Object.fromEntries(Array.from({ length: Math.max(0, members) }, (_, at) => [`k${at}`.padEnd(nameLength, 'k'), 1]))
const nested = (levels: number) => `${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}`

/** A list or a map with as many parts as the body may have, right ones and wrong ones. */
function* filled(part: Part, members: number): Generator<[how: string, value: unknown]> {
  for (const each of part.anyOf ?? []) yield* filled(each, members)
  if (part.type === 'string') yield ['long', 'x'.repeat(50_000)]
  if (part.type === 'array') {
    const item = exampleOf(part.items ?? {})
    const size = JSON.stringify(item ?? 1).length + 1
    const fits = Math.floor((mostBytes - 4000) / size)
    const most = (part as { maxItems?: number }).maxItems ?? members
    yield ['full', Array(Math.min(most, fits)).fill(item)]
    yield ['over-full', Array(Math.min(most + 1, fits)).fill(item)]
    yield ['of wrong items', Array(Math.min(most, 900)).fill({ ...flat(3), x: 1 })]
    yield ['of other texts', Array.from({ length: Math.min(most, 900) }, (_, at) => `nothing-${at}`)]
  }
  const others = typeof part.additionalProperties === 'object' || part.patternProperties
  if (part.type === 'object' && (others || part.additionalProperties !== false)) {
    yield ['wide', flat(mostOf(members - 300))]
    yield ['wide with texts', mapped(flat(Math.min(members, 1000) - 300), 'x'.repeat(40))]
    yield ['deep', JSON.parse(nested(13))]
  }
}

const mapped = (object: Json, value: unknown) => Object.fromEntries(Object.keys(object).map((name) => [name, value]))

/** The first sample of the request, else what its schema describes; without the fields of the path. */
function ordinaryBody(request: ObjectSchema & { $id?: string }, inPath: readonly string[]): Json {
  const [sample] = Object.values(samples[request.$id ?? ''] ?? {})
  const body = (sample ?? exampleOf(request as unknown as Part)) as Json
  return Object.fromEntries(Object.entries(body).filter(([name]) => !inPath.includes(name)))
}

function exampleOf(part: Part): unknown {
  if (part.examples?.length) return part.examples[0]
  if (part.enum) return part.enum[0]
  if (part.const !== undefined) return part.const
  if (part.anyOf) return exampleOf(part.anyOf[0]!)
  switch (part.type) {
    case 'object':
      return Object.fromEntries(
        Object.entries(part.properties ?? {})
          .filter(([name]) => part.required?.includes(name))
          .map(([name, each]) => [name, exampleOf(each)]),
      )
    case 'array':
      return Array(Math.max(1, part.minItems ?? 0)).fill(exampleOf(part.items ?? {}))
    case 'string':
      if (part.format === 'date-time') return '2026-01-01T00:00:00Z'
      if (part.pattern === undefined) return 'x'.repeat(Math.max(1, part.minLength ?? 0))
      return fc.sample(fc.stringMatching(new RegExp(part.pattern)), { numRuns: 1, seed: 1 })[0]
    case 'integer':
    case 'number':
      return part.minimum ?? 1
    case 'boolean':
      return true
    default:
      return 'x'
  }
}
