// Which types do the clients have? Writes those of the Node client, the browser SDK and the console from the contract.

import { execFileSync } from 'node:child_process'
import { createRequire } from 'node:module'
import { fileURLToPath } from 'node:url'
import {
  type Endpoint,
  IntelligenceAnswer,
  IntelligenceRequest,
  PushAnswer,
  SdkConfig,
  SecureAnswer,
  SignedInUser,
  SignInStartRequest,
  SignInStatus,
  SignInTransaction,
  WebFacts,
} from '@ringfence/contract'
import { compile, type JSONSchema } from 'json-schema-to-typescript'
import { writeBuilt } from './built-files.ts'
import { adminCalls, banner, calls, type Json, mapped, writeClientEndpoints } from './client-endpoints.ts'
import { consoleCodes } from './console-codes.ts'

const root = new URL('../', import.meta.url)

/** The files' texts by their path from the root, formatted and deterministic. */
export async function clientFiles(): Promise<Record<string, string>> {
  return {
    'node/src/types.ts': formatted('node/src/types.ts', await typesText(calls)),
    'browser/src/wire.ts': formatted('browser/src/wire.ts', await browserTypesText()),
    'console/src/api/codes.ts': formatted('console/src/api/codes.ts', consoleCodes()),
    'console/src/api/types.ts': formatted('console/src/api/types.ts', await typesText(adminCalls)),
  }
}

export async function writeClientFiles(): Promise<void> {
  for (const [path, text] of Object.entries(await clientFiles())) writeBuilt(fileURLToPath(new URL(path, root)), text)
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

function formatted(path: string, text: string): string {
  const biome = createRequire(import.meta.url).resolve('@biomejs/biome/bin/biome')
  const options = { cwd: fileURLToPath(root), input: text, encoding: 'utf8' } as const
  // Biome does not format what git ignores, so it gets a name that git does not.
  const name = path.replaceAll('/', '-')
  return execFileSync(process.execPath, [biome, 'format', `--stdin-file-path=${name}`], options)
}

if (import.meta.main) {
  writeClientEndpoints()
  await writeClientFiles()
}
