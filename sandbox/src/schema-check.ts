// What is wrong with this input? A sentence that names the field and what it must be.

import type { TSchema } from 'typebox'
import { Compile } from 'typebox/compile'
import type { TLocalizedValidationError } from 'typebox/error'
import { comparable, similarity } from './subscriber/compare-text.ts'

/** Input does not match its schema. The message is meant for the sender. */
export class InvalidInput extends Error {
  override name = 'InvalidInput'
}

/** Compiles a schema, for Fastify and for direct use. Does not convert values, remove fields or add defaults. */
export function inputCheck(schema: TSchema): (input: unknown) => { value: unknown } | { error: InvalidInput } {
  const validator = Compile(schema)
  return (input) =>
    validator.Check(input) ? { value: input } : { error: new InvalidInput(complaint(validator.Errors(input), schema)) }
}

function complaint(errors: readonly TLocalizedValidationError[], schema: TSchema): string {
  const useful = errors.filter(isUseful).map((error) => sentence(error, schema))
  return useful.join('; ') || 'the input does not match its schema'
}

/** For a field that may be null, only reports why the value is wrong, and not that it is not null. */
function isUseful({ keyword, instancePath, message }: TLocalizedValidationError): boolean {
  const isNullBranch = keyword === 'type' && message === 'must be null' && instancePath !== ''
  return !isNullBranch && keyword !== 'boolean' && keyword !== 'anyOf'
}

function sentence(error: TLocalizedValidationError, schema: TSchema): string {
  const field = error.instancePath.slice(1).replaceAll('/', '.') || 'the body'
  switch (error.keyword) {
    case 'additionalProperties':
      return `${field} has unknown fields: ${unknownFields(error.params.additionalProperties, knownAt(schema, error.instancePath))}`
    case 'required':
      return `${field} must have ${error.params.requiredProperties.join(', ')}`
    case 'enum':
      return `${field} must be one of ${error.params.allowedValues.join(', ')}`
    default:
      return `${field} ${error.message}`
  }
}

/** Each with the known field that is spelled most like it, or with all of them. */
function unknownFields(unknown: readonly string[], known: readonly string[]): string {
  const meant = unknown.map((field) => {
    const nearest = known.toSorted(
      (a, b) => similarity(comparable(field), comparable(b)) - similarity(comparable(field), comparable(a)),
    )[0]
    const isNear = nearest !== undefined && similarity(comparable(field), comparable(nearest)) >= 75
    return `${field.slice(0, 64)}${isNear ? ` (did you mean ${nearest}?)` : ''}`
  })
  return (
    meant.slice(0, 10).join(', ') +
    (meant.some((text) => text.endsWith('?)')) || known.length === 0 ? '' : `; it has ${known.join(', ')}`)
  )
}

interface Node {
  readonly properties?: Readonly<Record<string, Node>>
  readonly anyOf?: readonly Node[]
}

/** The fields of the object at this path of the input. */
function knownAt(schema: TSchema, path: string): readonly string[] {
  let nodes: readonly Node[] = [schema as Node]
  const objects = () => nodes.flatMap((node) => [node, ...(node.anyOf ?? [])])
  for (const part of path.split('/').slice(1)) nodes = objects().flatMap(({ properties }) => properties?.[part] ?? [])
  return objects().flatMap(({ properties = {} }) => Object.keys(properties))
}
