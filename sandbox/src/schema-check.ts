// What is wrong with this input? A sentence that names the field and says what it must be.

import type { TSchema } from 'typebox'
import { Compile } from 'typebox/compile'
import type { TLocalizedValidationError } from 'typebox/error'

/** Thrown for input that does not fit its schema; the message may be shown to whoever sent it. */
export class InvalidInput extends Error {
  override name = 'InvalidInput'
}

/** Compiles a schema for Fastify's seam and our own use: nothing is coerced, nothing removed, no default filled in. */
export function inputCheck(schema: TSchema): (input: unknown) => { value: unknown } | { error: InvalidInput } {
  const validator = Compile(schema)
  return (input) =>
    validator.Check(input) ? { value: input } : { error: new InvalidInput(complaint(validator.Errors(input))) }
}

function complaint(errors: readonly TLocalizedValidationError[]): string {
  return errors.filter(isTelling).map(sentence).join('; ') || 'the input does not fit its schema'
}

/** Of a field that may be one thing or null, only what is wrong with the one thing is told. */
function isTelling({ keyword, instancePath, message }: TLocalizedValidationError): boolean {
  const isNullBranch = keyword === 'type' && message === 'must be null' && instancePath !== ''
  return !isNullBranch && keyword !== 'boolean' && keyword !== 'anyOf'
}

function sentence(error: TLocalizedValidationError): string {
  const field = error.instancePath.slice(1).replaceAll('/', '.') || 'the body'
  switch (error.keyword) {
    case 'additionalProperties':
      return `${field} has unknown fields: ${error.params.additionalProperties.join(', ')}`
    case 'required':
      return `${field} lacks ${error.params.requiredProperties.join(', ')}`
    case 'enum':
      return `${field} must be one of ${error.params.allowedValues.join(', ')}`
    default:
      return `${field} ${error.message}`
  }
}
