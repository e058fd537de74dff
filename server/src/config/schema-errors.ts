// How is a value that fails its schema explained to a person? By key, what was expected, and what was found.

import type { TSchema } from 'typebox'
import Value from 'typebox/value'

/**
 * The first mistake in words, `connectors.acme.baseUrl must be a string`, or undefined when the value fits.
 * `at` is the path of the value itself. A value is never repeated, as it may be a secret.
 */
export function firstMistake(schema: TSchema, value: unknown, at = ''): string | undefined {
  // Of a key that is not known, `false` is said beside additionalProperties, and says less.
  const errors = Value.Errors(schema, value).filter(({ keyword }) => keyword !== 'boolean')
  // The deepest mistake says most: of a union, every branch is listed, and the union itself last.
  const error = errors.toSorted((a, b) => b.instancePath.split('/').length - a.instancePath.split('/').length)[0]
  if (!error) return undefined
  const path = [at, ...error.instancePath.split('/').slice(1).map(unescapePointer)].filter(Boolean).join('.')
  const params = error.params as Record<string, unknown>
  if (error.keyword === 'additionalProperties') {
    const keys = (params.additionalProperties as string[]).map((key) => [path, key].filter(Boolean).join('.'))
    return `${keys.join(', ')} is no known key${known(schema, error.instancePath)}`
  }
  if (error.keyword === 'required') {
    const keys = (params.requiredProperties as string[]).map((key) => [path, key].filter(Boolean).join('.'))
    return `${keys.join(', ')} ${keys.length > 1 ? 'are' : 'is'} missing`
  }
  const part = partOf(schema, error.instancePath)
  const allowed = Array.isArray(params.allowedValues) ? ` (${params.allowedValues.join(', ')})` : ''
  // Of a union, the first branch alone would be told: a secret written as a text "must be object".
  const expected = part?.anyOf ? `must be ${part.anyOf.map(formOf).join(' or ')}` : error.message
  return `${path || 'the value'} ${expected}${allowed}${part?.description ? `: ${part.description}` : ''}`
}

const unescapePointer = (part: string) => part.replaceAll('~1', '/').replaceAll('~0', '~')

type Part = {
  type?: string
  description?: string
  anyOf?: Part[]
  properties?: Record<string, Part>
  items?: Part
  patternProperties?: Record<string, Part>
}

/** One branch of a union in words: `{ env: … }`. */
function formOf({ type = 'another value', properties }: Part): string {
  if (!properties) return type
  return `{ ${Object.keys(properties)
    .map((key) => `${key}: …`)
    .join(', ')} }`
}

/** The schema of the part of the value that a JSON pointer names, where it can be told. */
function partOf(schema: TSchema, pointer: string): Part | undefined {
  let part: Part | undefined = schema as Part
  for (const key of pointer.split('/').slice(1).map(unescapePointer)) {
    part = part?.properties?.[key] ?? part?.items ?? Object.values(part?.patternProperties ?? {})[0]
  }
  return part
}

function known(schema: TSchema, pointer: string): string {
  const properties = partOf(schema, pointer)?.properties
  return properties ? `; known here: ${Object.keys(properties).join(', ')}` : ''
}
