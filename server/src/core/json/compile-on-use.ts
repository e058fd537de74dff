// Does a value fit a schema? A schema is compiled when its first value is checked: compiling all of them delays a start.

import type { Static, TSchema } from 'typebox'
import { Compile, type Validator } from 'typebox/compile'
import type { TLocalizedValidationError } from 'typebox/error'

export interface CompiledSchema<Schema extends TSchema> {
  Check(value: unknown): value is Static<Schema>
  Errors(value: unknown): TLocalizedValidationError[]
}

/** A schema that a server may never need is not compiled either. */
export function compileOnUse<Schema extends TSchema>(schema: Schema): CompiledSchema<Schema> {
  let compiled: Validator | undefined
  const validator = () => (compiled ??= Compile(schema) as Validator)
  return {
    Check: (value): value is Static<Schema> => validator().Check(value),
    Errors: (value) => validator().Errors(value),
  }
}
