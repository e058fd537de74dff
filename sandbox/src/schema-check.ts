// What is wrong with this input? A sentence that names the field and what it must be.

import type { TSchema } from 'typebox'
import { Compile } from 'typebox/compile'
import type { TLocalizedValidationError } from 'typebox/error'

/** Input does not match its schema. The message is meant for the sender. */
export class InvalidInput extends Error {
  override name = 'InvalidInput'
}

/** Compiles a schema, for Fastify and for direct use. Does not convert values, remove fields or add defaults. */
export function inputCheck(schema: TSchema): (input: unknown) => { value: unknown } | { error: InvalidInput } {
  const validator = Compile(schema)
  return (input) =>
    validator.Check(input) ? { value: input } : { error: new InvalidInput(complaint(validator.Errors(input))) }
}

function complaint(errors: readonly TLocalizedValidationError[]): string {
  return errors.filter(isUseful).map(sentence).join('; ') || 'the input does not match its schema'
}

/** For a field that may be null, only reports why the value is wrong, and not that it is not null. */
function isUseful({ keyword, instancePath, message }: TLocalizedValidationError): boolean {
  const isNullBranch = keyword === 'type' && message === 'must be null' && instancePath !== ''
  return !isNullBranch && keyword !== 'boolean' && keyword !== 'anyOf'
}

function sentence(error: TLocalizedValidationError): string {
  const field = error.instancePath.slice(1).replaceAll('/', '.') || 'the body'
  switch (error.keyword) {
    case 'additionalProperties':
      return `${field} has unknown fields: ${error.params.additionalProperties.join(', ')}`
    case 'required':
      return `${field} must have ${error.params.requiredProperties.join(', ')}`
    case 'enum':
      return `${field} must be one of ${error.params.allowedValues.join(', ')}`
    default:
      return `${field} ${error.message}`
  }
}
