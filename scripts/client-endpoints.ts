// What do the clients know of each endpoint when they run? Written by `npm ci`, also on a server, which needs no types.

import { fileURLToPath } from 'node:url'
import {
  type AdminEndpoint,
  adminEndpoints,
  clientEndpoints,
  type Endpoint,
  permissionNames,
} from '@ringfence/contract'
import { writeBuilt } from './built-files.ts'

export type Json = { [key: string]: unknown }

const root = new URL('../', import.meta.url)
export const banner =
  '// Generated from contract/src by scripts/client-endpoints.ts and scripts/generate-client-types.ts; change it there.'

/** What a backend calls with its client's secret; without the SDK calls. */
export const calls = Object.entries<Endpoint>(clientEndpoints)

/** What the console calls. */
export const adminCalls = Object.entries<AdminEndpoint>(adminEndpoints)

export function writeClientEndpoints(): void {
  writeBuilt(fileURLToPath(new URL('node/src/endpoints.ts', root)), endpointsText())
  writeBuilt(fileURLToPath(new URL('console/src/api/endpoints.ts', root)), adminEndpointsText())
}

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
export function mapped(schema: unknown, rebuild: (part: Json, children: Json) => unknown): unknown {
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
