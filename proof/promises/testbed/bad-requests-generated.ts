// Which malformed requests are sent? Generated from the OpenAPI document: valid ones, and ones with an error in each possible place.

import { openApiDocument } from '@ringfence/contract'
import fc, { type Arbitrary } from 'fast-check'
import { shopOrigin } from '../../../server/src/testing/sdk-client.ts'
import { resolved } from './answer-shape.ts'

type Json = { readonly [key: string]: unknown }

/** The bytes to send, and what is known about them. */
export interface Sent {
  method: string
  /** Without the query. */
  path: string
  bytes: Buffer
  /** The sender closes after the bytes, which are no complete request; otherwise it waits for an answer. */
  ends: boolean
}

/** What admits a caller: a client's credentials, an app id, a session's bearer token. */
export interface Admitted {
  clientId: string
  clientSecret: string
  appId: string
  authorization: string
}

/** Every operation of the document: path with query parameters, method, and schema of the body. */
function operations(): { path: string; target: string; method: string; schema: Json }[] {
  const document = openApiDocument() as { paths: Record<string, Json>; components: { schemas: Json } }
  return Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => {
      const { requestBody } = operation as { requestBody?: { content: Record<string, { schema: Json }> } }
      const schema = resolved(requestBody?.content['application/json']?.schema ?? {}, document.components.schemas)
      return { path, target: path + queryOf(operation as Json), method: method.toUpperCase(), schema: schema as Json }
    }),
  )
}

/** The query of an operation, with the first value of each parameter. */
function queryOf({ parameters = [] }: Json): string {
  const inQuery = (parameters as Json[]).filter((parameter) => parameter.in === 'query')
  const values = inQuery.map(({ name, schema }) => [
    String(name),
    String((schema as { enum?: string[] }).enum?.[0] ?? shopOrigin),
  ])
  return values.length === 0 ? '' : `?${new URLSearchParams(values)}`
}

/** Mostly the valid value, sometimes another. */
const mostly = <Value>(wanted: Arbitrary<Value>, ...others: Arbitrary<Value>[]): Arbitrary<Value> =>
  fc.oneof({ arbitrary: wanted, weight: 9 * others.length }, ...others)

export function badRequests(credentials: Admitted): Arbitrary<Sent> {
  const requests = operations().map(({ path, target, method, schema }) =>
    fc
      .record({
        method: mostly(fc.constant(method), methods),
        target: mostly(fc.constant(target), targetsNear(path)),
        headers: headersWith(credentials),
        body: mostly(jsonTexts(schema), brokenBodies),
        framing: mostly(fc.constant('right' as const), fc.constantFrom(...framings)),
        patient: mostly(fc.constant(false), fc.constant(true)),
      })
      .map(message),
  )
  const mutated = fc.tuple(fc.oneof(...requests), fc.array(mutations, { minLength: 1, maxLength: 4 }))
  return fc.oneof(
    { arbitrary: fc.oneof(...requests), weight: 12 },
    {
      arbitrary: mutated.map(([sent, changes]) => ({ ...unknown, bytes: changes.reduce(mutate, sent.bytes) })),
      weight: 4,
    },
    {
      arbitrary: fc.uint8Array({ maxLength: 400 }).map((bytes) => ({ ...unknown, bytes: Buffer.from(bytes) })),
      weight: 1,
    },
    { arbitrary: fc.string({ maxLength: 400 }).map((text) => ({ ...unknown, bytes: Buffer.from(text) })), weight: 1 },
  )
}

/** Random bytes, perhaps no request at all. */
const unknown = { method: '', path: '', ends: true }

const methods = fc.constantFrom('GET', 'PUT', 'DELETE', 'PATCH', 'HEAD', 'OPTIONS', 'TRACE', 'QUERY', 'FOO', 'post', '')

const targetsNear = (path: string) =>
  fc.oneof(
    fc.constantFrom(
      ...[
        '/',
        '//',
        '*',
        '',
        '/health',
        '/ready',
        '/metrics',
        '/openapi.json',
        '/docs',
        '/docs/../metrics',
        'http://[::1',
      ],
      ...[
        `${path}/`,
        `${path}?phoneNumber=1`,
        `${path}%00`,
        `${path}%`,
        `${path}#`,
        path.toUpperCase(),
        `http://x${path}`,
      ],
      `/${'a'.repeat(20_000)}`,
    ),
    fc.webPath(),
    fc.string({ maxLength: 60 }).map((text) => path + encodeURI(text.toWellFormed())),
  )

const visible = fc.stringMatching(/^[ -~]{0,40}$/)
const oddText = fc.oneof(visible, fc.constantFrom('', ' ', 'ü', '\u0080', '\t', 'a'.repeat(9000)))

