// Which types do the clients have? Writes those of the Node client, the browser SDK and the console from the contract.

import { execFileSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { fileURLToPath } from 'node:url'
import {
  type AdminEndpoint,
  adminEndpoints,
  clientEndpoints,
  type Endpoint,
  IntelligenceAnswer,
  IntelligenceRequest,
  PushAnswer,
  permissionNames,
  SdkConfig,
  SecureAnswer,
  SignedInUser,
  SignInStartRequest,
  SignInStatus,
  SignInTransaction,
  WebFacts,
} from '@ringfence/contract'
import { compile, type JSONSchema } from 'json-schema-to-typescript'

type Json = { [key: string]: unknown }

const root = new URL('../', import.meta.url)
const banner = '// Generated from contract/src by scripts/generate-client-types.ts; change it there.'

/** What a backend calls with its client's secret; without the SDK calls. */
const calls = Object.entries<Endpoint>(clientEndpoints)

/** What the console calls. */
const adminCalls = Object.entries<AdminEndpoint>(adminEndpoints)

/** The files' texts by their path from the root, formatted and deterministic. */
export async function clientFiles(): Promise<Record<string, string>> {
  return {
    'node/src/types.ts': formatted('node/src/types.ts', await typesText(calls)),
    'node/src/endpoints.ts': formatted('node/src/endpoints.ts', endpointsText()),
    'browser/src/wire.ts': formatted('browser/src/wire.ts', await browserTypesText()),
    'console/src/api/types.ts': formatted('console/src/api/types.ts', await typesText(adminCalls)),
    'console/src/api/endpoints.ts': formatted('console/src/api/endpoints.ts', adminEndpointsText()),
  }
}

export async function writeClientFiles(): Promise<void> {
  for (const [path, text] of Object.entries(await clientFiles())) writeFileSync(new URL(path, root), text)
}

async function typesText(
  described: readonly (readonly [string, Pick<Endpoint, 'description' | 'request' | 'answer'>])[],
): Promise<string> {
  const named = new Map<string, Json>()
  const bodiesOf = described.map(([name, { description, request, answer }]) => {
    const bodies = { request: typesOnly(request, named), answer: typesOnly(answer, named) }
    return [name, { description, ...closedObject(bodies) }]
  })
  const schema = {
    title: 'Calls',
    description: 'Every call of the service: its request and its answer.',
    ...closedObject(Object.fromEntries(bodiesOf)),
  }
  const text = await compile(schema as JSONSchema, 'Calls', { bannerComment: '', format: false })
  return `${banner}\n\n${text}`
}

/** The bodies that the browser SDK sends and reads. */
async function browserTypesText(): Promise<string> {
  const named = new Map<string, Json>()
  const bodies = [
    SdkConfig,
    IntelligenceRequest,
    IntelligenceAnswer,
    PushAnswer,
    SecureAnswer,
    SignInStartRequest,
    SignInTransaction,
    SignedInUser,
    SignInStatus,
    WebFacts,
  ].map((schema) => [Reflect.get(schema, '$id'), typesOnly(schema, named)])
  const schema = {
    title: 'Wire',
    description: 'The bodies that the SDK sends and reads.',
    ...closedObject(Object.fromEntries(bodies)),
  }
  return `${banner}\n\n${await compile(schema as JSONSchema, 'Wire', { bannerComment: '', format: false })}`
}

const closedObject = (properties: Json) => ({
  type: 'object',
  properties,
  required: Object.keys(properties),
  additionalProperties: false,
})

/**
 * The schema for json-schema-to-typescript. A named part is the same object wherever it occurs, which makes it one
 * type; other titles would create more names. Rules that no type can express are left to the service, and
 * request objects are closed so that a misspelt field does not compile.
 */
function typesOnly(schema: unknown, named: Map<string, Json>): unknown {
  return mapped(schema, (part, children) => {
    const { $id, title: _, minItems: __, maxItems: ___, ...rest } = { ...part, ...children }
    const { patternProperties: ____, values, ...plain } = rest
    const closed =
      rest.type === 'object' ? { ...plain, ...noFields(part), additionalProperties: values ?? false } : plain
    if (typeof $id !== 'string') return closed
    const known = named.get($id) ?? { ...closed, title: $id }
    named.set($id, known)
    return known
  })
}

/** An object without properties would be `{}`, the type of every value. */
const noFields = ({ properties, patternProperties }: Json) =>
  Object.keys(properties ?? patternProperties ?? {}).length === 0 ? { tsType: 'Record<string, never>' } : {}

function endpointsText(): string {
  const shapes: Json = {}
  const rows = calls.map(([name, { method, path, idempotencyKey = false, request, answer }]) => {
    const address = path.startsWith('/auth/') ? 'authUrl' : 'baseUrl'
    const fields = Object.keys((request as unknown as { properties: Json }).properties)
    return [name, { address, method, path, fields, idempotencyKey, answer: shapeOf(answer, shapes) }]
  })
  return `${banner}

import type { Shape } from './shape.ts'
import type { Calls } from './types.ts'

export interface ClientEndpoint {
  readonly address: 'baseUrl' | 'authUrl'
  readonly method: 'GET' | 'POST'
  /** A part in braces is a field of the request. */
  readonly path: string
  readonly fields: readonly string[]
  /** Whether a request that is repeated has an effect, unless it has the same Idempotency-Key. */
  readonly idempotencyKey: boolean
  readonly answer: Shape
}

export const endpoints: Readonly<Record<keyof Calls, ClientEndpoint>> = ${JSON.stringify(Object.fromEntries(rows))}

export const shapes: Readonly<Record<string, Shape>> = ${JSON.stringify(shapes)}
`
}

function adminEndpointsText(): string {
  const rows = adminCalls.map(([name, { method, path, permission, effect }]) => [
    name,
    { method, path, permission, effect },
  ])
  return `${banner}

import type { Calls } from './types.ts'

export type Permission = ${permissionNames.map((name) => JSON.stringify(name)).join(' | ')}

export interface AdminCall {
  readonly method: 'GET' | 'POST'
  /** A part in braces is a field of the request. */
  readonly path: string
  /** \`signedIn\`: any role; \`anyone\`: before sign-in. */
  readonly permission: Permission | 'signedIn' | 'anyone'
  readonly effect: 'read' | 'write'
}

export const endpoints: Readonly<Record<keyof Calls, AdminCall>> = ${JSON.stringify(Object.fromEntries(rows))}
`
}

const checkedByClient = ['anyOf', 'const', 'enum', 'type', 'properties', 'required', 'items']
const leftToService = [
  'x-personal',
  'x-form',
  'title',
  'description',
  'examples',
  'pattern',
  'format',
  'minLength',
  'maxLength',
  'minItems',
  'maxItems',
  'minimum',
  'maximum',
]

/** The part of a schema that the client checks (node/src/shape.ts), with named parts moved to `shapes`. */
function shapeOf(schema: unknown, shapes: Json): unknown {
  return mapped(schema, (part, children) => {
    const shape: Json = {}
    for (const keyword of Object.keys(part)) {
      if (checkedByClient.includes(keyword)) shape[keyword] = children[keyword] ?? part[keyword]
      else if (![...leftToService, '$id', 'additionalProperties', 'patternProperties'].includes(keyword)) {
        throw new Error(`The client cannot check the keyword ${keyword}: teach node/src/shape.ts`)
      }
    }
    if (children.values) shape.values = children.values
    if (typeof part.$id !== 'string') return shape
    shapes[part.$id] = shape
    return { $ref: part.$id }
  })
}

/** Rebuilds the schema from its innermost parts outwards; `children` are the rebuilt parts of `part`. */
function mapped(schema: unknown, rebuild: (part: Json, children: Json) => unknown): unknown {
  const part = schema as Json
  const children: Json = {}
  const { anyOf, items, properties, patternProperties } = part
  if (Array.isArray(anyOf)) children.anyOf = anyOf.map((branch) => mapped(branch, rebuild))
  if (items) children.items = mapped(items, rebuild)
  if (patternProperties) children.values = mapped(Object.values(patternProperties)[0], rebuild) // of a record
  if (properties) {
    children.properties = Object.fromEntries(
      Object.entries(properties).map(([name, property]) => [name, mapped(property, rebuild)]),
    )
  }
  return rebuild(part, children)
}

function formatted(path: string, text: string): string {
  const biome = createRequire(import.meta.url).resolve('@biomejs/biome/bin/biome')
  const options = { cwd: fileURLToPath(root), input: text, encoding: 'utf8' } as const
  // Biome does not format what git ignores, so it gets a name that git does not.
  const name = path.replaceAll('/', '-')
  return execFileSync(process.execPath, [biome, 'format', `--stdin-file-path=${name}`], options)
}

if (import.meta.main) await writeClientFiles()
