// Where does a secret of the configuration come from? From an environment variable or its own file, never from the configuration file.

import { readFileSync } from 'node:fs'
import Type, { type Static } from 'typebox'

/** `{ env: NAME }` reads an environment variable; `{ file: PATH }` reads a file without its last line break. */
export const SecretReference = Type.Union(
  [
    Type.Object({ env: Type.String({ minLength: 1 }) }, { additionalProperties: false }),
    Type.Object({ file: Type.String({ minLength: 1 }) }, { additionalProperties: false }),
  ],
  { description: 'Where the secret is: `{ env: NAME }` or `{ file: PATH }`' },
)
export type SecretReference = Static<typeof SecretReference>

export type ReadSecret = (reference: SecretReference) => string

/** Reads secrets. Throws an Error that names the variable or file if it is missing or empty. */
export function secretsOf(environment: Readonly<Record<string, string | undefined>>): ReadSecret {
  return (reference) => {
    if ('env' in reference) {
      const value = environment[reference.env]
      if (!value) throw new Error(`the environment variable ${reference.env} is not set; it must contain the secret`)
      return value
    }
    let value: string
    try {
      value = readFileSync(reference.file, 'utf8').replace(/\r?\n$/, '')
    } catch (cause) {
      throw new Error(`the secret file ${reference.file} cannot be read: ${(cause as Error).message}`, { cause })
    }
    if (!value) throw new Error(`the secret file ${reference.file} is empty`)
    return value
  }
}