function headersWith({
  clientId,
  clientSecret,
  appId,
  authorization,
}: Admitted): Arbitrary<[name: string, value: string][]> {
  const header = (name: string, wanted: string, ...others: Arbitrary<string>[]) =>
    mostly<[string, string][]>(
      fc.constant([[name, wanted]]),
      fc.constant([]),
      fc.oneof(oddText, ...others).map((value): [string, string][] => [[name, value]]),
      fc.oneof(oddText, fc.constant(wanted)).map((value): [string, string][] => [
        [name, wanted],
        [name.toUpperCase(), value],
      ]),
    )
  const types = fc.constantFrom(
    ...[
      'application/json; charset=utf-8',
      'application/problem+json',
      'text/plain',
      'application/x-www-form-urlencoded',
    ],
    ...['multipart/form-data; boundary=x', 'application/jsonp', 'json', 'application/json, text/plain', 'application/'],
  )
  const deadlines = fc.constantFrom('100', '99', '200', '30001', '0', '-1', '1e3', ' 100', '100.5', '9'.repeat(40))
  const other = fc.oneof(
    fc.tuple(fc.constantFrom('x-request-id', 'x-correlator', 'accept', 'authorization', 'cookie', 'origin'), oddText),
    fc.tuple(fc.constant('x-ringfence-deadline-ms'), fc.oneof(deadlines, oddText)),
    fc.tuple(fc.constant('expect'), fc.constantFrom('100-continue', '200-ok')),
    fc.tuple(fc.constant('connection'), fc.constantFrom('keep-alive', 'upgrade', 'foo')),
    fc.tuple(fc.constant('upgrade'), fc.constantFrom('websocket', 'h2c', 'TLS/1.0')),
    fc.tuple(fc.constant('content-encoding'), fc.constantFrom('gzip', 'br', 'identity')),
    fc.tuple(fc.stringMatching(/^[!#$%&'*+.^_`|~A-Za-z0-9-]{1,30}$/), oddText),
    fc.tuple(fc.constantFrom('bad name', '', 'x:y', 'ü'), visible),
  )
  return fc
    .tuple(
      header('host', 'localhost'),
      header('clientId', clientId, fc.constant(clientSecret)),
      header('clientSecret', clientSecret, fc.constant(clientId)),
      header('appId', appId, fc.constant(clientId)),
      header('authorization', authorization, fc.constant(`Bearer ${appId}`)),
      header('content-type', 'application/json', types),
      fc.array(other, { maxLength: 4 }),
    )
    .map((parts) => parts.flat() as [string, string][])
}

/** JSON after the schema, with fields that are wrong, missing or unknown. */
function jsonTexts(schema: Json): Arbitrary<Buffer> {
  const object = mostly(valuesOf(schema), fc.jsonValue())
  return object.map((value) => Buffer.from(JSON.stringify(value) ?? ''))
}

function valuesOf(schema: Json): Arbitrary<unknown> {
  const { type, properties = {}, required = [], items, examples = [], minimum, maximum, anyOf } = schema
  const example = (examples as unknown[]).map((value) => fc.constant(value))
  if (Array.isArray(schema.enum)) return mostly(fc.constantFrom(...schema.enum), fc.jsonValue())
  if (Array.isArray(anyOf)) return fc.oneof(...anyOf.map((part) => valuesOf(part as Json)))
  switch (type) {
    case 'object': {
      const fields = Object.entries(properties as Record<string, Json>).map(
        ([name, part]) => [name, mostly(valuesOf(part), fc.jsonValue())] as const,
      )
      const known = fc.record(Object.fromEntries(fields), { requiredKeys: [] })
      const whole = fc.record(Object.fromEntries(fields), { requiredKeys: required as string[] })
      return fc
        .tuple(mostly(whole, known), mostly(fc.constant({}), fc.dictionary(oddKeys, fc.jsonValue(), { maxKeys: 3 })))
        .map(([fields, more]) => ({ ...more, ...fields }))
    }
    case 'array':
      return fc.array(valuesOf((items ?? {}) as Json), { maxLength: 5 })
    case 'integer':
    case 'number': {
      const [least, most] = [Number(minimum ?? -1000), Number(maximum ?? 1000)]
      const edges = fc.constantFrom(least, most, least - 1, most + 1, 0, -1, 12.5, 1e308, -0, 2 ** 53)
      return fc.oneof(...example, fc.integer({ min: least, max: most }), edges, fc.double())
    }
    case 'boolean':
      return fc.boolean()
    case 'string':
      return fc.oneof(
        ...example,
        fc.string(),
        ...(typeof schema.pattern === 'string' ? [fc.stringMatching(new RegExp(schema.pattern))] : []),
        fc.string({ unit: 'binary' }),
        fc.stringMatching(/^\d{1,40}$/),
        fc.stringMatching(/^\+?9170201\d{5}$/),
        ...(examples as unknown[]).map((text) => fc.constantFrom(`+${text}`, ` ${text}`, `${text}\n`, `${text}\u0000`)),
      )
    default:
      return fc.jsonValue()
  }
}

const oddKeys = fc.oneof(
  fc.string({ maxLength: 20 }),
  fc.constantFrom('__proto__', 'constructor', 'toString', 'phonenumber', 'phone_number', 'maxage', 'ü', ''),
)

const brokenBodies = fc.oneof(
  fc.uint8Array({ maxLength: 200 }).map((bytes) => Buffer.from(bytes)),
  fc
    .constantFrom(
      ...['', ' ', 'null', 'true', '"text"', '[]', '{', '{"phoneNumber"', '{"phoneNumber":}', "{'phoneNumber':'1'}"],
      ...['{"phoneNumber":"917020141726",}', '\ufeff{"phoneNumber":"917020141726"}', '{"maxAge":1e309}', 'NaN'],
      ...['{"phoneNumber":"1","phoneNumber":"917020141726"}', '{"phoneNumber":"\\ud800"}', '{"a":1}{"b":2}'],
      ...['{"__proto__":{"phoneNumber":"917020141726"}}', 'phoneNumber=917020141726', '[['.repeat(20_000)],
      ...[`{"phoneNumber":${'{"a":'.repeat(5000)}1${'}'.repeat(5000)}}`, `{"phoneNumber":"${'1'.repeat(70_000)}"}`],
    )
    .map((text) => Buffer.from(text)),
)

const framings = [
  ...(['no length', 'too short', 'too long', 'not a number', 'negative', 'doubled', 'two lengths'] as const),
  ...(['chunked', 'chunked with a length', 'broken chunks', 'endless chunk size', 'unknown coding'] as const),
]

interface Parts {
  method: string
  target: string
  headers: [string, string][]
  body: Buffer
  framing: 'right' | (typeof framings)[number]
  /** Wait until the server refuses a request that never becomes complete. */
  patient: boolean
}

const neverWhole: readonly Parts['framing'][] = ['too long', 'endless chunk size', 'broken chunks']

function message({ method, target, headers, body, framing, patient }: Parts): Sent {
  const [framingLines, framed] = frame(body, framing)
  // The answer to a complete request closes the connection; the last of several such headers does not matter.
  const lines = [...headers.map(([name, value]) => `${name}: ${value}`), ...framingLines, 'connection: close']
  const head = Buffer.from(`${method} ${target} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n`, 'latin1')
  const ends = neverWhole.includes(framing) && !patient
  return { method, path: target.split('?')[0]!, bytes: Buffer.concat([head, framed]), ends }
}

function frame(body: Buffer, framing: Parts['framing']): [string[], Buffer] {
  const length = (value: unknown) => `content-length: ${value}`
  const chunk = Buffer.concat([Buffer.from(`${body.length.toString(16)}\r\n`), body, Buffer.from('\r\n0\r\n\r\n')])
  switch (framing) {
    case 'right':
      return [[length(body.length)], body]
    case 'no length':
      return [[], body]
    case 'too short':
      return [[length(Math.max(0, body.length - 3))], body]
    case 'too long':
      return [[length(body.length + 3)], body]
    case 'not a number':
      return [[length('many')], body]
    case 'negative':
      return [[length(-1)], body]
    case 'doubled':
      return [[length(body.length), length(body.length)], body]
    case 'two lengths':
      return [[length(body.length), length(body.length + 1)], body]
    case 'chunked':
      return [['transfer-encoding: chunked'], body.length === 0 ? Buffer.from('0\r\n\r\n') : chunk]
    case 'chunked with a length':
      return [['transfer-encoding: chunked', length(body.length)], chunk]
    case 'broken chunks':
      return [['transfer-encoding: chunked'], Buffer.concat([Buffer.from('zz\r\n'), body])]
    case 'endless chunk size':
      return [['transfer-encoding: chunked'], Buffer.concat([Buffer.from(`${'f'.repeat(40)}\r\n`), body])]
    case 'unknown coding':
      return [['transfer-encoding: gzip'], body]
  }
}

type Mutation = { kind: 'replace' | 'insert' | 'remove'; at: number; byte: number }

const mutations: Arbitrary<Mutation> = fc.record({
  kind: fc.constantFrom('replace', 'insert', 'remove'),
  at: fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }),
  byte: fc.oneof(fc.integer({ min: 0, max: 255 }), fc.constantFrom(0, 10, 13, 32, 58, 127, 255)),
})

function mutate(bytes: Buffer, { kind, at, byte }: Mutation): Buffer {
  const index = Math.floor(at * bytes.length)
  const middle = kind === 'remove' ? [] : [byte]
  return Buffer.concat([
    bytes.subarray(0, index),
    Buffer.from(middle),
    bytes.subarray(kind === 'insert' ? index : index + 1),
  ])
}
